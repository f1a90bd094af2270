import Foundation

extension FileStructure {
  /// The bytes of one page, or of the part of one that was asked for.
  ///
  /// Every access is checked: what the bytes say decides where the next access
  /// goes, so a fault in the check must not become a read outside the page.
  @safe
  final class Page {
    let base: UnsafeMutableRawPointer
    let count: Int

    init(count: Int) {
      self.count = count
      unsafe base = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    /// A copy of bytes.
    convenience init(_ bytes: [UInt8]) {
      self.init(count: bytes.count)
      // Safe: there is room for as many.
      unsafe UnsafeMutableRawBufferPointer(start: base, count: count).copyBytes(from: bytes)
    }

    deinit {
      unsafe base.deallocate()
    }

    /// Takes over bytes of another, as many as this one has.
    func fill(from other: Page, at offset: Int) {
      precondition(offset >= 0 && offset <= other.count - count)
      // Safe: the line above.
      unsafe base.copyMemory(from: other.base + offset, byteCount: count)
    }

    /// Takes over bytes from memory, which must have as many as this page.
    @unsafe
    func fill(from start: UnsafeRawPointer) {
      unsafe base.copyMemory(from: start, byteCount: count)
    }

    /// The little-endian number at an offset.
    @inline(__always)
    func load<Value: FixedWidthInteger & BitwiseCopyable>(
      _: Value.Type, at offset: Int
    ) -> Value {
      precondition(offset >= 0 && offset <= count - MemoryLayout<Value>.size)
      // Safe: the line above.
      return Value(
        littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
  }

  /// A key in place: it is good for as long as its page is not filled anew.
  struct Key {
    let page: Page
    let offset: Int
    let count: Int

    init(page: Page, offset: Int, count: Int) {
      precondition(offset >= 0 && count >= 0 && count <= page.count - offset)
      self.page = page
      self.offset = offset
      self.count = count
    }

    /// A key of its own.
    init(_ bytes: [UInt8]) {
      self.init(page: Page(bytes), offset: 0, count: bytes.count)
    }

    /// A copy of the key.
    var bytes: [UInt8] {
      // Safe: the initialiser checked the range against the page.
      unsafe [UInt8](UnsafeRawBufferPointer(start: page.base + offset, count: count))
    }

    /// The key of a table with integer keys, which is eight bytes long.
    var number: UInt64 { page.load(UInt64.self, at: offset) }

    /// The key as text; what is not UTF-8 becomes U+FFFD.
    var text: String {
      // Safe: the initialiser checked the range against the page.
      unsafe String(
        decoding: UnsafeRawBufferPointer(start: page.base + offset, count: count), as: UTF8.self)
    }

    /// Whether this key stands before another: byte by byte, with the shorter one first.
    func precedes(_ other: Key) -> Bool {
      // Safe: the initialiser checked both ranges against their pages.
      let order = unsafe memcmp(
        page.base + offset, other.page.base + other.offset, min(count, other.count))
      return order == 0 ? count < other.count : order < 0
    }
  }
}
