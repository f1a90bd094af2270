public import WhimbrelEngine

/// A comparison of the schemas and objects of two stores, whatever the versions of their schemas.
///
/// Objects are paired by primary key, or by object ID if there is no key. Links are equal if they
/// lead to objects of the same name. Embedded objects are compared as parts of their owners.
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
/// **Across schemas.** Stores with the same UUID are of one lineage: renamed classes and properties
/// are found by their stable IDs. In other stores classes and properties are paired by name, and
/// primary keys whatever their names. The automatic effects of a migration are not differences: a
/// value converted without loss is equal, and so is a nil that became the default of a property
/// made required. An added property counts for an object only if its value is not the one that a
/// migration gives to all objects. A removed property is a change of the schema only.
///
/// **Values** are compared bit by bit: a NaN equals itself, and −0 is not 0.
public struct StoreDiff {
  /// The parts of the stores to compare.
  public struct Options: Hashable, Sendable {
    /// The names of the classes to compare, old or new. The default is empty, which means all.
    public var classes: [String]
    /// The properties to ignore, such as `Zone.comments`. The default is none.
    public var ignoredProperties: [String]

    /// Creates options. The default compares everything.
    public init(classes: [String] = [], ignoredProperties: [String] = []) {
      self.classes = classes
      self.ignoredProperties = ignoredProperties
    }
  }

  /// The versions of both schemas.
  public let schemaVersions: (old: SchemaVersion, new: SchemaVersion)
  /// The new names of renamed classes, by their old names.
  public let renamedClasses: [String: String]
  /// The differences between the schemas under the new names, class by class.
  public let schemaChanges: [SchemaChange]

  let pairs: [ClassPair]
  private let old: StoreSide
  private let new: StoreSide
  private let same: SameRecords
  private let found = FoundDifferences()
  private let inspector: StoreInspector
  private let isWhole: Bool
  private let monitor: WorkMonitor

  /// Compares the schemas of two stores. Objects are compared by ``classCounts()`` and
  /// ``forEachDifference(of:_:)``.
  ///
  /// - Parameters:
  ///   - old: The old store.
  ///   - new: The new store.
  ///   - options: The parts to compare. The default is everything.
  ///   - monitor: Receives the progress.
  /// - Throws: `StoreError` with `unknownClass` or `unknownProperty`, and ``InspectionError`` with
  ///   `badArgument`, if the options name something that neither store has.
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

  /// Whether the schemas differ. Their versions count only if all classes are compared.
  public var hasSchemaDifferences: Bool {
    !schemaChanges.isEmpty || !renamedClasses.isEmpty || hasOtherVersion
  }

  /// Whether the versions of the schemas differ, and all classes are compared.
  var hasOtherVersion: Bool { isWhole && schemaVersions.old != schemaVersions.new }
}

// MARK: - Objects

extension StoreDiff {
  /// Returns the numbers of differing objects per class, sorted by class name.
  ///
  /// - Throws: `StoreError` for a damaged object, and ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*n*) for stores of one lineage, O(*n* log *n*) for others. Memory: the values
  ///   of two objects, and the IDs of at most 100,000 differing objects.
  public func classCounts() throws -> [ClassCounts] {
    try inspector.explaining {
      // Embedded objects are compared as parts of their owners.
      try pairs.filter { !$0.isEmbedded }.map(counts)
    }
  }

  private func counts(of pair: ClassPair) throws -> ClassCounts {
    let comparison = ObjectComparison(pair, old, new, same)
    let total = try max(pair.old?.count() ?? 0, pair.new?.count() ?? 0)
    var (added, removed, changed, same) = (0, 0, 0, 0)
    // If IDs pair the same objects as keys do, walk by ID: that is the order of the pages, and
    // several times faster.
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

  /// Calls `body` with each differing object of a class, in the order of the primary keys or IDs,
  /// until it returns false.
  ///
  /// - Parameters:
  ///   - counts: The counts of the class. The search stops after the last difference.
  ///   - body: Receives a difference, and returns whether to continue.
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
    try inspector.explaining {
      try forEachPlace(of: pair) { place in
        visited += 1
        try update(pair, visited, of: nil)
        guard let difference = try difference(place, pair, comparison) else { return true }
        left -= 1
        return try body(difference) && left > 0
      }
    }
  }

  /// Calls `body` with the objects known to differ, or with all objects if these were not kept. The
  /// order is that of the keys or IDs.
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
}
