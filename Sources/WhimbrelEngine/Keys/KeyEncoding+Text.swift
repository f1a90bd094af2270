internal import Foundation
internal import WhimbrelLMDB

extension KeyEncoding {
  /// Appends the encoding of a string, given its UTF-8.
  package static func append(
    utf8 bytes: some Sequence<UInt8>, limit: Int = textLimit, to key: inout [UInt8]
  ) {
    let start = key.count
    key.append(contentsOf: bytes)
    finishText(from: start, in: &key, limit: limit)
  }

  /// Appends the encoding of a string, given its UTF-8.
  package static func append(
    utf8 bytes: RawSpan, limit: Int = textLimit, to key: inout [UInt8]
  ) {
    let start = key.count
    // Safe: the pointer is that of the span and does not leave the closure.
    unsafe bytes.withUnsafeBytes { unsafe key.append(contentsOf: $0) }
    finishText(from: start, in: &key, limit: limit)
  }

  /// Appends the encoding of a string, given its UTF-8.
  static func append(utf8 bytes: PageBytes, limit: Int = textLimit, to key: inout [UInt8]) {
    let start = key.count
    key.append(bytes)
    finishText(from: start, in: &key, limit: limit)
  }

  /// Whether the encoding of a value does not hold all of it, so that other
  /// values may have the same.
  package static func isTruncated(_ value: PropertyValue, limit: Int = textLimit) -> Bool {
    switch value {
    // A zero takes two bytes.
    case .string(let text):
      text.utf8.count * 2 > limit && isTruncated(utf8: text.utf8, limit: limit)
    case .data(let data): data.count * 2 > limit && isTruncated(utf8: data, limit: limit)
    default: false
    }
  }

  /// Whether the encoding of a string, given its UTF-8, does not hold all of it.
  package static func isTruncated(
    utf8 bytes: some Sequence<UInt8>, limit: Int = textLimit
  ) -> Bool {
    var length = 0
    for byte in bytes {
      length += byte == 0 ? 2 : 1
      if length > limit { return true }
    }
    return false
  }

  /// Whether an encoding of this many bytes does not hold all of its value. The
  /// object ID after it does not count.
  package static func isTruncated(encodedLength: Int) -> Bool {
    // A whole string has textLimit + 3 at most, with its end and the byte of
    // optionals; a cut one has at least textLimit − 1 + 2 + 8.
    encodedLength > textLimit + 3
  }

  /// Turns the UTF-8 at the end of a key into its encoding.
  private static func finishText(from start: Int, in key: inout [UInt8], limit: Int) {
    // Nearly every string is short and has no zero: then its bytes stay.
    if key.count - start <= limit, !hasZero(key, from: start) {
      key.append(0)
      key.append(0)
      return
    }
    let bytes = Array(key[start...])
    key.removeSubrange(start...)
    for byte in bytes {
      let width = byte == 0 ? 2 : 1
      guard key.count - start + width <= limit else {
        key.append(0)
        key.append(1)
        append(bigEndian: hash(bytes), to: &key)
        return
      }
      key.append(byte)
      if byte == 0 { key.append(0xFF) }
    }
    key.append(0)
    key.append(0)
  }

  private static func hasZero(_ bytes: [UInt8], from start: Int) -> Bool {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return false }
      // Safe: what is searched lies inside of the array.
      return unsafe memchr(base + start, 0, bytes.count - start) != nil
    }
  }

  /// FNV-1a of 64 bits: part of the file format.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }
}
