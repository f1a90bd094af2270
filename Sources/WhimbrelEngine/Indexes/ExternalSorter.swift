internal import Foundation
internal import WhimbrelLMDB

/// A sorter of any number of byte strings in bounded memory. Strings that do not fit are sorted and
/// written to unnamed files, which are merged at the end.
struct ExternalSorter {
  private let memory: Int
  private var bytes: [UInt8] = []
  private var items: [Item] = []
  private var runs: [Run] = []
  /// The common prefix of all strings sorted so far. Valid if `isShared` is true.
  private var shared: [UInt8] = []
  private var isShared = false
  private(set) var count = 0

  private struct Item {
    /// The eight bytes after the common prefix, as a big-endian number padded with zeros. Nearly
    /// all strings differ in these bytes.
    var prefix: UInt64
    let start: UInt32
    let count: UInt32

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  /// - Parameter memory: The limit on the memory for strings, in bytes. It must be less than 4 GiB.
  init(memory: Int) {
    self.memory = memory
  }

  /// Adds a string of at most 65,535 bytes.
  mutating func add(_ string: PageBytes, spillingBeside path: String) throws {
    items.append(Item(prefix: 0, start: UInt32(bytes.count), count: UInt32(string.count)))
    bytes.append(string)
    count += 1
    if bytes.count + items.count * 16 >= memory { try spill(beside: path) }
  }

  mutating func add(_ string: [UInt8], spillingBeside path: String) throws {
    try PageBytes.with(string) { try add($0, spillingBeside: path) }
  }

  private mutating func sortItems() {
    PageBytes.with(bytes) { bytes in
      for item in items { share(bytes, item) }
      for index in items.indices {
        items[index].prefix = bytes.word(
          at: Int(items[index].start), items[index].count, shared.count)
      }
      items.sort { first, second in
        if first.prefix != second.prefix { return first.prefix < second.prefix }
        let length = Int(min(first.count, second.count))
        // Safe: the items lie within the bytes.
        let order = unsafe memcmp(
          bytes.base + Int(first.start), bytes.base + Int(second.start), length)
        return order == 0 ? first.count < second.count : order < 0
      }
    }
  }

  /// Shortens the common prefix to the part that a string shares.
  private mutating func share(_ bytes: PageBytes, _ item: Item) {
    guard let string = bytes.slice(at: Int(item.start), count: Int(item.count)) else { return }
    if !isShared {
      (isShared, shared) = (true, string.array)
    } else if !string.hasPrefix(shared) {
      var length = 0
      while length < string.count, string.load(UInt8.self, at: length) == shared[length] {
        length += 1
      }
      shared.removeSubrange(length...)
    }
  }

  private mutating func spill(beside path: String) throws {
    sortItems()
    var run = try Run(beside: path)
    for item in items {
      try run.write(bytes[item.range])
    }
    try run.rewind()
    runs.append(run)
    bytes.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with every string in order, and removes all strings. Each string is valid until
  /// `body` returns.
  ///
  /// - Parameter path: The path that was passed with each string.
  mutating func drain(spillingBeside path: String, _ body: (PageBytes) throws -> Void) throws {
    if runs.isEmpty {
      sortItems()
      try PageBytes.with(bytes) { bytes in
        for item in items {
          if let string = bytes.slice(at: Int(item.start), count: Int(item.count)) {
            try body(string)
          }
        }
      }
    } else {
      if !items.isEmpty { try spill(beside: path) }
      // Frees memory, because the runs need their own.
      (bytes, items) = ([], [])
      try merge(body)
    }
    removeAll()
  }

  /// Removes all strings.
  mutating func removeAll() { self = ExternalSorter(memory: memory) }

  private mutating func merge(_ body: (PageBytes) throws -> Void) throws {
    var index = 0
    while index < runs.count {
      if try runs[index].advance(shared.count) { index += 1 } else { runs.remove(at: index) }
    }
    while !runs.isEmpty {
      var least = 0
      for index in 1..<runs.count {
        let (prefix, leastPrefix) = (runs[index].prefix, runs[least].prefix)
        if prefix < leastPrefix || prefix == leastPrefix && runs[index].precedes(runs[least]) {
          least = index
        }
      }
      try runs[least].withHead(body)
      if try !runs[least].advance(shared.count) { runs.remove(at: least) }
    }
  }

  /// Sorted strings in a file. Each is preceded by its length in two bytes.
  private struct Run {
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    /// The range of the current string in the buffer.
    private var head = 0..<0
    /// The first eight bytes of the current string to compare, as in an item in memory.
    private(set) var prefix: UInt64 = 0

    private static let bufferSize = 1 << 16

    /// Creates a file without a name, so that a crash leaves nothing behind.
    init(beside path: String) throws {
      var descriptor = Self.openUnnamed(beside: path)
      if descriptor < 0 {
        let name = TemporaryFiles(path: path).sortPath
        descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
          throw LMDBError(code: .init(rawValue: errno), function: "open")
        }
        unsafe unlink(name)
      }
      handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Creates a file that never has a name. Returns -1 if the system cannot.
    private static func openUnnamed(beside path: String) -> Int32 {
      #if os(Linux)
        // Swift does not import `O_TMPFILE`, which includes `O_DIRECTORY`.
        let unnamed = 0o20_000_000 | O_DIRECTORY
        return unsafe open(
          FilePreflight.folder(of: path), unnamed | O_RDWR | O_CLOEXEC, 0o600)
      #else
        return -1
      #endif
    }

    mutating func write(_ string: ArraySlice<UInt8>) throws {
      buffer.append(UInt8(truncatingIfNeeded: string.count))
      buffer.append(UInt8(truncatingIfNeeded: string.count >> 8))
      buffer.append(contentsOf: string)
      if buffer.count >= Self.bufferSize { try flush() }
    }

    private mutating func flush() throws {
      let signals = SizeSignal.block()
      defer { signals.end() }
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

    mutating func rewind() throws {
      try flush()
      try handle.seek(toOffset: 0)
    }

    /// Moves to the next string. Returns false at the end.
    ///
    /// - Parameter shared: The length of the common prefix of all strings.
    mutating func advance(_ shared: Int) throws -> Bool {
      guard try fill(2) else { return false }
      let count = Int(buffer[head.upperBound]) | Int(buffer[head.upperBound + 1]) << 8
      guard try fill(2 + count) else {
        throw LMDBError(code: .init(rawValue: EIO), function: "read")
      }
      let start = head.upperBound + 2
      head = start..<start + count
      prefix = PageBytes.with(buffer) { $0.word(at: start, UInt32(count), shared) }
      return true
    }

    /// Calls `body` with the current string.
    func withHead<Result>(_ body: (PageBytes) throws -> Result) throws -> Result {
      try PageBytes.with(buffer) { bytes in
        guard let string = bytes.slice(at: head.lowerBound, count: head.count) else {
          preconditionFailure("A string lies outside of what was read.")
        }
        return try body(string)
      }
    }

    /// Returns whether the current string precedes that of another run with the same prefix.
    func precedes(_ other: Run) -> Bool {
      let length = min(head.count, other.head.count)
      let order = PageBytes.with(buffer) { bytes in
        PageBytes.with(other.buffer) { others in
          // Safe: the heads lie within the buffers.
          unsafe memcmp(
            bytes.base + head.lowerBound, others.base + other.head.lowerBound, length)
        }
      }
      return order == 0 ? head.count < other.head.count : order < 0
    }

    /// Reads until this many bytes follow the current string. Returns false if there are fewer.
    private mutating func fill(_ wanted: Int) throws -> Bool {
      if buffer.count - head.upperBound >= wanted { return true }
      buffer.removeFirst(head.upperBound)
      head = 0..<0
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

extension PageBytes {
  /// Returns eight bytes of a string as a big-endian number, padded with zeros.
  fileprivate func word(at start: Int, _ count: UInt32, _ offset: Int) -> UInt64 {
    let left = Int(count) - offset
    if left >= 8 { return loadBigEndian(at: start + offset) }
    var word: UInt64 = 0
    for index in 0..<max(left, 0) {
      word |= UInt64(load(UInt8.self, at: start + offset + index)) << UInt64(56 - 8 * index)
    }
    return word
  }
}
