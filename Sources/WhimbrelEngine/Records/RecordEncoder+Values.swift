internal import Foundation
internal import WhimbrelLMDB

extension RecordEncoder {
  /// Stores a value of any type, checked against what the property is.
  ///
  /// - Throws: ``StoreError`` with `wrongType`, `outOfRange` or `missingValue`.
  package mutating func set(_ index: Int, _ value: PropertyValue) throws {
    let property = target.properties[index]
    if case .null = value {
      guard property.isOptional else {
        throw StoreError.missingValue(class: target.name, property: property.name)
      }
      return setNull(index)
    }
    try checkCase(value, of: property)
    switch (property.type, value) {
    case (.bool, .bool(let value)): set(index, fixed: UInt8(value ? 1 : 0))
    case (.double, .double(let value)): set(index, fixed: value.bitPattern.littleEndian)
    case (.double, .float(let value)): set(index, fixed: Double(value).bitPattern.littleEndian)
    case (.float, .float(let value)): set(index, fixed: value.bitPattern.littleEndian)
    case (.string, .string(let text)): try set(index, text)
    case (.data, .data(let data)): try set(index, data)
    case (.uuid, .uuid(let uuid)): set(index, uuid)
    case (.date, .date(let date)):
      set(index, fixed: date.timeIntervalSinceReferenceDate.bitPattern.littleEndian)
    case (.link, .link(let id)): set(index, fixed: id.rawValue.littleEndian)
    case (_, .int(let number)) where property.type.isInteger: try set(index, number, property)
    default:
      throw StoreError.wrongType(
        class: target.name, property: property.name, expected: property.type,
        isOptional: property.isOptional, got: value.kind)
    }
  }

  private mutating func set(
    _ index: Int, _ number: Int64, _ property: CatalogProperty
  ) throws {
    func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
      guard let integer = Integer(exactly: number) else {
        throw StoreError.outOfRange(
          class: target.name, property: property.name, got: "int", type: property.type)
      }
      return integer.littleEndian
    }
    switch property.type {
    case .int8: try set(index, fixed: exactly(Int8.self))
    case .int16: try set(index, fixed: exactly(Int16.self))
    case .int32: try set(index, fixed: exactly(Int32.self))
    case .uint8: try set(index, fixed: exactly(UInt8.self))
    case .uint16: try set(index, fixed: exactly(UInt16.self))
    case .uint32: try set(index, fixed: exactly(UInt32.self))
    default: set(index, fixed: number.littleEndian)
    }
  }

  private func checkCase(_ value: PropertyValue, of property: CatalogProperty) throws {
    guard let cases = property.cases else { return }
    let raw: String
    switch value {
    case .string(let text): raw = text
    case .int(let number): raw = String(number)
    default: return
    }
    guard cases.contains(raw) else {
      throw StoreError.unknownCase(class: target.name, property: property.name, known: cases)
    }
  }
}
