internal import Foundation

/// A writer of an LMDB file from sorted entries, without LMDB. The file has consecutive full pages
/// and no free ones.
///
/// ```swift
/// let file = try PackedFile(path: path, pageSize: 4_096, mapSize: 1 << 40)
/// let root = try file.table(table) { builder in try builder.append(key, value) }
/// try file.finish { main in try main.append("c1.g1", table: root) }
/// ```
///
/// The same entries always give the same bytes, unlike in files that LMDB writes, where they also
/// depend on old contents of memory. Each entry takes the space that LMDB would give it, so LMDB
/// reads and changes the file as its own.
///
/// Invariants:
/// 1. Pages are numbered in the order in which they are completed: children before their parents.
/// 2. A branch page has at least two children.
/// 3. The meta pages are written last, when everything reachable from them is on the disk.
package final class PackedFile {
  let pageSize: Int
  private let mapSize: UInt64
  private let descriptor: Int32
  /// The consecutive pages that are not written yet.
  private var pending: [UInt8] = []
  private var nextPage: UInt64 = 2

  private static let writeSize = 1 << 20
  /// The page sizes that LMDB supports and in which two keys of maximum size fit.
  private static let pageSizes = 4_096...32_768

  /// Creates a file at a path where none exists.
  ///
  /// - Parameter mode: The permissions of the file.
  /// - Throws: ``LMDBError`` with the `errno` of the system.
  package init(
    path: String, pageSize: Int, mapSize: UInt64, mode: UInt32 = 0o644
  ) throws(LMDBError) {
    let isUsable = Self.pageSizes.contains(pageSize) && pageSize.nonzeroBitCount == 1
    self.pageSize = isUsable ? pageSize : Self.pageSizes.lowerBound
    self.mapSize = mapSize
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "open")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The root of a written table, for its entry in the main table.
  package struct TableRoot: Hashable, Sendable {
    let flags: UInt16
    var depth: UInt16 = 0
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    var entries: UInt64 = 0
    var root = FileStructure.TreeHeader.noPage

    /// The header in the format of the file.
    var bytes: [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 4)
      bytes.append(littleEndian: flags)
      bytes.append(littleEndian: depth)
      for number in [branchPages, leafPages, overflowPages, entries, root] {
        bytes.append(littleEndian: number)
      }
      return bytes
    }
  }

  /// Writes a table. `body` appends its entries in order.
  package func table(
    _ table: Table, _ body: (PackedTree) throws -> Void
  ) throws -> TableRoot {
    let tree = PackedTree(in: self, table)
    try body(tree)
    return try tree.finish()
  }

  /// Writes the main table, and waits until the whole file is on the disk. `body` appends the
  /// entries in the order of their names.
  package func finish(_ body: (PackedTree) throws -> Void) throws {
    let main = try table(.main, body)
    try flush()
    try sync()
    // LMDB: a new file has had one commit, which wrote the second meta page.
    try write(metaPage(0, main: TableRoot(flags: 0), lastPage: 1), at: 0)
    try write(metaPage(1, main: main, lastPage: nextPage - 1), at: UInt64(pageSize))
    try sync()
  }

  private func metaPage(_ number: UInt64, main: TableRoot, lastPage: UInt64) -> [UInt8] {
    var page: [UInt8] = []
    page.append(littleEndian: number)
    page.append(littleEndian: UInt16(0))
    page.append(littleEndian: FileStructure.PageFlags.meta)
    page.append(littleEndian: UInt32(0))
    page.append(littleEndian: UInt32(0xBEEF_C0DE))
    page.append(littleEndian: UInt32(1))
    page.append(littleEndian: UInt64(0))
    page.append(littleEndian: max(mapSize, nextPage * UInt64(pageSize)))
    let freeFlags = FileStructure.TableFlags.integerKey | FileStructure.TableFlags.noSubdirectory
    // LMDB: the free list's header has the page size where other tables have the size of values.
    page.append(littleEndian: UInt32(pageSize))
    page += TableRoot(flags: freeFlags).bytes.dropFirst(4)
    page += main.bytes
    page.append(littleEndian: lastPage)
    page.append(littleEndian: number)
    page.append(contentsOf: repeatElement(0, count: pageSize - page.count))
    return page
  }
}

// MARK: - Pages

extension PackedFile {
  /// Adds a page to the file, writes its number into it, and returns the number.
  func add(_ page: [UInt8]) throws(LMDBError) -> UInt64 {
    let number = nextPage
    pending.append(littleEndian: number)
    pending += page.dropFirst(8)
    nextPage += 1
    if pending.count >= Self.writeSize { try flush() }
    return number
  }

  /// Adds a value that is too large for a leaf page. Returns the number of its first page, and the
  /// number of pages.
  func addOverflow(_ value: PageBytes) throws(LMDBError) -> (first: UInt64, count: UInt64) {
    // LMDB: only the first page has a header, of 16 bytes.
    let count = (value.count + 15) / pageSize + 1
    let first = nextPage
    pending.append(littleEndian: first)
    pending.append(littleEndian: UInt16(0))
    pending.append(littleEndian: FileStructure.PageFlags.overflow)
    pending.append(littleEndian: UInt32(count))
    pending += value.array
    pending.append(contentsOf: repeatElement(0, count: count * pageSize - 16 - value.count))
    nextPage += UInt64(count)
    if pending.count >= Self.writeSize { try flush() }
    return (first, UInt64(count))
  }

  private func flush() throws(LMDBError) {
    let start = (nextPage - UInt64(pending.count / pageSize)) * UInt64(pageSize)
    try write(pending, at: start)
    pending.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8], at offset: UInt64) throws(LMDBError) {
    let signals = SizeSignal.block()
    defer { signals.end() }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        // Safe: the array is not empty, by the loop's condition.
        unsafe pwrite(
          descriptor, buffer.baseAddress! + written, buffer.count - written,
          off_t(offset) + off_t(written))
      }
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw LMDBError(code: .init(rawValue: errno), function: "pwrite")
      }
    }
  }

  private func sync() throws(LMDBError) {
    guard FileBytes.sync(descriptor) == 0 else {
      throw LMDBError(code: .init(rawValue: errno), function: "fsync")
    }
  }
}

extension [UInt8] {
  /// Appends a number in little-endian byte order.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    // Safe: the bytes are copied within the closure.
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}
