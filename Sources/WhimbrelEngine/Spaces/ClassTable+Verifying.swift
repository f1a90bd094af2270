package import WhimbrelLMDB

// Data from the disk is not trusted. The checksum of a record is verified before a value of it is
// used, and before it is changed or deleted. The same holds for each piece of overflow. If a record
// is not found, its neighbors are verified, which shows whether the table is in order there.
extension ClassTable {
  /// Returns the verified record of an object in a view, or nil if the object does not exist.
  /// It is converted if it has a past shape.
  func record(
    _ id: ObjectID, in view: ReadView, _ conversions: Conversions?
  ) throws -> PageBytes? {
    guard let record = try storedRecord(id, in: view) else { return nil }
    return converts ? try converted(record, id, in: view, conversions) : record
  }

  /// Returns the verified record of an object as it is stored, or nil if the object does not exist.
  package func storedRecord(_ id: ObjectID, in view: ReadView) throws -> PageBytes? {
    guard let record = try view.value(objects, id.rawValue) else {
      try requireAbsence(of: id, in: view)
      return nil
    }
    try requireSound(record, id)
    return record
  }

  /// Returns the overflow of an object. If the object is converted, it includes unstored overflow.
  func overflow(of id: ObjectID, in view: ReadView, _ conversions: Conversions?) -> Overflow {
    let stored = storedOverflow(of: id, in: view)
    guard converts, let conversions else { return stored }
    return conversions.overflow(of: id, of: resolved.id, over: stored)
  }

  /// Returns the stored overflow of an object.
  func storedOverflow(of id: ObjectID, in view: ReadView) -> Overflow {
    guard let overflowTable else { return .none }
    return Overflow(view, overflowTable, id, seed: isVerifying ? resolved.checksumSeed(id) : nil)
  }

  /// Whether reads are verified now. Inside a write they always are: a change must not give a
  /// damaged record a valid checksum. The rewrite of a migration verifies its reads by itself.
  private var isVerifying: Bool {
    verifiesReads || withSession { $0.isWriting } && !isOfMigration
  }

  /// Throws unless a record has a layout of the class and its checksum.
  package func requireSound(_ record: PageBytes, _ id: ObjectID) throws {
    _ = try layout(of: record, id)
    if isVerifying, !resolved.hasChecksum(record, id) {
      throw damagedRecord(id, ResolvedClass.wrongChecksum)
    }
  }

  /// Returns the error for an object that does not exist, although an index or a link leads to it.
  package func missing(_ id: ObjectID) -> StoreError {
    damagedRecord(id, "an index or a link leads to it, but it does not exist")
  }

  /// Returns the record at the cursor that changes share. Verifies it unless that was done.
  func sound(_ record: PageBytes, _ id: ObjectID) throws -> PageBytes {
    if records.isVerified(id) { return record }
    try requireSound(record, id)
    records.didVerify(id)
    return record
  }

  /// Throws if the neighbors of an object that was not found are damaged: the object may exist
  /// under a wrong key.
  @inline(never)
  func requireAbsence(of id: ObjectID, in view: ReadView) throws {
    guard isVerifying, objects != .none else { return }
    let cursor = try view.cursor(objects)
    let isBehind = try cursor.seek(atLeast: id.rawValue)
    if isBehind { try requireSound(cursor.value, ObjectID(rawValue: cursor.integerKey)) }
    if try cursor.move(to: isBehind ? .previous : .last) {
      try requireSound(cursor.value, ObjectID(rawValue: cursor.integerKey))
    }
  }

  /// Throws if the objects beside a primary key that is an object ID are damaged: an object with
  /// that key may exist under a wrong one. If objects are added behind all others, the last one is
  /// verified once in a write.
  func requireFreeKey(_ id: ObjectID, in view: WriteView) throws {
    let isFirst = records.upperBound == nil
    guard let bound = try records.bound(view), isFirst || id <= bound,
      try view.reading.value(objects, id.rawValue) == nil
    else { return }
    try requireAbsence(of: id, in: view.reading)
  }

  /// Returns the records of a batch that have valid checksums, as bits by their positions.
  /// ``requireSound(_:_:)`` verifies the others when they are used.
  package func soundRecords(_ batch: borrowing EntryBatch) -> UInt64 {
    isVerifying ? resolved.soundRecords(batch) : .max
  }

  /// Returns a record of a batch. Verifies it unless it is known to be sound.
  ///
  /// - Parameter sound: The records that are known to be sound: see ``soundRecords(_:)``.
  @inline(__always)
  func soundRecord(
    _ batch: borrowing EntryBatch, _ index: Int, _ sound: UInt64
  ) throws -> PageBytes {
    let record = batch.value(index)
    if sound & (1 << UInt64(index)) == 0 {
      try requireSound(record, ObjectID(rawValue: batch.key(index)))
    }
    return record
  }
}

extension ResolvedClass {
  /// Returns the records of a batch that have valid checksums, as bits by their positions. Does not
  /// check up to three records at the end of the batch.
  func soundRecords(_ batch: borrowing EntryBatch) -> UInt64 {
    var sound: UInt64 = 0
    var index = 0
    // The checksums of four are computed together.
    while index + 4 <= batch.count {
      let sums = Checksum.records(
        input(batch, index), input(batch, index + 1), input(batch, index + 2),
        input(batch, index + 3), hole: RecordLayout.checksumOffset)
      if hasChecksum(batch.value(index), sums.0) { sound |= 1 << UInt64(index) }
      if hasChecksum(batch.value(index + 1), sums.1) { sound |= 2 << UInt64(index) }
      if hasChecksum(batch.value(index + 2), sums.2) { sound |= 4 << UInt64(index) }
      if hasChecksum(batch.value(index + 3), sums.3) { sound |= 8 << UInt64(index) }
      index += 4
    }
    return sound
  }

  /// Returns a record of a batch, for computing its checksum.
  @inline(__always)
  func input(_ batch: borrowing EntryBatch, _ index: Int) -> Checksum.Input {
    let id = ObjectID(rawValue: batch.key(index))
    return Checksum.Input(batch.value(index), seed: checksumSeed(id))
  }

  @inline(__always)
  private func hasChecksum(_ record: PageBytes, _ checksum: UInt32) -> Bool {
    record.count >= 8
      && UInt32(littleEndian: record.load(UInt32.self, at: RecordLayout.checksumOffset)) == checksum
  }
}
