package import Foundation
package import WhimbrelLMDB

extension PageBytes {
  /// The value in a slot of a type.
  ///
  /// Text and data whose place lies outside of the record read as empty; checking
  /// the record tells.
  package func value(_ type: PropertyType, at offset: Int) -> PropertyValue {
    switch type {
    case .bool: .bool(load(UInt8.self, at: offset) != 0)
    case .int8: .int(Int64(load(Int8.self, at: offset)))
    case .int16: .int(Int64(Int16(littleEndian: load(Int16.self, at: offset))))
    case .int32: .int(Int64(Int32(littleEndian: load(Int32.self, at: offset))))
    case .int: .int(Int64(littleEndian: load(Int64.self, at: offset)))
    case .uint8: .int(Int64(load(UInt8.self, at: offset)))
    case .uint16: .int(Int64(UInt16(littleEndian: load(UInt16.self, at: offset))))
    case .uint32: .int(Int64(UInt32(littleEndian: load(UInt32.self, at: offset))))
    case .float: .float(float(at: offset))
    case .double: .double(double(at: offset))
    case .string: .string(variable(at: offset)?.text ?? "")
    case .data: .data(variable(at: offset)?.data ?? Data())
    case .date: .date(Date(timeIntervalSinceReferenceDate: double(at: offset)))
    case .uuid: .uuid(uuid(at: offset))
    case .link: .link(ObjectID(rawValue: UInt64(littleEndian: load(UInt64.self, at: offset))))
    }
  }

  package func float(at offset: Int) -> Float {
    Float(bitPattern: UInt32(littleEndian: load(UInt32.self, at: offset)))
  }

  package func double(at offset: Int) -> Double {
    Double(bitPattern: UInt64(littleEndian: load(UInt64.self, at: offset)))
  }

  package func uuid(at offset: Int) -> UUID {
    let (high, low) = (load(UInt64.self, at: offset), load(UInt64.self, at: offset + 8))
    func bytes(_ word: UInt64) -> (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
      let word = UInt64(littleEndian: word)
      func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
      return (byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7))
    }
    let (a, b) = (bytes(high), bytes(low))
    return UUID(
      uuid: (a.0, a.1, a.2, a.3, a.4, a.5, a.6, a.7, b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7))
  }
}

extension UUID {
  /// The first and the last eight bytes, each as a number in little-endian order.
  package var words: (UInt64, UInt64) {
    let u = uuid
    func word(_ bytes: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) -> UInt64 {
      let low = UInt64(bytes.0) | UInt64(bytes.1) << 8 | UInt64(bytes.2) << 16
      let middle = UInt64(bytes.3) << 24 | UInt64(bytes.4) << 32 | UInt64(bytes.5) << 40
      return low | middle | UInt64(bytes.6) << 48 | UInt64(bytes.7) << 56
    }
    return (
      word((u.0, u.1, u.2, u.3, u.4, u.5, u.6, u.7)),
      word((u.8, u.9, u.10, u.11, u.12, u.13, u.14, u.15))
    )
  }
}
