/// A rule: code of an app that converts one object of a class from one shape to the next.
package struct ObjectRule: Sendable {
  /// The schema version of the objects that the rule reads. It also reads objects of earlier
  /// versions that no other rule reads.
  package let version: SchemaVersion
  /// The frozen declaration of the class as it was.
  package let old: ClassSchema
  /// The declaration of the class after the rule.
  package let new: ClassSchema
  /// Whether the rule converts to the class as the app declares it now.
  package let isLast: Bool
  package let makeBody: @Sendable (RuleSides) -> any RuleBody

  package init(
    from version: SchemaVersion, _ old: ClassSchema, _ new: ClassSchema, isLast: Bool,
    _ makeBody: @escaping @Sendable (RuleSides) -> any RuleBody
  ) {
    self.version = version
    self.old = old
    self.new = new
    self.isLast = isLast
    self.makeBody = makeBody
  }
}

/// The sessions and tables through which the code of a rule reads and sets objects.
package struct RuleSides {
  package let old: Session
  package let oldTable: ClassTable
  package let new: Session
  package let newTable: ClassTable
  /// The current object, which both sides show.
  package let hand: ObjectAtHand
}

/// The code of a rule, with its sides. One thread uses it at a time.
package protocol RuleBody: AnyObject {
  /// Runs the code for an object, which both sides show.
  func run(_ id: ObjectID) throws
}

/// The rules of an app.
package struct RuleBook: Sendable {
  package let rules: [ObjectRule]

  package init(_ rules: [ObjectRule]) {
    self.rules = rules.sorted { $0.version < $1.version }
  }

  /// The version of the first rule, or nil if there are no rules.
  var firstVersion: SchemaVersion? { rules.first?.version }

  /// Whether a rule leads to a declaration that is not the app's and that no other rule reads. A
  /// block then makes the changes of the later versions.
  var endBeforeApp: Bool {
    rules.contains { !$0.isLast && rule(from: $0.version + 1, of: $0.new.name) == nil }
  }

  /// Returns whether the rules lead from and to the same shapes as others. Their code cannot be
  /// compared.
  func hasSameShapes(as other: RuleBook) -> Bool {
    rules.count == other.rules.count
      && zip(rules, other.rules).allSatisfy { rule, other in
        rule.version == other.version && rule.isLast == other.isLast && rule.old == other.old
          && rule.new == other.new
      }
  }

  /// Returns the rule for objects of a schema version and of a class with a name, or nil.
  func rule(from version: SchemaVersion, of name: String) -> ObjectRule? {
    rules.first { $0.version >= version && $0.old.name == name }
  }

  /// Returns the rules that convert objects of a version to the current class, in order.
  package func chain(from version: SchemaVersion, of name: String) -> [ObjectRule] {
    var (chain, name, version): ([ObjectRule], String, SchemaVersion) = ([], name, version)
    while let rule = rule(from: version, of: name) {
      chain.append(rule)
      if rule.isLast { break }
      (name, version) = (rule.new.name, rule.version + 1)
    }
    return chain
  }
}
