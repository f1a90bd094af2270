public import WhimbrelEngine

/// The objects of a class that an online migration has not yet converted.
///
/// Only the app has the rules that convert them. Without it they are shown as they are stored: with
/// the names and values of their version.
public struct UnconvertedObjects: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The number of objects, by their schema version.
  public let versions: [SchemaVersion: Int]
  /// The properties of the class that some of these objects lack, or have only in another form.
  public let properties: [String]

  /// The number of objects.
  public var count: Int { versions.values.reduce(0, +) }
}

extension StoreInspector {
  /// Returns the objects that an online migration has not yet converted, by class, sorted by name.
  ///
  /// - Throws: `StoreError` with `unknownClass`.
  /// - Complexity: O(*n*) for the objects of classes in transition.
  public func unconvertedObjects(of className: String? = nil) throws -> [UnconvertedObjects] {
    try explaining {
      let asked = try className.map { [try session.table($0)] } ?? tables
      return try asked.compactMap { table in
        let changed = table.changedProperties.sorted()
        return try table.unconverted(changed.map { table.resolved.properties[$0].name })
      }
    }
  }

  /// Returns the objects that are not yet converted and lack a property that a query uses, by
  /// class. The query leaves out these objects and the objects that lead to them.
  ///
  /// - Parameters:
  ///   - selection: The query.
  ///   - paths: Paths to other requested values, such as that of an aggregate.
  /// - Throws: `StoreError` with `unknownClass` or `invalidQuery`, and ``InspectionError`` with
  ///   `badArgument`.
  /// - Complexity: O(*n*) for the objects of classes in transition.
  public func objectsLeftOut(
    of selection: ObjectSelection, _ paths: [String] = []
  ) throws -> [UnconvertedObjects] {
    guard catalog.isInTransition else { return [] }
    return try explaining {
      let table = try selection.table(in: session)
      var changed = try selection.changedProperties(in: session)
      for path in paths {
        let bound = try BoundPath(QueryPath(text: path, of: table), in: table)
        changed.formUnion(bound.changedProperties)
      }
      return try session.unconvertedObjects(changed)
    }
  }

  /// Throws an error if objects are not yet converted.
  ///
  /// - Parameter verb: The words before the path: `export the store`.
  /// - Throws: ``InspectionError`` with `notConverted`.
  package func requireConverted(_ verb: String) throws {
    guard let first = try unconvertedObjects().first else { return }
    throw InspectionError.notConverted(path, verb, first)
  }
}

extension StoreInspector {
  /// Throws an error if an online migration is under way, even if all objects are converted.
  ///
  /// - Parameter verb: The words before the path: `export the store`.
  /// - Throws: ``InspectionError`` with `notConverted`.
  package func requireNoTransition(_ verb: String) throws {
    guard catalog.isInTransition else { return }
    try requireConverted(verb)
    throw InspectionError(
      .notConverted,
      "Could not \(verb) \(PlainText.quoted(path)): an online migration is under way.",
      "Open the store with its app, and let the app finish the migration.")
  }
}

extension ObjectTable {
  /// Returns the objects that are not yet converted and lack a value of a column, by class. A path
  /// may lead to objects of other classes.
  ///
  /// Without chosen columns, these are all unconverted objects of the class of the table.
  ///
  /// - Complexity: O(*n*) for the objects of classes in transition.
  public func unconvertedObjects() throws -> [UnconvertedObjects] {
    guard hasChosenColumns else { return try inspector.unconvertedObjects(of: table.name) }
    return try inspector.explaining {
      try inspector.session.unconvertedObjects(Set(columns.flatMap(changedProperties)))
    }
  }

  private func changedProperties(_ column: ObjectColumn) -> [ChangedProperty] {
    switch column.source {
    case .objectID: return []
    case .path(let path): return path.changedProperties
    case .property(let position): return [table.changedProperty(at: position)].compactMap(\.self)
    }
  }
}

extension Session {
  /// Returns the unconverted objects of the classes that these properties belong to.
  func unconvertedObjects(_ changed: Set<ChangedProperty>) throws -> [UnconvertedObjects] {
    let names = Dictionary(grouping: changed, by: \.className)
    return try names.sorted { $0.key < $1.key }.compactMap { name, changed in
      try table(name).unconverted(changed.map(\.property).sorted())
    }
  }
}

extension ClassTable {
  fileprivate func unconverted(_ properties: [String]) throws -> UnconvertedObjects? {
    let counts = try unconvertedCounts()
    return counts.isEmpty
      ? nil : UnconvertedObjects(className: name, versions: counts, properties: properties)
  }
}

// MARK: - The words

extension UnconvertedObjects {
  /// The way in which the objects were used.
  public enum Use: Hashable, Sendable {
    /// They are rows of a table or of CSV.
    case rows
    /// They are lines of JSON with some columns.
    case members
    /// They are lines of a dump.
    case lines
    /// A query of a class leaves them out, or objects of the class that lead to them.
    case query(of: String)
    /// Only some of their values are counted.
    case statistics
    /// They are compared with others.
    case comparison(path: String)
  }

  /// Returns the sentences that say what was done with the objects.
  public func note(_ use: Use) -> String {
    switch use {
    case .rows: beginning + "; " + lacking("columns of", "are empty for them")
    case .members: beginning + "; " + lacking("members of", "are missing in their lines")
    case .lines:
      beginning + "; their lines have \"version\" and the values of that version. 'whimbrel load' "
        + "does not accept such lines."
    case .query(let asked):
      beginning + "; they have no \(names), and the query leaves "
        + (asked == className ? "them out." : "out objects that lead to them.")
    case .statistics: beginning + "; " + lacking("values of", "are not counted for them")
    case .comparison(let path):
      beginning + " in \(PlainText.quoted(path)); only values that both sides have are compared."
    }
  }

  /// The number of objects and their versions: `12 objects of 'Reading' are not yet converted from
  /// version 1`.
  var beginning: String {
    let from = versions.keys.sorted().map(String.init)
    let name = PlainText.quoted(className)
    let words = count == 1 ? "object of \(name) is" : "objects of \(name) are"
    return "\(count) \(words) not yet converted from version \(from.joined(separator: " or "))"
  }

  private func lacking(_ what: String, _ effect: String) -> String {
    properties.isEmpty ? "they have the same properties." : "\(what) \(names) \(effect)."
  }

  private var names: String { properties.map(PlainText.quoted).joined(separator: ", ") }
}

extension InspectionError.Code {
  /// An online migration has not yet converted all objects.
  public static let notConverted = Self("notConverted")
}

extension InspectionError {
  /// - Parameter verb: The words before the path: `export the store`.
  package static func notConverted(
    _ path: String, _ verb: String, _ objects: UnconvertedObjects
  ) -> InspectionError {
    InspectionError(
      .notConverted,
      "Could not \(verb) \(PlainText.quoted(path)): \(objects.beginning).",
      "Open the store with its app, and let the app finish the migration.")
  }
}
