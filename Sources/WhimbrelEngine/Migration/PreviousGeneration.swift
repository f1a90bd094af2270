internal import Foundation
internal import WhimbrelLMDB

/// The tables that a migration has replaced, kept to undo it: a value in the main table, beside
/// the old tables, which the catalog no longer names.
///
/// | bytes | what |
/// |---|---|
/// | 0 ..< 8 | checksum of what follows |
/// | 8 ..< 16 | number of a transaction |
/// | 16 ..< 20 | size of the header |
/// | 20 ..< 24 | number of classes |
/// | 24 … | the old header; of each class its ID and the next object ID, or 0, as words of eight bytes; the old catalog |
///
/// Invariant: if the transaction is that of the last commit, nothing has been written since the
/// migration, except to remove unneeded tables. Ordinary writes need not know of this.
struct PreviousGeneration {
  /// The transaction of the migration, or of a removal of tables after it.
  var transaction: Int
  let header: Header
  let nextObjectIDs: [(id: ClassID, next: UInt64)]
  /// The text of the old catalog.
  let catalog: [UInt8]

  private static let fixedSize = 24
}

extension PreviousGeneration {
  /// Reads what is kept. Returns nil if nothing is, or if it is damaged: it cannot be used then,
  /// and nothing else depends on it.
  init?(in view: ReadView) throws(LMDBError) {
    guard let bytes = try view.value(.main, MainKey.previous), bytes.count >= Self.fixedSize,
      let content = bytes.slice(at: 8, count: bytes.count - 8),
      UInt64(littleEndian: bytes.load(UInt64.self, at: 0)) == Checksum.hash64(content)
    else { return nil }
    transaction = Int(truncatingIfNeeded: UInt64(littleEndian: bytes.load(UInt64.self, at: 8)))
    let headerSize = Int(UInt32(littleEndian: bytes.load(UInt32.self, at: 16)))
    let classes = Int(UInt32(littleEndian: bytes.load(UInt32.self, at: 20)))
    guard let headerBytes = bytes.slice(at: Self.fixedSize, count: headerSize),
      let header = try? Header(headerBytes),
      let numbers = bytes.slice(at: Self.fixedSize + headerSize, count: classes * 16)
    else { return nil }
    self.header = header
    nextObjectIDs = (0..<classes).map { index in
      let id = UInt64(littleEndian: numbers.load(UInt64.self, at: index * 16))
      return (
        ClassID(rawValue: UInt32(truncatingIfNeeded: id)),
        UInt64(littleEndian: numbers.load(UInt64.self, at: index * 16 + 8))
      )
    }
    let end = Self.fixedSize + headerSize + classes * 16
    guard let text = bytes.slice(at: end, count: bytes.count - end),
      Header.checksum(ofCatalog: text) == header.catalogChecksum
    else { return nil }
    catalog = text.array
  }

  /// Describes the content of a file before a migration replaces it.
  init?(replacing loaded: LoadedCatalog, in view: WriteView) throws(LMDBError) {
    guard let text = try view.reading.value(.main, MainKey.catalog) else { return nil }
    transaction = view.reading.transactionID
    header = loaded.header
    var numbers: [(id: ClassID, next: UInt64)] = []
    for entry in loaded.catalog.classes {
      numbers.append((entry.id, try view.reading.nextObjectID(of: entry.id) ?? 0))
    }
    nextObjectIDs = numbers
    catalog = text.array
  }

  func put(in view: WriteView) throws(LMDBError) {
    var headerBuffer = ByteBuffer(capacity: 128)
    header.encode(into: &headerBuffer)
    var buffer = ByteBuffer(capacity: 1 << 10)
    buffer.reset(zeros: Self.fixedSize)
    buffer.store(UInt64(transaction).littleEndian, at: 8)
    buffer.store(UInt32(headerBuffer.count).littleEndian, at: 16)
    buffer.store(UInt32(nextObjectIDs.count).littleEndian, at: 20)
    buffer.append(headerBuffer.bytes)
    for (id, next) in nextObjectIDs {
      let offset = buffer.count
      buffer.appendZeros(16)
      buffer.store(UInt64(id.rawValue).littleEndian, at: offset)
      buffer.store(next.littleEndian, at: offset + 8)
    }
    buffer.append(catalog)
    let checksum = buffer.bytes.slice(at: 8, count: buffer.count - 8).map { Checksum.hash64($0) }
    buffer.store((checksum ?? 0).littleEndian, at: 0)
    try view.put(.main, MainKey.previous, buffer.bytes.array)
  }

  static func remove(in view: WriteView) throws(LMDBError) {
    try view.remove(.main, MainKey.previous)
  }

  /// Keeps the generation valid in a write that changes nothing of the app's.
  static func carry(in view: WriteView) throws(LMDBError) {
    guard var kept = try PreviousGeneration(in: view.reading),
      kept.transaction == view.reading.transactionID - 1
    else { return }
    kept.transaction += 1
    try kept.put(in: view)
  }

  /// Returns whether the kept generation cannot be used: the file was written after the migration,
  /// it is a copy with new transaction numbers, or the value is damaged.
  static func isUseless(in view: ReadView) throws(LMDBError) -> Bool {
    guard try view.value(.main, MainKey.previous) != nil else { return false }
    return try PreviousGeneration(in: view)?.transaction != view.transactionID
  }

  /// Returns the names of the tables that are kept.
  func tableNames() throws -> [TableName] {
    try Catalog(json: Data(catalog)).tableNames
  }
}

// MARK: - In a migration

extension PreviousGeneration {
  /// Returns what is kept of the steps before a migration, which are undone together with it, or
  /// nil.
  static func inherited(
    by task: MigrationTask, in view: ReadView
  ) throws -> PreviousGeneration? {
    guard task.request.migration.keepsPreviousGeneration, task.request.migration.step > 1,
      let kept = try PreviousGeneration(in: view), kept.transaction == view.transactionID
    else { return nil }
    return kept
  }

  /// Keeps what a migration is about to replace, if that was asked for. What is kept of an earlier
  /// migration is dropped.
  ///
  /// - Parameter inherited: What is kept of the steps before it, or nil.
  /// - Returns: Whether there are tables of earlier steps or migrations to be removed.
  static func keep(
    _ task: MigrationTask, _ inherited: PreviousGeneration?, in view: WriteView
  ) throws(LMDBError) -> Bool {
    if var inherited {
      inherited.transaction = view.reading.transactionID
      try inherited.put(in: view)
      return true
    }
    let hadPrevious = try view.reading.value(.main, MainKey.previous) != nil
    if task.request.migration.keepsPreviousGeneration {
      try PreviousGeneration(replacing: task.loaded, in: view)?.put(in: view)
    } else if hadPrevious {
      try PreviousGeneration.remove(in: view)
    }
    return hadPrevious
  }
}
