internal import WhimbrelLMDB

/// Checks the records of a stretch of a class.
struct RecordScan {
  private let table: ScannedClass
  private let resolved: ResolvedClass
  private let check: IntegrityCheck
  private let view: ReadView
  private(set) var tally: RecordTally
  /// Of an embedded class, the links that lead to its objects, or nil where not all can be read.
  private let owners: [(source: ResolvedClass, position: Int, index: Table)]?
  /// The positions of what may hold links, and where they lead.
  private let links: [(position: Int, targets: [ClassID: Table?])]
  private var shape: Shape?
  private var scratch: [UInt8] = []

  /// What the records of one layout are checked by.
  private final class Shape {
    let layout: ResolvedLayout
    let outline: RecordOutline
    let collections: [RecordField]

    init(_ layout: ResolvedLayout) {
      self.layout = layout
      outline = RecordOutline(layout)
      collections = layout.layout.fields.filter { $0.type.elementType != nil }
    }
  }

  init(
    _ table: ScannedClass, _ check: IntegrityCheck, _ view: ReadView, _ tally: RecordTally
  ) throws {
    (self.table, self.check, self.view, self.tally) = (table, check, view, tally)
    resolved = table.resolved
    owners = resolved.isEmbedded ? Self.findOwners(of: table, in: check) : nil
    let all = Dictionary(
      check.classes.map { ($0.resolved.id, $0.objects) }, uniquingKeysWith: { first, _ in first })
    links = (resolved.links + resolved.openLinks).map { position in
      let type = table.resolved.properties[position].type
      guard let name = type.linkedClass else { return (position, all) }
      let target = check.classes.first { $0.name == name }
      return (position, target.map { [$0.resolved.id: $0.objects] } ?? [:])
    }
  }

  /// Checks the records with IDs in a range.
  mutating func run(_ objects: Table, _ range: ClosedRange<UInt64>) throws {
    let cursor = try view.cursor(objects)
    var batch = EntryBatch()
    var first: UInt64? = range.lowerBound
    while try batch.fill(cursor, from: first, through: range.upperBound, touching: 0) {
      var index = 0
      // The checksums of four are worked out together.
      while index + 4 <= batch.count {
        let sums = Checksum.records(
          input(batch.key(index), batch.value(index)),
          input(batch.key(index + 1), batch.value(index + 1)),
          input(batch.key(index + 2), batch.value(index + 2)),
          input(batch.key(index + 3), batch.value(index + 3)), hole: RecordLayout.checksumOffset)
        try take(batch.key(index), batch.value(index), sums.0)
        try take(batch.key(index + 1), batch.value(index + 1), sums.1)
        try take(batch.key(index + 2), batch.value(index + 2), sums.2)
        try take(batch.key(index + 3), batch.value(index + 3), sums.3)
        index += 4
      }
      while index < batch.count {
        try take(batch.key(index), batch.value(index), nil)
        index += 1
      }
      first = nil
    }
  }

  private func input(_ key: UInt64, _ record: PageBytes) -> Checksum.Input {
    Checksum.Input(record, seed: resolved.checksumSeed(ObjectID(rawValue: key)))
  }

  /// Checks a record.
  ///
  /// - Parameter checksum: the one that it should have, if that was worked out.
  private mutating func take(_ key: UInt64, _ record: PageBytes, _ checksum: UInt32?) throws {
    let id = ObjectID(rawValue: key)
    tally.objects += 1
    tally.bytes += record.count
    do {
      if let checksum, let shape, shape.outline.isWhole(record, checksum: checksum) {
        if check.depth == .everything { try compare(record, shape, id) }
      } else {
        let shape = try verify(record, id)
        if check.depth == .everything { try compare(record, shape, id) }
      }
    } catch let damage as DamagedRecord {
      note(id, damage.detail)
    } catch let damage as DamagedCollection {
      note(id, "\(damage)")
    }
  }

  private mutating func note(_ id: ObjectID, _ problem: String) {
    tally.findings.add(.record, table, id, problem)
    tally.damaged.insert(id)
  }

  /// Checks the checksums of a record and of what belongs to it.
  private mutating func verify(_ record: PageBytes, _ id: ObjectID) throws -> Shape {
    guard let layout = resolved.layout(of: record) else {
      throw DamagedRecord(detail: ResolvedClass.unknownLayout)
    }
    var shape = self.shape ?? Shape(layout)
    if !shape.outline.fits(record) { shape = Shape(layout) }
    self.shape = shape
    let outside = layout.layout.fields.filter {
      $0.type.isVariable && record.isExternal(at: $0.offset)
    }
    if !outside.isEmpty, table.lacksExtents { throw DamagedRecord(detail: Self.lostExtents) }
    let extents = table.extents(view, id)
    try resolved.verify(record, id, extents)
    for field in outside { try checkExtents(of: field, record, id, extents) }
    return shape
  }

  private static let lostExtents = "what does not fit into it cannot be read"

  /// Every chunk and node of a value is one that can be reached.
  private mutating func checkExtents(
    of field: RecordField, _ record: PageBytes, _ id: ObjectID, _ extents: Extents
  ) throws {
    let found = try extents.numbers(of: field.property)
    tally.extents += found.count
    let reachable = try extents.reachable(field, of: record)
    let property = resolved.properties.first { $0.id == field.property }?.name
    if found != reachable.sorted() {
      tally.findings.add(
        .part, table, id, property: property,
        "not all stored parts of property \(field.property.rawValue) can be reached")
    }
    guard let element = field.type.elementType else { return }
    for problem in try CollectionReader(record, field, element, extents).check() {
      tally.findings.add(.part, table, id, property: property, problem)
    }
  }
}

// MARK: - What depends on other tables

extension RecordScan {
  private mutating func compare(_ record: PageBytes, _ shape: Shape, _ id: ObjectID) throws {
    let layout = shape.layout
    let extents = table.extents(view, id)
    for (place, index) in table.indexes.enumerated() {
      var entries = tally.entries[place]
      try index.forEachEntry(of: record, layout, id, extents, in: resolved, using: &scratch) {
        entries.add($0, $1)
      }
      tally.entries[place] = entries
    }
    if resolved.isClustered, let position = resolved.primaryKeyIndex,
      case .int(let key) = try layout.value(position, of: record, extents),
      ObjectID(clusteredKey: key) != id
    {
      tally.findings.add(.primaryKey, table, id, "its primary key does not lead to it")
    }
    for field in shape.collections {
      guard let element = field.type.elementType, !record.isExternal(at: field.offset) else {
        continue
      }
      for problem in try CollectionReader(record, field, element, extents).check() {
        let property = resolved.properties.first { $0.id == field.property }?.name
        tally.findings.add(.record, table, id, property: property, problem)
      }
    }
    for link in links { try checkLinks(link.position, link.targets, record, layout, id, extents) }
    try checkOwner(of: id)
  }

  private mutating func checkLinks(
    _ position: Int, _ targets: [ClassID: Table?], _ record: PageBytes, _ layout: ResolvedLayout,
    _ id: ObjectID, _ extents: Extents
  ) throws {
    for target in try layout.value(position, of: record, extents).linkTargets {
      let isThere: Bool
      switch target {
      case .object(let target):
        isThere = try exists(target, targets.values.first)
      case .reference(let reference):
        isThere = try exists(reference.id, targets[reference.classID])
      }
      if !isThere {
        let name = resolved.properties[position].name
        tally.findings.add(
          .link, table, id, property: name,
          "its link '\(name)' leads to \(target), which is not there")
      }
    }
  }

  /// Whether an object is there, or its class cannot be read.
  ///
  /// - Parameter objects: the table of its class, nil when that cannot be read, and nothing when
  ///   there is no such class.
  private func exists(_ id: ObjectID, _ objects: Table??) throws -> Bool {
    guard let objects else { return false }
    guard let objects else { return true }
    return try view.value(objects, id.rawValue) != nil
  }

  /// To an embedded object leads exactly one link.
  private mutating func checkOwner(of id: ObjectID) throws {
    guard let owners else { return }
    let count = try owners.reduce(0) { count, owner in
      try owner.source.sources(
        owner.position, linkingTo: id, of: resolved.id, in: owner.index, view
      ).reduce(count) { $0 + $1.count }
    }
    if count != 1 {
      tally.findings.add(.owner, table, id, "it is embedded, and \(count) links lead to it")
    }
  }

  private static func findOwners(
    of table: ScannedClass, in check: IntegrityCheck
  ) -> [(source: ResolvedClass, position: Int, index: Table)]? {
    var owners: [(source: ResolvedClass, position: Int, index: Table)] = []
    for source in check.classes {
      for position in source.resolved.links
      where source.resolved.properties[position].type.linkedClass == table.name {
        guard let index = source.index(ofProperty: position) else { return nil }
        owners.append((source.resolved, position, index.table))
      }
    }
    return owners
  }
}
