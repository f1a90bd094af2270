public import WhimbrelEngine

/// What differs between two stores: schemas and objects, whatever the versions of their schemas.
///
/// Objects are the same when they have the same primary key, or else the same object ID. Links
/// are the same when they lead to objects of the same name, and embedded objects are compared as
/// parts of their owners.
///
/// ```swift
/// let diff = try StoreDiff(
///   from: StoreInspector(path: "old.whimbrel"), to: StoreInspector(path: "new.whimbrel"))
/// for change in diff.schemaChanges { print(change) }
/// for counts in try diff.classCounts() where counts.different > 0 {
///   try diff.forEachDifference(of: counts) { object in
///     print(object.kind, object.object)
///     return true
///   }
/// }
/// ```
///
/// **Across schemas.** Stores with the same UUID are of one lineage: classes and properties that
/// were renamed are found by their stable IDs. In all others classes and properties belong together
/// by name, and primary keys as such. What a migration does by itself to a value is no change of
/// it: one that was converted without loss is the same, and so is a nil that became the default of
/// a property made required. A property that was added counts for an object only if the
/// value is another than the one that a migration gives to all; one that was removed is a change of
/// the schema alone.
///
/// **Values** are compared to the bit: a NaN equals itself, and −0 is not 0.
public struct StoreDiff {
  /// What is compared.
  public struct Options: Hashable, Sendable {
    /// The names of the classes to compare, old or new ones; empty for all.
    public var classes: [String]
    /// Properties that are not compared, as `Zone.comments`.
    public var ignoredProperties: [String]

    /// By default everything is compared.
    public init(classes: [String] = [], ignoredProperties: [String] = []) {
      self.classes = classes
      self.ignoredProperties = ignoredProperties
    }
  }

  /// The versions of both schemas.
  public let schemaVersions: (old: SchemaVersion, new: SchemaVersion)
  /// The new names of classes that have another, by the old ones.
  public let renamedClasses: [String: String]
  /// What differs between the schemas, under the new names; class by class in their order.
  public let schemaChanges: [SchemaChange]

  let pairs: [ClassPair]
  private let old: StoreSide
  private let new: StoreSide
  private let same: SameRecords
  private let found = FoundDifferences()
  private let inspector: StoreInspector
  private let isWhole: Bool
  private let monitor: WorkMonitor

  /// Compares the schemas of two stores; objects are compared when they are asked for.
  ///
  /// - Throws: `StoreError` with `unknownClass` or `unknownProperty`, and ``InspectionError`` with
  ///   `badArgument`, for options that name what neither store has.
  public init(
    from old: StoreInspector, to new: StoreInspector, _ options: Options = Options(),
    monitor: WorkMonitor = .silent
  ) throws {
    let pairing = ClassPairing(old.session, new.session)
    let names = DiffNames(pairing.pairs(ignoring: [:]), pairing.renamedClasses)
    let wanted = Set(try options.classes.map(names.sharedName))
    let pairs = try pairing.pairs(ignoring: names.ignored(options.ignoredProperties))
    self.old = StoreSide(old.session, pairs, isOld: true)
    self.new = StoreSide(new.session, pairs, isOld: false)
    same = SameRecords(pairs)
    isWhole = wanted.isEmpty
    self.pairs = wanted.isEmpty ? pairs : pairs.filter { wanted.contains($0.name) }
    schemaVersions = (old.header.schemaVersion, new.header.schemaVersion)
    renamedClasses = pairing.renamedClasses.filter { wanted.isEmpty || wanted.contains($1) }
    schemaChanges = self.pairs.flatMap(\.changes)
    inspector = new
    self.monitor = monitor
  }

  /// Whether the schemas, or their versions, differ. The versions count only where all classes
  /// are compared.
  public var hasSchemaDifferences: Bool {
    !schemaChanges.isEmpty || !renamedClasses.isEmpty || hasOtherVersion
  }

  /// Whether the versions of the schemas differ, and count.
  var hasOtherVersion: Bool { isWhole && schemaVersions.old != schemaVersions.new }
}

// MARK: - Objects

extension StoreDiff {
  /// How many objects of each class differ, in the order of the names.
  ///
  /// - Throws: `StoreError` for a damaged object, and ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*n*) for stores of one lineage, O(*n* log *n*) for others, in memory for the
  ///   values of two objects and the IDs of 100,000 that differ.
  public func classCounts() throws -> [ClassCounts] {
    try explaining {
      // Embedded objects are parts of others.
      try pairs.filter { !$0.isEmbedded }.map(counts)
    }
  }

  private func counts(of pair: ClassPair) throws -> ClassCounts {
    let comparison = ObjectComparison(pair, old, new, same)
    let total = try max(pair.old?.count() ?? 0, pair.new?.count() ?? 0)
    var (added, removed, changed, same) = (0, 0, 0, 0)
    // In the order of the pages, where the IDs tell the same objects as the keys: several times as
    // fast.
    let order = try self.same.agree(pair) ? ObjectWalk.Order.objectID : pair.order
    found.begin(pair.name)
    try ObjectMerge(pair, by: order).forEach { place in
      switch place {
      case .old(let entry):
        removed += 1
        found.add(old: entry.id, new: nil)
      case .new(let entry):
        added += 1
        found.add(old: nil, new: entry.id)
      case .both(let before, let after):
        if try comparison.differences(before, after, .first).isEmpty {
          same += 1
        } else {
          changed += 1
          found.add(old: before.id, new: after.id)
        }
      }
      try update(pair, added + removed + changed + same, of: total)
      return true
    }
    return ClassCounts(
      name: pair.name, added: added, removed: removed, changed: changed, same: same)
  }

  /// Calls `body` with each object of a class that differs, in the order of the primary keys, or of
  /// the IDs, until it returns false.
  ///
  /// - Parameter counts: those of the class, so that nothing is read behind the last difference.
  /// - Throws: `StoreError` for a damaged object, ``InspectionError`` with `cancelled`, and what
  ///   `body` throws.
  /// - Complexity: O(*n* log *n*), in memory for the values of two objects.
  public func forEachDifference(
    of counts: ClassCounts, _ body: (ObjectDifference) throws -> Bool
  ) throws {
    guard let pair = pairs.first(where: { $0.name == counts.name }), counts.different > 0 else {
      return
    }
    let comparison = ObjectComparison(pair, old, new, same)
    var (visited, left) = (0, counts.different)
    try explaining {
      try forEachPlace(of: pair) { place in
        visited += 1
        try update(pair, visited, of: nil)
        guard let difference = try difference(place, pair, comparison) else { return true }
        left -= 1
        return try body(difference) && left > 0
      }
    }
  }

  /// Calls `body` with the objects that are known to differ, or else with all, in the order of the
  /// keys or the IDs.
  private func forEachPlace(
    of pair: ClassPair, _ body: (ObjectMerge.Place) throws -> Bool
  ) throws {
    guard let places = try found.places(of: pair) else {
      return try ObjectMerge(pair).forEach(body)
    }
    for place in places where try !body(place) { return }
  }

  private func difference(
    _ place: ObjectMerge.Place, _ pair: ClassPair, _ comparison: ObjectComparison
  ) throws -> ObjectDifference? {
    switch place {
    case .old(let entry):
      let name = try old.name(of: entry.id, pair.name)
      return ObjectDifference(kind: .removed, object: name, properties: [])
    case .new(let entry):
      let name = try new.name(of: entry.id, pair.name)
      return ObjectDifference(kind: .added, object: name, properties: [])
    case .both(let before, let after):
      let properties = try comparison.differences(before, after, .all)
      guard !properties.isEmpty else { return nil }
      let name = try new.name(of: after.id, pair.name)
      return ObjectDifference(kind: .changed, object: name, properties: properties)
    }
  }

  private func update(_ pair: ClassPair, _ completed: Int, of total: Int?) throws {
    guard completed % 1_000 == 0 else { return }
    try monitor.update(
      "Comparing \(PlainText.escaped(pair.name))", completed, of: total,
      orThrow: InspectionError.cancelled(inspector.path, "compare"))
  }

  private func explaining<Result>(_ body: () throws -> Result) throws -> Result {
    try inspector.explaining(body)
  }
}
