package import Foundation
package import WhimbrelLMDB

/// The error of a damaged record, except for a wrong checksum.
struct DamagedRecord: Error {
  var detail = "text or data lies outside of it"
}

extension PageBytes {
  /// Reads the value of a field.
  ///
  /// - Parameter overflow: the overflow of the object.
  /// - Throws: ``DamagedRecord`` if the value is not where the slot says.
  package func value(_ field: RecordField, _ overflow: Overflow) throws -> PropertyValue {
    let offset = field.offset
    switch field.type {
    case .string:
      return .string(try text(at: offset, field.property, overflow))
    case .data:
      return .data(try data(at: offset, field.property, overflow))
    case .any:
      return try anyValue(at: offset, field.property, overflow)
    case .list(let element), .set(let element):
      let reader = try CollectionReader(self, field, element, overflow)
      return .list(try reader.values())
    case .map(let element):
      let reader = try CollectionReader(self, field, element, overflow)
      return .map(try reader.map())
    default:
      return fixedValue(field.type, at: offset)
    }
  }
}

// MARK: - Values of any length

extension PageBytes {
  /// Returns whether the value of a slot is in the overflow.
  @inline(__always)
  package func isExternal(at offset: Int) -> Bool {
    UInt32(littleEndian: load(UInt32.self, at: offset)) == RecordLayout.external
  }

  /// Returns the length that a slot states.
  func length(at offset: Int) -> Int {
    Int(UInt32(littleEndian: load(UInt32.self, at: offset + 4)))
  }

  package func text(
    at offset: Int, _ property: PropertyID, _ overflow: Overflow
  ) throws -> String {
    if let bytes = variable(at: offset) { return bytes.text }
    return String(decoding: try external(at: offset, property, overflow), as: UTF8.self)
  }

  package func data(
    at offset: Int, _ property: PropertyID, _ overflow: Overflow
  ) throws -> Data {
    if let bytes = variable(at: offset) { return bytes.data }
    return Data(try external(at: offset, property, overflow))
  }

  private func anyValue(
    at offset: Int, _ property: PropertyID, _ overflow: Overflow
  ) throws -> PropertyValue {
    if let bytes = variable(at: offset) { return try AnyCoding.value(bytes) }
    return try PageBytes.with(external(at: offset, property, overflow)) { try AnyCoding.value($0) }
  }

  /// Returns the bytes of a slot whose value is in the overflow.
  private func external(
    at offset: Int, _ property: PropertyID, _ overflow: Overflow
  ) throws -> [UInt8] {
    guard isExternal(at: offset) else { throw DamagedRecord() }
    return try overflow.bytes(property, length: length(at: offset))
  }
}
