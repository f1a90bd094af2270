/// An input that is taken apart into numbers and bytes. Behind its end there are zeros.
struct FuzzInput {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  mutating func number() -> Int { Int(byte()) | Int(byte()) << 8 }

  /// Takes a number of bytes, or as many as there are.
  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func all() -> [UInt8] { bytes(rest.count) }
}

extension [UInt8] {
  /// Replaces bytes at an offset, as far as there are any.
  mutating func overwrite(at offset: Int, with bytes: [UInt8]) {
    guard offset < count else { return }
    let end = Swift.min(offset + bytes.count, count)
    replaceSubrange(offset..<end, with: bytes.prefix(end - offset))
  }

  static func littleEndian(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
  }
}
