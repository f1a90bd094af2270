package import Foundation
package import WhimbrelLMDB

/// What is wrong with a record, apart from its checksum.
struct DamagedRecord: Error {
  var detail = "text or data lies outside of it"
}

extension PageBytes {
  /// The value in the slot of a field.
  ///
  /// - Parameter extents: where the values are that do not fit into the record.
  /// - Throws: ``DamagedRecord`` when they are not there.
  package func value(_ field: RecordField, _ extents: Extents) throws -> PropertyValue {
    let offset = field.offset
    switch field.type {
    case .bool, .int8, .int16, .int32, .int, .uint8, .uint16, .uint32, .float, .double, .date,
      .uuid, .decimal, .objectId, .link:
      return fixedValue(field.type, at: offset)
    case .string:
      return .string(try text(at: offset, field.property, extents))
    case .data:
      return .data(try data(at: offset, field.property, extents))
    case .any:
      return try anyValue(at: offset, field.property, extents)
    case .list(let element), .set(let element):
      let reader = try CollectionReader(self, field, element, extents)
      return .list(try reader.values())
    case .map(let element):
      let reader = try CollectionReader(self, field, element, extents)
      return .map(try reader.map())
    }
  }

  /// The value of a type whose values all have one size.
  func fixedValue(_ type: PropertyType, at offset: Int) -> PropertyValue {
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
    case .date: .date(Date(timeIntervalSinceReferenceDate: double(at: offset)))
    case .uuid: .uuid(uuid(at: offset))
    case .decimal: .decimal(decimal(at: offset))
    case .objectId: .objectId(objectId(at: offset))
    case .link: .link(ObjectID(rawValue: word(at: offset)))
    case .string, .data, .any, .list, .set, .map: .null
    }
  }

  private func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: load(UInt64.self, at: offset))
  }

  package func float(at offset: Int) -> Float {
    Float(bitPattern: UInt32(littleEndian: load(UInt32.self, at: offset)))
  }

  package func double(at offset: Int) -> Double {
    Double(bitPattern: word(at: offset))
  }

  package func decimal(at offset: Int) -> Decimal {
    Decimal(words: word(at: offset), word(at: offset + 8), word(at: offset + 16))
  }

  package func objectId(at offset: Int) -> ObjectId {
    ObjectId(
      high: UInt64(bigEndian: load(UInt64.self, at: offset)),
      low: UInt32(bigEndian: load(UInt32.self, at: offset + 8)))
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

// MARK: - Values of any length

extension PageBytes {
  /// Whether the bytes of a slot are among the extents.
  @inline(__always)
  package func isExternal(at offset: Int) -> Bool {
    UInt32(littleEndian: load(UInt32.self, at: offset)) == RecordLayout.external
  }

  /// The length that a slot says its bytes have.
  func length(at offset: Int) -> Int {
    Int(UInt32(littleEndian: load(UInt32.self, at: offset + 4)))
  }

  package func text(
    at offset: Int, _ property: PropertyID, _ extents: Extents
  ) throws -> String {
    if let bytes = variable(at: offset) { return bytes.text }
    return String(decoding: try external(at: offset, property, extents), as: UTF8.self)
  }

  package func data(
    at offset: Int, _ property: PropertyID, _ extents: Extents
  ) throws -> Data {
    if let bytes = variable(at: offset) { return bytes.data }
    return Data(try external(at: offset, property, extents))
  }

  private func anyValue(
    at offset: Int, _ property: PropertyID, _ extents: Extents
  ) throws -> PropertyValue {
    if let bytes = variable(at: offset) { return try AnyCoding.value(bytes) }
    return try PageBytes.with(external(at: offset, property, extents)) { try AnyCoding.value($0) }
  }

  /// The bytes of a slot that are not in the record.
  private func external(
    at offset: Int, _ property: PropertyID, _ extents: Extents
  ) throws -> [UInt8] {
    guard isExternal(at: offset) else { throw DamagedRecord() }
    return try extents.bytes(property, length: length(at: offset))
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
