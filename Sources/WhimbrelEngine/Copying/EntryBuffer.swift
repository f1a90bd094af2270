internal import WhimbrelLMDB

/// A buffer of table entries that one commit writes together.
struct EntryBuffer {
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  /// The bytes that one commit writes.
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

  /// Whether the buffer has enough for a commit. Counts about 48 bytes for each entry besides its
  /// content.
  var isFull: Bool { bytes.count + entries.count * 48 >= Self.limit }

  mutating func append(_ table: Table, _ key: UInt64, _ content: PageBytes) {
    let start = bytes.count
    bytes.append(content)
    entries.append(Entry(table: table, key: .number(key), start: start, count: content.count))
  }

  mutating func append(_ table: Table, _ key: PageBytes, _ content: PageBytes) {
    let start = bytes.count
    bytes.append(key)
    bytes.append(content)
    entries.append(
      Entry(table: table, key: .bytes(count: key.count), start: start, count: content.count))
  }

  /// Writes all entries in one commit. If the map is full, the failed attempt makes it grow and the
  /// write is repeated.
  mutating func flush(to session: Session, _ purpose: String) throws {
    if entries.isEmpty { return }
    var attempts = 0
    while true {
      do {
        try session.write {
          let view = try session.requireWriting(purpose)
          try session.file.explaining { try write(to: view) }
        }
        break
      } catch StoreError.Code.mapFull where attempts < 8 {
        attempts += 1
      }
    }
    bytes.removeAll(keepingCapacity: bytes.count <= 2 * Self.limit)
    entries.removeAll(keepingCapacity: true)
  }

  /// Appends all entries to their tables.
  private func write(to view: WriteView) throws(LMDBError) {
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
}
