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
/// Invariant: as long as the transaction is that of the last commit, nothing has been
/// written since the migration but by the removal of tables that nobody needs. Ordinary
/// writes need not know of it.
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
  /// Reads what is kept, or returns nil when nothing is, or what is there is damaged:
  /// it can then not be used, and nothing else depends on it.
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

  /// Takes down what is in a file, before a migration replaces it.
  init?(replacing loaded: LoadedCatalog, in view: WriteView) throws(LMDBError) {
    guard let text = try view.reading.value(.main, MainKey.catalog) else { return nil }
    transaction = view.reading.transactionID
    header = loaded.header
    var numbers: [(id: ClassID, next: UInt64)] = []
    for entry in loaded.catalog.classes {
      let bytes = try view.reading.value(.main, MainKey.nextObjectID(entry.id))
      let isNumber = bytes?.count == 8
      let next = isNumber ? bytes?.load(UInt64.self, at: 0) : nil
      numbers.append((entry.id, UInt64(littleEndian: next ?? 0)))
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

  /// Says in a write that changes nothing of the app's that it is one.
  static func carry(in view: WriteView) throws(LMDBError) {
    guard var kept = try PreviousGeneration(in: view.reading),
      kept.transaction == view.reading.transactionID - 1
    else { return }
    kept.transaction += 1
    try kept.put(in: view)
  }

  /// Returns whether something is kept that is of no use: it was written after the migration, the
  /// file is a copy whose transactions are numbered anew, or it is damaged.
  static func isUseless(in view: ReadView) throws(LMDBError) -> Bool {
    guard try view.value(.main, MainKey.previous) != nil else { return false }
    return try PreviousGeneration(in: view)?.transaction != view.transactionID
  }

  /// Returns the names of the tables that are kept for it.
  func tableNames() throws -> [TableName] {
    try Catalog(json: Data(catalog)).classes.flatMap(\.tableNames)
  }
}

// MARK: - In a migration

extension PreviousGeneration {
  /// Returns what is kept of the steps before a migration, to be undone together with it, or nil.
  static func inherited(
    by task: MigrationTask, in view: ReadView
  ) throws -> PreviousGeneration? {
    guard task.request.keepsPreviousGeneration, task.request.step > 1,
      let kept = try PreviousGeneration(in: view), kept.transaction == view.transactionID
    else { return nil }
    return kept
  }

  /// Takes down what a migration is about to replace, if it is to be kept. What is kept of an
  /// earlier migration goes.
  ///
  /// - Parameter inherited: what the steps before it have replaced.
  /// - Returns: whether something was kept, whose tables are to be removed.
  static func keep(
    _ task: MigrationTask, _ inherited: PreviousGeneration?, in view: WriteView
  ) throws(LMDBError) -> Bool {
    if var inherited {
      inherited.transaction = view.reading.transactionID
      try inherited.put(in: view)
      return true
    }
    let hadPrevious = try view.reading.value(.main, MainKey.previous) != nil
    if task.request.keepsPreviousGeneration {
      try PreviousGeneration(replacing: task.loaded, in: view)?.put(in: view)
    } else if hadPrevious {
      try PreviousGeneration.remove(in: view)
    }
    return hadPrevious
  }
}
