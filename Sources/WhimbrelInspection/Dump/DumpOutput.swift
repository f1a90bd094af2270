/// A buffer for the text of a dump, which writes it in chunks.
struct DumpOutput {
  var writer = JSONWriter()
  private let write: ([UInt8]) throws -> Void

  /// The number of bytes that are collected before they are written.
  private static let chunkSize = 1 << 16

  init(_ write: @escaping ([UInt8]) throws -> Void) {
    self.write = write
  }

  /// Writes the buffer if it has at least `count` bytes. Call it only between
  /// values, because chunks end between values.
  mutating func flush(atLeast count: Int = chunkSize) throws {
    guard writer.count >= count else { return }
    try write(writer.bytes)
    writer.removeAll()
  }
}
