import Foundation

extension FileStructure {
  /// The bytes of one page, or of the requested part of it.
  ///
  /// Every access is checked. The bytes decide where the next access goes, so an unchecked fault
  /// could lead to a read outside the page.
  // Safe: it owns its memory, and checks each access.
  @safe
  final class Page {
    let base: UnsafeMutableRawPointer
    let count: Int

    init(count: Int) {
      self.count = count
      unsafe base = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 16)
      unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    }

    convenience init(_ bytes: [UInt8]) {
      self.init(count: bytes.count)
      // Safe: the buffer has the same size.
      unsafe UnsafeMutableRawBufferPointer(start: base, count: count).copyBytes(from: bytes)
    }

    deinit {
      unsafe base.deallocate()
    }

    /// Copies bytes from another page, as many as this page has.
    func fill(from other: Page, at offset: Int) {
      precondition(offset >= 0 && offset <= other.count - count)
      // Safe: the precondition checks the range.
      unsafe base.copyMemory(from: other.base + offset, byteCount: count)
    }

    /// Copies bytes from memory, as many as this page has.
    @unsafe
    func fill(from start: UnsafeRawPointer) {
      unsafe base.copyMemory(from: start, byteCount: count)
    }

    /// Returns the little-endian number at an offset.
    @inline(__always)
    func load<Value: FixedWidthInteger & BitwiseCopyable>(
      _: Value.Type, at offset: Int
    ) -> Value {
      precondition(offset >= 0 && offset <= count - MemoryLayout<Value>.size)
      // Safe: the precondition checks the range.
      return Value(
        littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: Value.self))
    }
  }

  /// A key inside its page. It is valid until the page is filled again.
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

    /// Creates a key with its own bytes.
    init(_ bytes: [UInt8]) {
      self.init(page: Page(bytes), offset: 0, count: bytes.count)
    }

    var bytes: [UInt8] { content.array }

    /// The key of a table with integer keys. It must have eight bytes.
    var number: UInt64 { page.load(UInt64.self, at: offset) }

    /// The key as text. Bytes that are not valid UTF-8 become U+FFFD.
    var text: String { content.text }

    /// Returns whether this key sorts before another: bytewise, with a prefix first.
    func precedes(_ other: Key) -> Bool { content.precedes(other.content) }

    private var content: PageBytes {
      // Safe: the initialiser checked the range against the page.
      unsafe PageBytes(base: page.base + offset, count: count)
    }
  }
}
