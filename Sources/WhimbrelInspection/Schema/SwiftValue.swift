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
        self.element(item, element).map { "\(key.swiftLiteral): \($0)" }
      }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return items.isEmpty ? "[:]" : "[\(parts.compactMap(\.self).joined(separator: ", "))]"
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
    case .list(let items):
      let parts = items.map(any)
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      return ".list([\(parts.compactMap(\.self).joined(separator: ", "))])"
    case .map(let items):
      let parts = items.sorted { $0.key < $1.key }.map { key, item in
        any(item).map { "\(key.swiftLiteral): \($0)" }
      }
      guard parts.allSatisfy({ $0 != nil }) else { return nil }
      let list = items.isEmpty ? ":" : parts.compactMap(\.self).joined(separator: ", ")
      return ".map([\(list)])"
    default: return value.swiftLiteral.map { ".\(value.kind)(\($0))" }
    }
  }
}
