/// Gathers the text of a dump, and writes it in pieces.
struct DumpOutput {
  var writer = JSONWriter()
  private let write: ([UInt8]) throws -> Void

  /// How many bytes are gathered before they are written.
  private static let chunkSize = 1 << 16

  init(_ write: @escaping ([UInt8]) throws -> Void) {
    self.write = write
  }

  /// Writes what there is if it is enough; never to be called inside of a value.
  mutating func flush(atLeast count: Int = chunkSize) throws {
    guard writer.count >= count else { return }
    try write(writer.bytes)
    writer.removeAll()
  }
}
