internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Values as they stand in records.
extension JSONWriter {
  /// Appends the value whose slot is at an offset, and which has one size.
  ///
  /// - Precondition: it is neither text nor data, nor one of other forms.
  @inline(__always)
  mutating func append(_ form: ValueForm, of record: PageBytes, at offset: Int) {
    switch form {
    case .bool: append(raw: record.load(UInt8.self, at: offset) != 0 ? "true" : "false")
    case .int8: append(record.load(Int8.self, at: offset))
    case .int16: append(Int16(littleEndian: record.load(Int16.self, at: offset)))
    case .int32: append(Int32(littleEndian: record.load(Int32.self, at: offset)))
    case .int: append(Int64(littleEndian: record.load(Int64.self, at: offset)))
    case .uint8: append(record.load(UInt8.self, at: offset))
    case .uint16: append(UInt16(littleEndian: record.load(UInt16.self, at: offset)))
    case .uint32: append(UInt32(littleEndian: record.load(UInt32.self, at: offset)))
    case .float: append(number: record.float(at: offset))
    case .double: append(number: record.double(at: offset))
    case .date: append(Date(timeIntervalSinceReferenceDate: record.double(at: offset)))
    case .uuid: append(uuid: record, at: offset)
    case .objectId: append(hexadecimal: record, offset, 12, Self.lowerDigits, inQuotes: true)
    case .link: append(link: UInt64(littleEndian: record.load(UInt64.self, at: offset)))
    case .text, .data, .elements, .other:
      preconditionFailure("The form has no slot with its value.")
    }
  }

  /// Appends the bytes of a text or of data, which are all of it.
  ///
  /// - Precondition: it is one of the two.
  @inline(__always)
  mutating func append(_ form: ValueForm, contents: PageBytes) {
    if form == .text { append(text: contents) } else { append(base64: contents) }
  }

  /// Appends text in quotes; what of it is not UTF-8 becomes U+FFFD.
  mutating func append(text: PageBytes) {
    if text.isASCII {
      // Safe: the bytes are those of the text, and not used beyond this.
      unsafe append(utf8: UnsafeRawBufferPointer(start: text.base, count: text.count))
    } else {
      append(text.text)
    }
  }

  /// Appends bytes from an offset to another as they are.
  mutating func append(raw bytes: PageBytes, _ start: Int, _ end: Int) {
    // Safe: the bytes are not used beyond this.
    unsafe append(
      raw: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(
        start: bytes.base, count: bytes.count)[start..<end]))
  }

  private mutating func append(link id: UInt64) {
    append(raw: #"{"link":"#)
    append(id)
    append(raw: "}")
  }
}

extension PageBytes {
  /// Whether all bytes are below 80.
  fileprivate var isASCII: Bool {
    var (position, all) = (0, UInt64(0))
    while position + 8 <= count {
      all |= load(UInt64.self, at: position)
      position += 8
    }
    while position < count {
      all |= UInt64(load(UInt8.self, at: position))
      position += 1
    }
    return all & TextScan.highBits == 0
  }
}

// MARK: - Digits of bytes

extension JSONWriter {
  private static let lowerDigits: StaticString = "0123456789abcdef"
  private static let upperDigits: StaticString = "0123456789ABCDEF"
  private static let base64Digits: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  private mutating func append(
    hexadecimal bytes: PageBytes, _ start: Int, _ count: Int, _ digits: StaticString,
    inQuotes isQuoted: Bool = false
  ) {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 26) { buffer in
      var length = 0
      func put(_ byte: UInt8) {
        // Safe: at most twelve bytes and two quotes are put.
        unsafe buffer[length] = byte
        length += 1
      }
      if isQuoted { put(UInt8(ascii: "\"")) }
      for position in start..<start + count {
        let byte = Int(bytes.load(UInt8.self, at: position))
        unsafe put(digits.utf8Start[byte >> 4])
        unsafe put(digits.utf8Start[byte & 15])
      }
      if isQuoted { put(UInt8(ascii: "\"")) }
      unsafe append(raw: UnsafeBufferPointer(rebasing: buffer[..<length]))
    }
  }

  private mutating func append(uuid bytes: PageBytes, at offset: Int) {
    append(byte: UInt8(ascii: "\""))
    var start = offset
    for count in [4, 2, 2, 2, 6] {
      if start > offset { append(byte: UInt8(ascii: "-")) }
      append(hexadecimal: bytes, start, count, Self.upperDigits)
      start += count
    }
    append(byte: UInt8(ascii: "\""))
  }

  /// Appends data as base 64.
  private mutating func append(base64 data: PageBytes) {
    append(byte: UInt8(ascii: "\""))
    var position = 0
    while position + 3 <= data.count {
      let (a, b, c) = (
        data.load(UInt8.self, at: position), data.load(UInt8.self, at: position + 1),
        data.load(UInt8.self, at: position + 2)
      )
      appendDigits(UInt32(a) << 16 | UInt32(b) << 8 | UInt32(c), 4)
      position += 3
    }
    let rest = data.count - position
    if rest > 0 {
      let first = UInt32(data.load(UInt8.self, at: position))
      let second = rest > 1 ? UInt32(data.load(UInt8.self, at: position + 1)) : 0
      appendDigits(first << 16 | second << 8, rest + 1)
      append(raw: rest > 1 ? "=" : "==")
    }
    append(byte: UInt8(ascii: "\""))
  }

  /// Appends the first of the four digits of 24 bits.
  private mutating func appendDigits(_ bits: UInt32, _ count: Int) {
    for index in 0..<count {
      let digit = Int(bits >> UInt32(18 - 6 * index) & 63)
      // Safe: there are 64 digits.
      unsafe append(byte: Self.base64Digits.utf8Start[digit])
    }
  }
}
