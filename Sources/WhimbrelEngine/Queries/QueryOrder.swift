internal import WhimbrelLMDB

/// By what objects are put in an order, or told from each other.
struct QueryOrder {
  let keys: [QuerySortKey]
  fileprivate let readers: [SortKeyReader]

  /// - Throws: ``StoreError`` where a property is not there, or has no order.
  init(_ keys: [QuerySortKey], in table: ClassTable) throws {
    self.keys = keys
    readers = try keys.map { try SortKeyReader($0.path, in: table, for: .sorting) }
  }

  /// - Throws: ``StoreError`` where a property is not there, or cannot be compared.
  init(distinct paths: [QueryPath], in table: ClassTable) throws {
    keys = paths.map { QuerySortKey($0) }
    readers = try paths.map { try SortKeyReader($0, in: table, for: .distinguishing) }
  }
}

/// Reads all keys of an order.
struct OrderReader {
  private var readers: [SortKeyReader]
  private let isAscending: [Bool]
  private let arena = ByteArena()
  private var scratch: [UInt8] = []
  /// Whether the entries are to be compared in the opposite order.
  let isReversed: Bool
  private let isSingle: Bool

  /// - Parameter isJoined: whether the bytes of an entry say all, whatever it is of.
  init(_ order: QueryOrder, isJoined: Bool = false) {
    readers = order.readers
    isAscending = order.keys.map(\.isAscending)
    isSingle = readers.count == 1 && !isJoined
    isReversed = isSingle && !isAscending[0]
  }

  /// Where records are looked at first, as far as that is known.
  var firstOffset: Int { readers.first?.firstOffset ?? 0 }

  /// What an object is put in order by.
  @inline(__always)
  mutating func entry(of record: PageBytes, _ id: ObjectID) throws -> SortEntry {
    guard isSingle else { return try joinedEntry(of: record, id) }
    let entry = try readers[0].entry(of: record, id, arena)
    return isReversed ? entry.reversed : entry
  }

  /// The keys behind each other, as bytes that are ordered as they are.
  private mutating func joinedEntry(of record: PageBytes, _ id: ObjectID) throws -> SortEntry {
    scratch.removeAll(keepingCapacity: true)
    for place in readers.indices {
      let start = scratch.count
      scratch.append(try readers[place].entry(of: record, id, arena))
      guard !isAscending[place] else { continue }
      for position in start..<scratch.count { scratch[position] = ~scratch[position] }
    }
    return SortEntry(text: PageBytes.with(scratch) { arena.copy($0) })
  }
}

extension [UInt8] {
  /// Appends bytes that are ordered as entries are, and of which none begin others.
  fileprivate mutating func append(_ entry: SortEntry) {
    append(entry.length == 0 ? 0 : 1)
    guard entry.length > 0 else { return }
    guard let text = unsafe entry.text else {
      KeyEncoding.append(bigEndian: entry.first, to: &self)
      KeyEncoding.append(bigEndian: entry.second, to: &self)
      return
    }
    // Safe: the bytes of the text.
    for place in 0..<Int(entry.length) - 1 {
      let byte = unsafe text.load(fromByteOffset: place, as: UInt8.self)
      append(byte)
      if byte == 0 { append(0xFF) }
    }
    append(0)
    append(0)
  }
}
