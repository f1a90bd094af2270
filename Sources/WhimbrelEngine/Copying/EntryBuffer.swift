internal import WhimbrelLMDB

/// Entries of tables that wait to be written together.
struct EntryBuffer {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  /// How many bytes are written in one commit.
  private static let limit = 4 << 20

  private struct Entry {
    let table: Table
    let key: Key
    let start: Int
    let count: Int
  }

  private enum Key {
    case number(UInt64)
    case bytes(count: Int)
  }

  /// Whether there is enough for a commit.
  var isFull: Bool { bytes.count + entries.count * 48 >= Self.limit }

  var isEmpty: Bool { entries.isEmpty }

  mutating func append(_ table: Table, _ key: UInt64, _ content: PageBytes) {
    let start = bytes.count
    append(content)
    entries.append(Entry(table: table, key: .number(key), start: start, count: content.count))
  }

  mutating func append(_ table: Table, _ key: [UInt8], _ content: PageBytes) {
    let start = bytes.count
    bytes.append(contentsOf: key)
    append(content)
    entries.append(
      Entry(table: table, key: .bytes(count: key.count), start: start, count: content.count))
  }

  private mutating func append(_ content: PageBytes) {
    // Safe: the bytes are copied before anything else is done.
    unsafe bytes.append(
      contentsOf: UnsafeRawBufferPointer(start: content.base, count: content.count))
  }

  /// Puts all entries at the ends of their tables.
  func write(to view: WriteView) throws(LMDBError) {
    try PageBytes.with(bytes) { bytes throws(LMDBError) in
      for entry in entries {
        switch entry.key {
        case .number(let key):
          guard let content = bytes.slice(at: entry.start, count: entry.count) else { continue }
          try view.put(entry.table, key, content, .atEnd)
        case .bytes(let count):
          guard let key = bytes.slice(at: entry.start, count: count),
            let content = bytes.slice(at: entry.start + count, count: entry.count)
          else { continue }
          try view.put(entry.table, key, content, .atEnd)
        }
      }
    }
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: bytes.count <= 2 * Self.limit)
    entries.removeAll(keepingCapacity: true)
  }
}
