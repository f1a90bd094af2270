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
      return Self.list(items.map { self.element($0, element) })
    case (.map(let element), .map(let items)):
      return Self.map(items) { self.element($0, element) }
    default:
      if let values {
        return values.caseName(value).map { namesEnum ? "\(values.name).\($0)" : ".\($0)" }
      }
      return value.swiftLiteral
    }
  }

  private func element(_ value: PropertyValue, _ element: ElementType) -> String? {
    value.isNull && element.type != .any ? "nil" : expression(value, element.type)
  }

  /// Returns a value of any type with the name of its kind.
  private static func any(_ value: PropertyValue) -> String? {
    switch value {
    case .null: return ".none"
    case .list(let items): return list(items.map(any)).map { ".list(\($0))" }
    case .map(let items): return map(items, any).map { ".map(\($0))" }
    default: return value.swiftLiteral.map { ".\(value.kind)(\($0))" }
    }
  }

  private static func list(_ parts: [String?], empty: String = "") -> String? {
    guard parts.allSatisfy({ $0 != nil }) else { return nil }
    return "[\(parts.isEmpty ? empty : parts.compactMap(\.self).joined(separator: ", "))]"
  }

  private static func map(
    _ items: [String: PropertyValue], _ element: (PropertyValue) -> String?
  ) -> String? {
    let parts = items.sorted { $0.key < $1.key }.map { key, item in
      element(item).map { "\(key.swiftLiteral): \($0)" }
    }
    return list(parts, empty: ":")
  }
}
