internal import Foundation
package import WhimbrelLMDB

extension KeyEncoding {
  /// Appends the encoding of a string, given its UTF-8.
  package static func append(
    utf8 bytes: some Sequence<UInt8>, limit: Int = textLimit, to key: inout some KeyBytes
  ) {
    let isDone: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      // Safe: the bytes do not leave the closure.
      unsafe append(utf8: PageBytes(UnsafeRawBufferPointer(buffer)), limit: limit, to: &key)
    }
    if isDone == nil { PageBytes.with(Array(bytes)) { append(utf8: $0, limit: limit, to: &key) } }
  }

  /// Appends the encoding of a string, given its UTF-8.
  package static func append(
    utf8 bytes: PageBytes, limit: Int = textLimit, to key: inout some KeyBytes
  ) {
    // Nearly every string is short and has no zero byte, so its bytes are appended unchanged.
    if bytes.count <= limit, !bytes.contains(0) {
      key.append(bytes)
    } else if !appendEscaped(bytes, limit: limit, to: &key) {
      key.append(0)
      key.append(1)
      return append(bigEndian: hash(bytes), to: &key)
    }
    key.append(0)
    key.append(0)
  }

  /// Returns whether the encoding of a value is truncated, so that other values can have the same
  /// one.
  package static func isTruncated(_ value: PropertyValue, limit: Int = textLimit) -> Bool {
    switch value {
    // A zero byte takes two bytes, so a string of half the limit always fits.
    case .string(let text):
      text.utf8.count * 2 > limit && isTruncated(utf8: text.utf8, limit: limit)
    case .data(let data): data.count * 2 > limit && isTruncated(utf8: data, limit: limit)
    default: false
    }
  }

  /// Returns whether the encoding of a string is truncated, given its UTF-8.
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

  /// Returns whether an encoding of this length is truncated. The length does not include the
  /// object ID.
  package static func isTruncated(encodedLength: Int) -> Bool {
    // A whole string has at most textLimit + 3 bytes, with its end and the optional byte. A
    // truncated one has at least textLimit − 1 + 2 + 8.
    encodedLength > textLimit + 3
  }

  /// Appends text with its zeros escaped, up to the limit.
  ///
  /// - Returns: Whether all of the text was appended.
  private static func appendEscaped(
    _ bytes: PageBytes, limit: Int, to key: inout some KeyBytes
  ) -> Bool {
    var length = 0
    for offset in 0..<bytes.count {
      let byte = bytes.load(UInt8.self, at: offset)
      length += byte == 0 ? 2 : 1
      guard length <= limit else { return false }
      key.append(byte)
      if byte == 0 { key.append(0xFF) }
    }
    return true
  }

  /// Returns the 64-bit FNV-1a hash, which is part of the file format.
  private static func hash(_ bytes: PageBytes) -> UInt64 {
    (0..<bytes.count).reduce(0xcbf2_9ce4_8422_2325) { hash, offset in
      (hash ^ UInt64(bytes.load(UInt8.self, at: offset))) &* 0x100_0000_01b3
    }
  }
}
