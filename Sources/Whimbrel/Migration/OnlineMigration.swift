public import WhimbrelEngine

/// A migration that converts the objects of a store one by one while the app uses it.
///
/// ```swift
/// let configuration = Store.Configuration(
///   url: url, models: [Reading.self], schemaVersion: 2,
///   migration: .online(
///     .rule(from: 1, SchemaV1.Reading.self, Reading.self) { old, new in
///       new.calibrated = old.raw * 1.02
///       new.label = "\(old.sensor) #\(old.number)"
///     }))
/// let store = try Store(configuration)  // at once, regardless of the size
/// for await progress in store.transition { banner.show(progress) }
/// ```
///
/// Opening changes the catalog to the new schema in one transaction. From then on, every store
/// shows new objects only. An unconverted object is converted in memory when it is read, and stored
/// in converted form when it is written. A thread of the library converts the others in small
/// batches: see ``Store/transition``.
///
/// Changes that do not need code do not need a rule, and may be combined with rules. Changes that
/// rules cannot make are refused before anything changes: ``MigrationPlan/onlineObstacles`` lists
/// them, and `otherwise` can make them. See <doc:MigratingWhileTheAppRuns>.
public struct OnlineMigration: Sendable {
  /// The rules, each for the objects of one class and one schema version.
  public let rules: [MigrationRule]
  /// The block that migrates a store whose changes the rules cannot make, or nil.
  public let otherwise: MigrationBlock?
  /// The free space on the disk below which no objects are converted, in bytes. The default is
  /// 64 MiB. Reads and writes continue, and the conversion continues when there is more space.
  public var minimumFreeSpace = 64 << 20
  /// Whether the conversion begins only with ``StoreTransition/resume()`` or
  /// ``StoreTransition/finish()``, for example when the app is idle. The default is `false`.
  public var startsPaused = false

  /// Returns a migration by rules.
  ///
  /// - Parameters:
  ///   - rules: The rules. Keep those of earlier releases: a file may skip versions, or contain
  ///     objects that an earlier release has not converted.
  ///   - otherwise: A block for stores whose version is older than that of the first rule, and for
  ///     changes that rules cannot make. If a rule leads to a frozen declaration that no other rule
  ///     reads, the block migrates all stores. It runs at opening, like any migration block.
  ///     Objects that an earlier release has not converted are converted before it runs. The
  ///     default is nil: such changes are an error.
  public static func online(
    _ rules: MigrationRule..., otherwise: MigrationBlock? = nil
  ) -> OnlineMigration {
    OnlineMigration(rules: rules, otherwise: otherwise)
  }

  /// Returns a migration by an array of rules.
  public static func online(
    _ rules: [MigrationRule], otherwise: MigrationBlock? = nil
  ) -> OnlineMigration {
    OnlineMigration(rules: rules, otherwise: otherwise)
  }

  private init(rules: [MigrationRule], otherwise: MigrationBlock?) {
    self.rules = rules
    self.otherwise = otherwise
  }
}

/// The code that converts one object of a class: see ``OnlineMigration``.
public struct MigrationRule: Sendable {
  /// The schema version whose objects the rule reads.
  public let version: SchemaVersion
  /// The frozen declaration that the rule reads objects through.
  public let old: any Model.Type
  /// The model that the rule sets, of the configuration or of the version before the next rule.
  public let new: any Model.Type
  let makeBody: @Sendable (RuleSides) -> any RuleBody

  /// Returns a rule that converts the objects of a class.
  ///
  /// A rule reads the values of one old object and sets the values of the new one. The new object
  /// already has all values that do not need code. The rule must give the same result each time it
  /// runs for an object: an object that is read twice before it is stored is converted twice. The
  /// result must therefore not depend on the time, on random numbers or on other state.
  ///
  /// A rule cannot throw. If it reads another object through a link, sets a link, or sets a
  /// property whose index does not change, the object stays unconverted, and reading it reports
  /// `ruleFailed`. If the rule leaves a property unset that only it can determine, the property
  /// gets its default, and the object is counted in ``TransitionProgress/unsetCount``.
  ///
  /// Rules can be chained. If a file skips a version, each rule reads the result of the previous
  /// rule:
  ///
  /// ```swift
  /// .online(
  ///   .rule(from: 1, SchemaV1.Reading.self, SchemaV2.Reading.self) { old, new in … },
  ///   .rule(from: 2, SchemaV2.Reading.self, Reading.self) { old, new in … })
  /// ```
  ///
  /// - Parameters:
  ///   - version: The schema version of the objects that the rule reads. It also reads those of
  ///     earlier versions if no other rule does.
  ///   - old: A frozen declaration with the properties that the rule reads.
  ///   - new: The model of the configuration, or a frozen declaration with the properties that the
  ///     rule sets if another rule or a block follows. A rule that leads to the model of the
  ///     configuration also converts directly to it what an earlier release has left.
  ///   - body: The code. It may run on any thread, and on several at once.
  public static func rule<Old: Model, New: Model>(
    from version: SchemaVersion, _ old: Old.Type, _ new: New.Type,
    _ body: @escaping @Sendable (_ old: Old, _ new: New) -> Void
  ) -> MigrationRule {
    MigrationRule(version: version, old: old, new: new) { sides in
      TypedRule(sides, body)
    }
  }
}

/// The code of a rule with the two Swift objects that it receives.
private final class TypedRule<Old: Model, New: Model>: RuleBody {
  private let newSession: Session
  private let newTable: ClassTable
  private let hand: ObjectAtHand
  private let body: @Sendable (Old, New) -> Void
  private let (old, new) = (PassingObject<Old>(), PassingObject<New>())
  // Safe: a rule runs for one object at a time.
  @safe @exclusivity(unchecked) private var reader: RecordReader

  init(_ sides: RuleSides, _ body: @escaping @Sendable (Old, New) -> Void) {
    (newSession, newTable, hand) = (sides.new, sides.newTable, sides.hand)
    reader = RecordReader(sides.old, sides.oldTable)
    self.body = body
  }

  func run(_ id: ObjectID) throws {
    guard let record = hand.record else { return }
    body(try old.show(id, record, &reader), new.show(id, newSession, newTable))
  }
}

extension Store.Configuration {
  /// Returns the rules as the engine needs them.
  ///
  /// - Throws: ``StoreError`` with `invalidConfiguration`.
  func ruleBook() throws -> RuleBook {
    guard let onlineMigration else { return RuleBook([]) }
    var mistakes: [String] = []
    let rules = onlineMigration.rules.map { rule in
      let (old, new) = (rule.old._$schema.classSchema, rule.new._$schema.classSchema)
      let isLast = models.contains { $0 == rule.new }
      let words = "the rule for '\(old.name)' from version \(rule.version)"
      if rule.version >= schemaVersion {
        mistakes.append("\(words) reads objects of a version that is not below \(schemaVersion)")
      }
      let hasNext = onlineMigration.rules.contains {
        $0.version > rule.version && $0.old._$schema.name == new.name
      }
      if !isLast, !hasNext, onlineMigration.otherwise == nil {
        mistakes.append(
          "\(words) leads to '\(String(reflecting: rule.new))', which is not among the models, "
            + "and no other rule reads it")
      }
      let isTwice =
        onlineMigration.rules.filter {
          $0.version == rule.version && $0.old._$schema.name == old.name
        }.count > 1
      if isTwice { mistakes.append("\(words) is declared twice") }
      return ObjectRule(from: rule.version, old, new, isLast: isLast, rule.makeBody)
    }
    let book = RuleBook(rules)
    for rule in rules {
      // Without this error, the objects would stay unconverted, like those of an undeclared class.
      guard let last = book.chain(from: rule.version, of: rule.old.name).last, last.isLast,
        last.new.name != rule.old.name, !last.new.previousNames.contains(rule.old.name)
      else { continue }
      mistakes.append(
        "the rule for '\(rule.old.name)' from version \(rule.version) leads to "
          + "'\(last.new.name)', which is not declared as renamed from '\(rule.old.name)'")
    }
    if migration != nil || migrationSteps != nil {
      mistakes.append("it has a migration block or steps in addition to its rules")
    }
    guard mistakes.isEmpty else {
      var seen: Set<String> = []
      throw StoreError.invalidConfiguration(
        path: url.path, problems: mistakes.filter { seen.insert($0).inserted })
    }
    return book
  }
}
