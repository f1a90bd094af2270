internal import Foundation
internal import WhimbrelEngine

/// A default value as a Swift expression.
struct SwiftValue {
  /// The enum of the value, or nil.
  let values: SwiftEnum?
  /// Whether a case must name its enum. For an optional, `.none` alone would mean nil.
  let namesEnum: Bool

  /// Returns the expression, or nil if Swift has none.
  func expression(_ value: PropertyValue, _ type: PropertyType) -> String? {
    switch (type, value) {
    case (.any, _): return Self.any(value)
    case (.list(let element), .list(let items)), (.set(let element), .list(let items)):
      let parts = items.map { self.element($0, element) }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return "[\(parts.compactMap(\.self).joined(separator: ", "))]"
    case (.map(let element), .map(let items)):
      let parts = items.sorted { $0.key < $1.key }.map { key, item in
        self.element(item, element).map { "\(SwiftName.literal(key)): \($0)" }
      }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return items.isEmpty ? "[:]" : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
    default:
      if let values {
        return values.caseName(value).map { namesEnum ? "\(values.name).\($0)" : ".\($0)" }
      }
      return Self.scalar(value)
    }
  }

  private func element(_ value: PropertyValue, _ element: ElementType) -> String? {
    value.isNull && element.type != .any ? "nil" : expression(value, element.type)
  }

  private static func scalar(_ value: PropertyValue) -> String? {
    switch value {
    case .bool(let bool): "\(bool)"
    case .int(let number): "\(number)"
    case .float(let number): self.number(number, "Float")
    case .double(let number): self.number(number, "Double")
    case .string(let text): SwiftName.literal(text)
    case .data(let data):
      data.isEmpty ? "Data()" : "Data(base64Encoded: \"\(data.base64EncodedString())\")!"
    case .date(let date):
      "Date(timeIntervalSinceReferenceDate: "
        + "\(self.number(date.timeIntervalSinceReferenceDate, "Double")))"
    case .uuid(let uuid): "UUID(uuidString: \"\(uuid.uuidString)\")!"
    case .decimal(let number):
      number.isNaN ? "Decimal.nan" : "Decimal(string: \"\(number.exactText)\")!"
    case .objectId(let id): "ObjectId(\"\(id)\")!"
    case .null, .link, .object, .list, .map: nil
    }
  }

  private static func number<Value: DumpedNumber>(_ number: Value, _ type: String) -> String {
    if number.isInfinite { return number.sign == .minus ? "-\(type).infinity" : "\(type).infinity" }
    if number.isNaN {
      return number.bits == Value.nan.bits
        ? "\(type).nan" : "\(type)(bitPattern: 0x\(String(number.bits, radix: 16)))"
    }
    return "\(number)"
  }

  /// Returns a value of any type with the name of its kind.
  private static func any(_ value: PropertyValue) -> String? {
    switch value {
    case .null: return ".none"
    case .list(let items):
      let parts = items.map(any)
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return ".list([\(parts.compactMap(\.self).joined(separator: ", "))])"
    case .map(let items):
      let parts = items.sorted { $0.key < $1.key }.map { key, item in
        any(item).map { "\(SwiftName.literal(key)): \($0)" }
      }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      let list = items.isEmpty ? ":" : parts.compactMap(\.self).joined(separator: ", ")
      return ".map([\(list)])"
    default: return scalar(value).map { ".\(value.kind)(\($0))" }
    }
  }
}
