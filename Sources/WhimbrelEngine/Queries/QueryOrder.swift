internal import WhimbrelLMDB

/// The values by which objects are sorted or distinguished.
struct QueryOrder {
  let keys: [QuerySortKey]
  fileprivate let readers: [SortKeyReader]

  /// - Throws: ``StoreError`` if a property does not exist or does not have an order.
  init(_ keys: [QuerySortKey], in table: ClassTable) throws {
    self.keys = keys
    readers = try keys.map { try SortKeyReader($0.path, in: table, for: .sorting) }
  }

  /// - Throws: ``StoreError`` if a property does not exist or cannot be compared.
  init(distinct paths: [QueryPath], in table: ClassTable) throws {
    keys = paths.map { QuerySortKey($0) }
    readers = try paths.map { try SortKeyReader($0, in: table, for: .distinguishing) }
  }
}

struct OrderReader {
  private var readers: [SortKeyReader]
  private let isAscending: [Bool]
  private let arena = ByteArena()
  private var scratch: [UInt8] = []
  /// Whether bytes after the first 16 are compared in reverse. The first 16 bytes are then stored
  /// inverted.
  let isReversed: Bool
  private let isSingle: Bool
  /// Whether the bytes of texts do not stay while other objects are read: a migration moves them, and
  /// a transition reuses those of converted objects after some hundred other objects.
  private let valuesMove: Bool
  /// Whether reading one of several keys may invalidate the bytes of the record.
  private let movesRecords: Bool

  /// - Parameters:
  ///   - source: The snapshot to read, or nil for the one that the session shows.
  ///   - isJoined: Whether entries contain all keys as bytes even if there is only one key. Such
  ///     entries can be compared for equality.
  init(_ order: QueryOrder, _ source: QuerySource? = nil, isJoined: Bool = false) {
    readers = order.readers
    for place in readers.indices { readers[place].source = source }
    isAscending = order.keys.map(\.isAscending)
    isSingle = readers.count == 1 && !isJoined
    isReversed = isSingle && !isAscending[0]
    valuesMove = isSingle && readers[0].valuesMove
    movesRecords = readers.count > 1 && readers.contains { $0.movesRecords }
  }

  /// The first offset that is read in records of the current layout, so that a scan can prefetch
  /// it.
  var firstOffset: Int { readers.first?.firstOffset ?? 0 }

  @inline(__always)
  mutating func entry(of record: PageBytes, _ id: ObjectID) throws -> SortEntry {
    guard isSingle else { return try joinedEntry(of: record, id) }
    let entry = try readers[0].entry(of: record, id, arena)
    return isReversed ? entry.reversed : entry
  }

  /// Returns an entry that is valid as long as the reader is.
  @inline(__always)
  func kept(_ entry: SortEntry) -> SortEntry {
    valuesMove ? entry.copied(to: arena) : entry
  }

  /// Returns an entry for all keys, joined into bytes that sort like them. The bytes of a
  /// descending key are inverted.
  private mutating func joinedEntry(of record: PageBytes, _ id: ObjectID) throws -> SortEntry {
    scratch.removeAll(keepingCapacity: true)
    for place in readers.indices {
      let start = scratch.count
      let record = movesRecords ? (try readers[place].current(record, id)) : record
      scratch.append(try readers[place].entry(of: record, id, arena))
      guard !isAscending[place] else { continue }
      for position in start..<scratch.count { scratch[position] = ~scratch[position] }
    }
    return SortEntry(text: PageBytes.with(scratch) { arena.copy($0) })
  }
}

extension [UInt8] {
  /// Appends bytes that sort like entries. The bytes of an entry are never a prefix of those of
  /// another, so keys can be concatenated.
  fileprivate mutating func append(_ entry: SortEntry) {
    append(entry.length == 0 ? 0 : 1)
    guard entry.length > 0 else { return }
    guard let text = unsafe entry.text else {
      KeyEncoding.append(bigEndian: entry.first, to: &self)
      KeyEncoding.append(bigEndian: entry.second, to: &self)
      return
    }
    // Safe: the text has one byte less than the length says.
    for place in 0..<Int(entry.length) - 1 {
      let byte = unsafe text.load(fromByteOffset: place, as: UInt8.self)
      append(byte)
      if byte == 0 { append(0xFF) }
    }
    append(0)
    append(0)
  }
}
