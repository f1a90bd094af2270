internal import WhimbrelLMDB

/// The objects of a class as they are in the file during a migration. They can only be read.
final class OldSpace {
  let resolved: ResolvedClass
  let objects: Table
  /// The number of objects.
  let count: Int
  let indexes: [TableIndex]
  private let overflowTable: Table?
  private let writer: BatchWriter
  // Safe, here and below: a migration runs on one thread, and no property is used in the course of
  // a change of its own.
  @safe @exclusivity(unchecked) private var cursor: Cursor?
  /// The batch to which the cursor belongs.
  @safe @exclusivity(unchecked) private var cursorBatch = -1
  /// The facts by which the last record was checked, if it was sound.
  @safe @exclusivity(unchecked) private var outline: RecordOutline?

  var name: String { resolved.name }
  /// The number of the batch. Records of an earlier batch are not valid.
  var batch: Int { writer.batch }

  /// Returns nil if the file does not have the class.
  init?(_ draft: ClassDraft, in task: MigrationTask, _ writer: BatchWriter) throws {
    guard let entry = draft.old, let resolved = task.loaded[entry.name] else { return nil }
    func table(_ name: TableName) -> Table? { task.tables[name.name] }
    guard let objects = table(TableNames.objects(entry)) else { return nil }
    self.resolved = resolved
    self.objects = objects
    self.writer = writer
    overflowTable = table(TableNames.overflow(entry))
    indexes = resolved.openIndexes(table)
    count = try writer.oldView.count(objects)
  }
}

// MARK: - Records

extension OldSpace {
  /// Returns the record of an object, or nil. It is valid until a batch is committed.
  func record(_ id: ObjectID) throws -> PageBytes? {
    try writer.oldView.value(objects, id.rawValue)
  }

  /// Returns the record of an object, verified, or nil.
  ///
  /// - Throws: ``DamagedRecord``.
  func soundRecord(_ id: ObjectID) throws -> PageBytes? {
    guard let record = try record(id) else { return nil }
    _ = try resolved.soundLayout(of: record, id)
    return record
  }

  /// Returns the overflow of an object.
  func overflow(of id: ObjectID) -> Overflow {
    Overflow(writer.oldView, overflowTable, id, seed: resolved.checksumSeed(id))
  }

  /// Returns the value of a property of a record.
  ///
  /// - Throws: ``DamagedRecord``.
  func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue {
    let layout = try resolved.requiredLayout(of: record)
    return try layout.plainValue(position, of: record)
      ?? layout.value(position, of: record, overflow(of: id))
  }

  /// Returns the primary key of an object, for messages, as far as it can be read.
  func primaryKey(_ id: ObjectID) -> PropertyValue? {
    guard let position = resolved.primaryKeyIndex, let record = try? record(id) else { return nil }
    return try? value(position, of: record, id)
  }

  /// Returns the number of pages that the objects take.
  func pages() throws -> Int {
    let tables = [objects] + [overflowTable].compactMap(\.self)
    return try tables.reduce(0) { try $0 + writer.oldView.statistics($1).pages }
  }

  /// Verifies the checksums of a record and its overflow.
  ///
  /// - Throws: ``DamagedRecord``.
  func verify(_ record: PageBytes, _ id: ObjectID) throws {
    try resolved.verify(record, id, Overflow(writer.oldView, overflowTable, id, seed: nil))
  }

  /// Verifies a record, whose checksum may have been computed already, and its overflow.
  ///
  /// - Throws: ``DamagedRecord``.
  func verify(_ found: OldRecord) throws {
    if let checksum = found.checksum, let outline,
      outline.isWhole(found.record, checksum: checksum)
    {
      return
    }
    try verify(found.record, found.id)
    outline = resolved.layout(of: found.record).map(RecordOutline.init)
  }
}

// MARK: - In the order of the IDs

extension OldSpace {
  /// Returns the ID of the last object that another ID can follow, or nil.
  func lastID() throws -> ObjectID? {
    let cursor = try openCursor()
    var isInside = try cursor.move(to: .last)
    if isInside, cursor.integerKey == .max { isInside = try cursor.move(to: .previous) }
    return isInside ? ObjectID(rawValue: cursor.integerKey) : nil
  }

  /// Returns the object after another one, or the first one if that is nil. Returns nil at the end.
  func next(after last: ObjectID?) throws -> (id: ObjectID, record: PageBytes)? {
    guard let cursor = try cursor(after: last) else { return nil }
    return (ObjectID(rawValue: cursor.integerKey), cursor.value)
  }

  /// Replaces `records` by the records after an object, up to a limit.
  func read(after last: ObjectID?, upTo limit: Int, into records: inout [OldRecord]) throws {
    records.removeAll(keepingCapacity: true)
    guard let cursor = try cursor(after: last) else { return }
    repeat {
      records.append(
        OldRecord(id: ObjectID(rawValue: cursor.integerKey), record: cursor.value, checksum: nil))
    } while try records.count < limit && cursor.move(to: .next)
  }

  /// Returns the cursor at the object after another one, or at the first one if that is nil.
  /// Returns nil at the end.
  private func cursor(after last: ObjectID?) throws -> Cursor? {
    if last == nil { try writer.requireSoundPages() }
    let isFresh = cursorBatch != writer.batch
    let cursor = try openCursor()
    guard let last else { return try cursor.move(to: .first) ? cursor : nil }
    if last.rawValue == .max { return nil }
    let isInPlace = !isFresh && cursor.integerKey == last.rawValue
    let found =
      isInPlace ? try cursor.move(to: .next) : try cursor.seek(atLeast: last.rawValue + 1)
    return found ? cursor : nil
  }

  private func openCursor() throws -> Cursor {
    if let cursor, cursorBatch == writer.batch { return cursor }
    let opened = try writer.oldView.cursor(objects)
    (cursor, cursorBatch) = (opened, writer.batch)
    return opened
  }
}

// MARK: - Lookups

extension OldSpace {
  /// Returns the objects that link to another through a property, in the order of their IDs.
  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    try writer.requireSoundPages()
    guard let index = indexes.ofProperty(position)?.table else { return [] }
    return try resolved.sources(
      position, linkingTo: target, of: classID, in: index, writer.oldView
    ).map(\.id)
  }

  /// Returns the object with a primary key, or nil. Long texts with equal hashes have the same
  /// index key, so the keys of the objects are compared.
  func find(_ key: PropertyValue) throws -> ObjectID? {
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: resolved.name)
    }
    try resolved.requireKey(key)
    try writer.requireSoundPages()
    if resolved.isClustered {
      guard case .int(let number) = key else { return nil }
      return ObjectID(clusteredKey: number)
    }
    guard let keys = indexes.first(where: \.isOfKey)?.table,
      key.mayBeKey(as: resolved.properties[position].type)
    else { return nil }
    let bytes = KeyEncoding.encoding(of: key, isOptional: false)
    guard let entry = try writer.oldView.value(keys, bytes), entry.count == 8 else { return nil }
    return ObjectID(rawValue: UInt64(littleEndian: entry.load(UInt64.self, at: 0)))
  }
}

// MARK: - Reading ahead

/// An old record that was read ahead.
struct OldRecord {
  let id: ObjectID
  let record: PageBytes
  /// The checksum that the record should have, if it has been computed.
  var checksum: UInt32?
}

/// The old records of a class, in the order of their IDs. Some are read ahead, so that the
/// checksums of several are computed together.
///
/// Invariants:
/// 1. The records that were read ahead are those after `last`, in order.
/// 2. Their bytes are valid only for `batch`. In the next batch they are read again.
struct OldRecords {
  private let old: OldSpace
  private var atHand: [OldRecord] = []
  private var position = 0
  private var batch = -1
  private var last: ObjectID?

  private static let readAhead = 4

  /// - Parameter last: The object after which the records begin, or nil for all.
  init(of old: OldSpace, after last: ObjectID?) {
    self.old = old
    self.last = last
    atHand.reserveCapacity(Self.readAhead)
  }

  /// Returns the next record, or nil. It is valid until a batch is committed.
  ///
  /// - Parameter isVerified: Whether the caller will verify it.
  mutating func next(isVerified: Bool) throws -> OldRecord? {
    if position == atHand.count || batch != old.batch {
      position = 0
      batch = old.batch
      try old.read(after: last, upTo: Self.readAhead, into: &atHand)
      if isVerified { addChecksums() }
      if atHand.isEmpty { return nil }
    }
    let found = atHand[position]
    position += 1
    last = found.id
    return found
  }

  private mutating func addChecksums() {
    guard atHand.count == Self.readAhead else { return }
    func input(_ found: OldRecord) -> Checksum.Input {
      Checksum.Input(found.record, seed: old.resolved.checksumSeed(found.id))
    }
    let sums = Checksum.records(
      input(atHand[0]), input(atHand[1]), input(atHand[2]), input(atHand[3]),
      hole: RecordLayout.checksumOffset)
    (atHand[0].checksum, atHand[1].checksum) = (sums.0, sums.1)
    (atHand[2].checksum, atHand[3].checksum) = (sums.2, sums.3)
  }
}

/// The facts by which records of one layout are checked, without counting references.
struct RecordOutline {
  private let layout: ResolvedLayout.View
  private let pointers: StaticArray<ResolvedLayout.Pointer>.View
  private let ints: StaticArray<RecordSlot>.View

  init(_ layout: ResolvedLayout) {
    self.layout = layout.view
    pointers = layout.pointers
    ints = layout.compactInts
  }

  /// Returns whether a record has the layout, and its full size.
  @inline(__always)
  func fits(_ record: PageBytes) -> Bool { layout.fits(record) }

  /// Returns whether a record has the layout and the checksum that it should have, and everything
  /// that its slots lead to. If not it may still be sound.
  func isWhole(_ record: PageBytes, checksum: UInt32) -> Bool {
    guard fits(record),
      UInt32(littleEndian: record.load(UInt32.self, at: RecordLayout.checksumOffset)) == checksum
    else { return false }
    for number in 0..<pointers.count where record.variable(at: pointers[number].slot) == nil {
      return false
    }
    for number in 0..<ints.count where !record.hasInt(at: ints[number]) { return false }
    return true
  }
}
