internal import Foundation
package import WhimbrelEngine

extension PropertyValue {
  /// Reads a value of a type other than `any` and collections. Returns nil if the node is of
  /// another kind.
  ///
  /// ``StoreDump`` describes the form of each type.
  package static func scalar(
    _ node: JSONNode, as type: PropertyType
  ) throws(JSONProblem) -> PropertyValue? {
    switch (type, node.content) {
    case (.bool, .bool(let bool)): return .bool(bool)
    case (.string, .string(let text)): return .string(text)
    case (.float, _): return try number(node, as: Float.self).map(PropertyValue.float)
    case (.double, _): return try number(node, as: Double.self).map(PropertyValue.double)
    case (.date, .string(let text)):
      guard let date = DateText.date(anyText: text) else {
        throw JSONProblem(node.offset, "this is not a date such as 2025-05-01T12:30:00Z")
      }
      return .date(date)
    case (.date, .number):
      return try number(node, as: Double.self).map {
        .date(Date(timeIntervalSinceReferenceDate: $0))
      }
    case (.link, .object(let members)):
      guard members.count == 1, let member = members.first, member.name == "link",
        let id = ObjectID(member.value)
      else {
        throw JSONProblem(
          node.offset, "write a link as {\"key\":\"AD\"}, or by object ID as {\"link\":17}")
      }
      return .link(id)
    case (_, .string(let text)) where !type.isInteger:
      if let value = type.value(exactText: text) { return value }
      guard let form = type.textForm else { return nil }
      throw JSONProblem(node.offset, "this is not \(form)")
    case (_, .number(let text)), (_, .string(let text)):
      guard let bounds = type.integerBounds else { return nil }
      // Only integers beyond 2⁵³ may be strings.
      if case .string = node.content, Int64(exactText: text) == nil { return nil }
      guard let number = Int64(text), bounds.contains(number) else {
        throw JSONProblem(node.offset, "\(text.prefix(40)) does not fit into '\(type)'")
      }
      return .int(number)
    default: return nil
    }
  }

  private static func number<Value: CodableFloatingPoint>(
    _ node: JSONNode, as type: Value.Type
  ) throws(JSONProblem) -> Value? {
    switch node.content {
    case .number(let text):
      guard let value = Value(text), value.isFinite else {
        throw JSONProblem(node.offset, "\(text.prefix(40)) is too large")
      }
      guard keepsDigits(of: text, value) else {
        throw JSONProblem(
          node.offset, "\(text.prefix(40)) would be rounded to \(value)")
      }
      return value
    case .string(let text):
      guard let value = NumberText.value(special: text, as: type) else {
        throw JSONProblem(node.offset, "this is not a number")
      }
      return value
    default: return nil
    }
  }
}

extension PropertyValue {
  /// Returns whether a floating-point value keeps the digits of a whole number without a fraction
  /// and an exponent: it is that number, or its shortest text is. Digits of a fraction may be lost,
  /// because most fractions have no exact value, but not all of them: `1e-400` is not 0.
  private static func keepsDigits<Value: CodableFloatingPoint>(
    of text: String, _ value: Value
  ) -> Bool {
    if value.isZero {
      return text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.allSatisfy { $0 &- 0x31 > 8 }
    }
    // Whole numbers of six digits are exact in every type.
    guard text.utf8.count > 6, text.utf8.allSatisfy({ $0 == 0x2D || $0 &- 0x30 < 10 }) else {
      return true
    }
    return String(format: "%.0f", Double(value)) == text
      || ExactNumber("\(value)") == ExactNumber(text)
  }
}

extension ObjectID {
  /// Reads an object ID. Returns nil if the node is not one.
  init?(_ node: JSONNode) {
    switch node.content {
    case .number(let text):
      guard let number = UInt64(text) else { return nil }
      self.init(rawValue: number)
    case .string(let text):
      guard let number = UInt64(exactText: text) else { return nil }
      self.init(rawValue: number)
    default: return nil
    }
  }
}

extension FixedWidthInteger {
  /// Reads an integer beyond 2⁵³ from a string. Returns nil for other text.
  fileprivate init?(exactText text: String) {
    guard let number = Self(text), number.description == text,
      UInt64(truncatingIfNeeded: number.magnitude) > JSONWriter.largestExact
    else { return nil }
    self = number
  }
}
