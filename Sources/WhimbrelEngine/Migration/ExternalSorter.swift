internal import Foundation
internal import WhimbrelLMDB

/// Sorts any number of byte strings in bounded memory: what does not fit is
/// sorted and written to a file without a name, and merged at the end.
struct ExternalSorter {
  private let memory: Int
  private var bytes: [UInt8] = []
  private var items: [Item] = []
  private var runs: [Run] = []
  private(set) var count = 0

  /// A string in memory.
  private struct Item {
    /// Its first eight bytes, most significant first, filled up with zeros: nearly all strings
    /// differ in these.
    let prefix: UInt64
    /// Where it begins.
    let start: UInt32
    let count: UInt32

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// - Parameter memory: the memory that strings may take, in bytes; less than 4 GiB.
  init(memory: Int) {
    self.memory = memory
  }

  /// Takes a string of up to 65,535 bytes.
  mutating func add(_ string: [UInt8], spillingBeside path: String) throws {
    var prefix: UInt64 = 0
    for index in 0..<8 { prefix = prefix << 8 | (index < string.count ? UInt64(string[index]) : 0) }
    items.append(Item(prefix: prefix, start: UInt32(bytes.count), count: UInt32(string.count)))
    bytes.append(contentsOf: string)
    count += 1
    if bytes.count + items.count * 16 >= memory { try spill(beside: path) }
  }

  private mutating func sortItems() {
    let bytes = bytes
    unsafe bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return }
      items.sort { first, second in
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        // Safe: the items lie inside of the bytes.
        let order = unsafe memcmp(
          base + Int(first.start), base + Int(second.start),
          Int(min(first.count, second.count)))
        return order == 0 ? first.count < second.count : order < 0
      }
    }
  }

  private mutating func spill(beside path: String) throws {
    sortItems()
    let run = try Run(beside: path)
    for item in items {
      try run.write(bytes[item.range])
    }
    try run.rewind()
    runs.append(run)
    bytes.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with every string in order, and forgets them.
  mutating func drain(_ body: ([UInt8]) throws -> Void) throws {
    sortItems()
    var next = items.startIndex
    func inMemory(_ index: Int) -> [UInt8] { Array(bytes[items[index].range]) }
    if runs.isEmpty {
      for index in items.indices { try body(inMemory(index)) }
      self = ExternalSorter(memory: memory)
      return
    }
    var heads: [[UInt8]?] = []
    for run in runs { heads.append(try run.read()) }
    heads.append(next < items.count ? inMemory(next) : nil)
    while true {
      var smallest: Int?
      for index in heads.indices {
        guard let head = heads[index] else { continue }
        if let best = smallest, let other = heads[best], !head.lexicographicallyPrecedes(other) {
          continue
        }
        smallest = index
      }
      guard let smallest, let head = heads[smallest] else { break }
      try body(head)
      if smallest < runs.count {
        heads[smallest] = try runs[smallest].read()
      } else {
        next += 1
        heads[smallest] = next < items.count ? inMemory(next) : nil
      }
    }
    self = ExternalSorter(memory: memory)
  }

  /// Sorted strings in a file: two bytes of length, then the string.
  private final class Run {
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0

    private static let bufferSize = 1 << 18

    /// The file has a name only until it is open, so that a crash leaves nothing.
    init(beside path: String) throws {
      let name = path + ".sort-\(UUID().uuidString)"
      let descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw LMDBError(code: .init(rawValue: errno), function: "open")
      }
      unsafe unlink(name)
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func write(_ string: ArraySlice<UInt8>) throws {
      buffer.append(UInt8(truncatingIfNeeded: string.count))
      buffer.append(UInt8(truncatingIfNeeded: string.count >> 8))
      buffer.append(contentsOf: string)
      if buffer.count >= Self.bufferSize { try flush() }
    }

    private func flush() throws {
      var written = 0
      while written < buffer.count {
        let result = unsafe buffer.withUnsafeBytes { bytes in
          unsafe Foundation.write(
            handle.fileDescriptor, bytes.baseAddress! + written, bytes.count - written)
        }
        guard result > 0 else {
          throw LMDBError(code: .init(rawValue: errno), function: "write")
        }
        written += result
      }
      buffer.removeAll(keepingCapacity: true)
    }

    func rewind() throws {
      try flush()
      try handle.seek(toOffset: 0)
    }

    /// The next string, or nil at the end.
    func read() throws -> [UInt8]? {
      guard try fill(2) else { return nil }
      let count = Int(buffer[position]) | Int(buffer[position + 1]) << 8
      position += 2
      guard try fill(count) else { return nil }
      defer { position += count }
      return Array(buffer[position..<position + count])
    }

    private func fill(_ wanted: Int) throws -> Bool {
      if buffer.count - position >= wanted { return true }
      buffer.removeFirst(position)
      position = 0
      while buffer.count < wanted {
        guard let more = try handle.read(upToCount: Self.bufferSize), !more.isEmpty else {
          return false
        }
        buffer.append(contentsOf: more)
      }
      return true
    }
  }
}
