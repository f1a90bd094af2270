package import Foundation
package import WhimbrelLMDB

/// The error of a damaged record, or of a part of it in the overflow. It does not name the object.
///
/// The cause is always in the bytes that were read, never in the call.
package struct DamagedRecord: Error {
  /// The fault, as a clause.
  package var detail = "text or data lies outside the record"
}

extension DamagedRecord {
  /// Creates the error for a node of a collection.
  @inline(never)
  init(node number: UInt32, _ predicate: String) {
    detail = "node \(number) of a collection \(predicate)"
  }
}

extension PageBytes {
  /// Reads the value of a field.
  ///
  /// - Parameter overflow: The overflow of the object.
  /// - Throws: ``DamagedRecord`` if the value is not where the slot says.
  package func value(_ field: RecordField, _ overflow: Overflow) throws -> PropertyValue {
    let slot = field.slot
    switch field.type {
    case .int:
      return .int(int(at: slot))
    case .string:
      return .string(try text(at: slot, field.property, overflow))
    case .data:
      return .data(try data(at: slot, field.property, overflow))
    case .any:
      return try anyValue(at: slot, field.property, overflow)
    case .list(let element), .set(let element):
      let reader = try CollectionReader(self, field, element, overflow)
      return .list(try reader.values())
    case .map(let element):
      let reader = try CollectionReader(self, field, element, overflow)
      return .map(try reader.map())
    default:
      return fixedValue(field.type, at: slot.offset)
    }
  }
}

// MARK: - Values of any length

extension PageBytes {
  package func text(
    at slot: RecordSlot, _ property: PropertyID, _ overflow: Overflow
  ) throws -> String {
    if let bytes = variable(at: slot) { return bytes.text }
    return String(decoding: try external(at: slot, property, overflow), as: UTF8.self)
  }

  package func data(
    at slot: RecordSlot, _ property: PropertyID, _ overflow: Overflow
  ) throws -> Data {
    if let bytes = variable(at: slot) { return bytes.data }
    return Data(try external(at: slot, property, overflow))
  }

  private func anyValue(
    at slot: RecordSlot, _ property: PropertyID, _ overflow: Overflow
  ) throws -> PropertyValue {
    if let bytes = variable(at: slot) { return try AnyCoding.value(bytes) }
    return try PageBytes.with(external(at: slot, property, overflow)) { try AnyCoding.value($0) }
  }

  /// Returns the bytes of a slot whose value is in the overflow.
  private func external(
    at slot: RecordSlot, _ property: PropertyID, _ overflow: Overflow
  ) throws -> [UInt8] {
    guard isExternal(at: slot) else { throw DamagedRecord() }
    return try overflow.bytes(property, length: length(at: slot))
  }
}
