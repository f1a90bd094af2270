internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Values in the form in which records store them.
extension JSONWriter {
  /// Appends the value of a slot.
  ///
  /// - Precondition: `form` has a fixed size and is not a link.
  @inline(__always)
  mutating func append(_ form: ValueForm, of record: PageBytes, at slot: RecordSlot) {
    let offset = slot.offset
    switch form {
    case .bool: append(raw: record.load(UInt8.self, at: offset) != 0 ? "true" : "false")
    case .int8: append(record.load(Int8.self, at: offset))
    case .int16: append(Int16(littleEndian: record.load(Int16.self, at: offset)))
    case .int32: append(Int32(littleEndian: record.load(Int32.self, at: offset)))
    case .int: append(exact: record.int(at: slot))
    case .uint8: append(record.load(UInt8.self, at: offset))
    case .uint16: append(UInt16(littleEndian: record.load(UInt16.self, at: offset)))
    case .uint32: append(UInt32(littleEndian: record.load(UInt32.self, at: offset)))
    case .float: append(number: record.float(at: offset))
    case .double: append(number: record.double(at: offset))
    case .date: append(Date(timeIntervalSinceReferenceDate: record.double(at: offset)))
    case .uuid: append(uuid: record, at: offset)
    case .objectId: append(objectId: record, at: offset)
    case .link, .text, .data, .elements, .other:
      preconditionFailure("The form has no slot with its value.")
    }
  }

  /// Appends a string or data, given all its bytes.
  ///
  /// - Precondition: `form` is `text` or `data`.
  @inline(__always)
  mutating func append(_ form: ValueForm, contents: PageBytes) {
    if form == .text { append(text: contents) } else { append(base64: contents) }
  }

  /// Appends a string in quotes. Bytes that are not UTF-8 become U+FFFD.
  mutating func append(text: PageBytes) {
    if text.isASCII {
      unsafe append(utf8: text.buffer(from: 0, to: text.count))
    } else {
      append(text.text)
    }
  }

  /// Appends a range of bytes as they are.
  @inline(__always)
  mutating func append(raw bytes: PageBytes, _ start: Int, _ end: Int) {
    unsafe append(raw: bytes.buffer(from: start, to: end))
  }

  private mutating func append(objectId record: PageBytes, at offset: Int) {
    append(upTo: 26) { pointer in
      pointer.append(UInt8(ascii: "\""))
      unsafe pointer.append(hexadecimal: record.buffer(from: offset, to: offset + 12), .lower)
      pointer.append(UInt8(ascii: "\""))
    }
  }

  private mutating func append(uuid record: PageBytes, at offset: Int) {
    append(upTo: 38) { pointer in
      pointer.append(UInt8(ascii: "\""))
      var start = offset
      for count in [4, 2, 2, 2, 6] {
        if start > offset { pointer.append(UInt8(ascii: "-")) }
        unsafe pointer.append(hexadecimal: record.buffer(from: start, to: start + count), .upper)
        start += count
      }
      pointer.append(UInt8(ascii: "\""))
    }
  }

  private mutating func append(base64 data: PageBytes) {
    append(upTo: (data.count + 2) / 3 * 4 + 2) { pointer in
      pointer.append(UInt8(ascii: "\""))
      unsafe pointer.append(base64: data.buffer(from: 0, to: data.count))
      pointer.append(UInt8(ascii: "\""))
    }
  }
}

extension PageBytes {
  /// Returns a range of the bytes. The buffer must not be used after the call that receives it.
  @inline(__always)
  fileprivate func buffer(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    precondition(start >= 0 && start <= end && end <= count)
    // Safe: the precondition keeps the range inside the bytes.
    return unsafe UnsafeRawBufferPointer(start: base + start, count: end - start)
  }
}
