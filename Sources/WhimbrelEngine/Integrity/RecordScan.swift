internal import WhimbrelLMDB

/// A check of the records in a range of a class.
///
/// Records are read in batches. Each kind of check runs over a whole batch before the next kind.
struct RecordScan {
  private let table: ScannedClass
  private let resolved: ResolvedClass
  private let view: ReadView
  private let depth: IntegrityCheck.Depth
  private(set) var tally: RecordTally
  /// The properties that may hold links, with their targets.
  private let links: [ScannedLink]
  /// For an embedded class, the counter of links to its objects, or nil if an index is
  /// unreadable.
  private let owners: OwnerCounter?
  private let hasCollections: Bool
  private var shape: Shape?
  private var scratch = KeyBuffer()
  /// A bit for each record of the batch, set while the record has passed all checks.
  private var sound: UInt64 = 0

  /// The values that checking records of one layout needs.
  private final class Shape {
    let layout: ResolvedLayout
    let outline: RecordOutline
    let collections: [RecordField]
    private var past: ResolvedLayout?

    init(_ layout: ResolvedLayout) {
      self.layout = layout
      outline = RecordOutline(layout)
      collections = layout.layout.fields.filter { $0.type.elementType != nil }
    }

    /// Returns the layout as a past shape reads it.
    func pastLayout(_ shape: PastShape) -> ResolvedLayout {
      if let past { return past }
      let made = ResolvedLayout(layout.layout, for: shape.properties)
      past = made
      return made
    }
  }

  init(
    _ table: ScannedClass, _ check: IntegrityCheck, _ targets: LinkTargets, _ view: ReadView,
    _ tally: RecordTally
  ) throws {
    (self.table, self.view, self.tally) = (table, view, tally)
    resolved = table.resolved
    depth = check.depth
    links = (resolved.links + resolved.openLinks).map {
      ScannedLink($0, of: table.resolved, targets)
    }
    hasCollections = resolved.layouts.contains { layout in
      layout?.layout.fields.contains { $0.type.elementType != nil } ?? false
    }
    owners = resolved.isEmbedded ? try OwnerCounter(table, check.classes, view) : nil
  }

  mutating func run(_ objects: Table, _ range: ClosedRange<UInt64>) throws {
    let cursor = try view.cursor(objects)
    var batch = EntryBatch()
    var first: UInt64? = range.lowerBound
    while try batch.fill(cursor, from: first, through: range.upperBound, touching: 0) {
      try verify(batch)
      if depth == .everything { try compare(batch) }
      first = nil
    }
    tally.findings.sort()
  }

  // MARK: - Checksums

  private mutating func verify(_ batch: borrowing EntryBatch) throws {
    sound = 0
    var index = 0
    // Four checksums are computed together, which is faster.
    while index + 4 <= batch.count {
      let sums = Checksum.records(
        resolved.input(batch, index), resolved.input(batch, index + 1),
        resolved.input(batch, index + 2), resolved.input(batch, index + 3),
        hole: RecordLayout.checksumOffset)
      try verify(batch, index, sums.0)
      try verify(batch, index + 1, sums.1)
      try verify(batch, index + 2, sums.2)
      try verify(batch, index + 3, sums.3)
      index += 4
    }
    while index < batch.count {
      try verify(batch, index, nil)
      index += 1
    }
  }

  /// Checks one record.
  ///
  /// - Parameter checksum: The computed checksum, or nil if it has not been computed yet.
  private mutating func verify(
    _ batch: borrowing EntryBatch, _ index: Int, _ checksum: UInt32?
  ) throws {
    let record = batch.value(index)
    tally.objects += 1
    tally.bytes += record.count
    sound |= 1 << UInt64(index)
    if let checksum, let shape, shape.outline.isWhole(record, checksum: checksum) { return }
    try noting(batch, index) { scan, id, record in try scan.verify(record, id) }
  }

  /// Runs a check of a record. Damage becomes a finding and excludes the record from further
  /// checks.
  @inline(__always)
  private mutating func noting(
    _ batch: borrowing EntryBatch, _ index: Int,
    _ check: (inout Self, ObjectID, PageBytes) throws -> Void
  ) throws {
    let id = ObjectID(rawValue: batch.key(index))
    do {
      try check(&self, id, batch.value(index))
    } catch let damage as DamagedRecord {
      note(index, id, damage.detail)
    }
  }

  private mutating func note(_ index: Int, _ id: ObjectID, _ problem: String) {
    sound &= ~(1 << UInt64(index))
    tally.findings.add(.record, table, id, problem)
    tally.damaged.insert(id)
  }

  /// Checks the checksums of a record and its overflow.
  private mutating func verify(_ record: PageBytes, _ id: ObjectID) throws {
    let layout = try shape(of: record).layout
    let overflowing = layout.layout.fields.filter {
      $0.type.isVariable && record.isExternal(at: $0.slot)
    }
    if !overflowing.isEmpty, table.lacksOverflow { throw DamagedRecord(detail: Self.lostOverflow) }
    let overflow = table.overflow(view, id)
    try resolved.verify(record, id, overflow)
    for field in overflowing { try checkOverflow(of: field, record, id, overflow) }
  }

  /// Returns the shape of a record, which most often is that of the previous record.
  @inline(__always)
  private mutating func shape(of record: PageBytes) throws -> Shape {
    if let shape, shape.outline.fits(record) { return shape }
    guard let layout = resolved.layout(of: record) else {
      throw DamagedRecord(detail: ResolvedClass.unknownLayout)
    }
    let shape = Shape(layout)
    self.shape = shape
    return shape
  }

  private static let lostOverflow = "its overflow cannot be read"

  /// Checks that all chunks and nodes of a value can be reached.
  private mutating func checkOverflow(
    of field: RecordField, _ record: PageBytes, _ id: ObjectID, _ overflow: Overflow
  ) throws {
    let found = try overflow.numbers(of: field.property)
    tally.overflow += found.count
    let reachable = try overflow.reachable(field, of: record)
    let property = resolved.properties.first { $0.id == field.property }?.name
    if found != reachable.sorted() {
      tally.findings.add(
        .part, table, id, property: property,
        "not all stored parts of property \(field.property.rawValue) can be reached")
    }
    guard let element = field.type.elementType else { return }
    for problem in try CollectionReader(record, field, element, overflow).check() {
      tally.findings.add(.part, table, id, property: property, problem)
    }
  }
}

// MARK: - What depends on other tables

extension RecordScan {
  /// Checks the sound records of a batch against indexes and other records.
  private mutating func compare(_ batch: borrowing EntryBatch) throws {
    let resolved = resolved
    for (place, index) in table.indexes.enumerated() {
      var entries = tally.entries[place]
      try forEachSound(batch) { scan, id, record, layout in
        try index.forEachEntry(
          of: record, layout, id, scan.table.overflow(scan.view, id), in: resolved,
          using: &scan.scratch
        ) { entries.add($0, $1) }
      }
      tally.entries[place] = entries
    }
    for link in links {
      try forEachSound(batch) { scan, id, record, layout in
        try link.forEachFault(
          of: record, layout, scan.table.overflow(scan.view, id), scan.view
        ) { target, fault in
          scan.tally.findings.add(
            .link, scan.table, id, property: link.name, link.problem(target, fault))
        }
      }
    }
    if let position = resolved.primaryKeyIndex, resolved.isClustered {
      try forEachSound(batch) { scan, id, record, layout in
        try scan.checkClusteredKey(position, record, layout, id)
      }
    }
    if hasCollections {
      try forEachSound(batch) { scan, id, record, _ in
        try scan.check(scan.shape(of: record).collections, of: record, id)
      }
    }
    if resolved.isInTransition {
      try forEachSound(batch) { scan, id, record, _ in try scan.checkPastValues(of: record, id) }
    }
    if let owners {
      try forEachSound(batch) { scan, id, _, _ in
        // Exactly one link leads to an embedded object.
        let count = try owners.count(of: id)
        if count == 1 { return }
        scan.tally.findings.add(
          .owner, scan.table, id, "it is embedded, and \(count) links lead to it")
      }
    }
  }

  /// Runs a check of each record in a batch that has passed all checks so far.
  @inline(__always)
  private mutating func forEachSound(
    _ batch: borrowing EntryBatch,
    _ check: (inout Self, ObjectID, PageBytes, ResolvedLayout) throws -> Void
  ) throws {
    var index = 0
    while index < batch.count {
      guard isSound(index) else {
        index += 1
        continue
      }
      // Fetch the shared layout once for a run of records. Counting its references for each record
      // would make the cores wait for each other.
      let shape = try shape(of: batch.value(index))
      let (layout, outline) = (shape.layout, shape.outline)
      repeat {
        if isSound(index) {
          try noting(batch, index) { scan, id, record in try check(&scan, id, record, layout) }
        }
        index += 1
      } while index < batch.count && (!isSound(index) || outline.fits(batch.value(index)))
    }
  }

  /// Reads the values of an object that is not yet converted, as it was.
  private mutating func checkPastValues(of record: PageBytes, _ id: ObjectID) throws {
    guard resolved.isStale(record), let past = resolved.entry.pastShape(of: record) else { return }
    let layout = try shape(of: record).pastLayout(past)
    for position in past.properties.indices {
      _ = try layout.value(position, of: record, table.overflow(view, id))
    }
  }

  private func isSound(_ index: Int) -> Bool { sound & (1 << UInt64(index)) != 0 }

  private mutating func checkClusteredKey(
    _ position: Int, _ record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID
  ) throws {
    let value =
      try layout.plainValue(position, of: record)
      ?? layout.value(position, of: record, table.overflow(view, id))
    if case .int(let key) = value, ObjectID(clusteredKey: key) != id {
      tally.findings.add(.primaryKey, table, id, "a lookup by its primary key does not find it")
    }
  }

  private mutating func check(
    _ collections: [RecordField], of record: PageBytes, _ id: ObjectID
  ) throws {
    for field in collections {
      guard let element = field.type.elementType, !record.isExternal(at: field.slot) else {
        continue
      }
      let reader = try CollectionReader(record, field, element, table.overflow(view, id))
      for problem in try reader.check() {
        let property = resolved.properties.first { $0.id == field.property }?.name
        tally.findings.add(.record, table, id, property: property, problem)
      }
    }
  }
}
