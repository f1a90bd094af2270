public import WhimbrelEngine

/// Makes values of properties of values of other types: what `create(_:value:)` and
/// key-value access take.
public struct ValueConversion {
  /// The class and property, for messages.
  let className: String
  let property: String

  init(class className: String, property: String) {
    self.className = className
    self.property = property
  }

  /// The value without optionals around it, or nil.
  public func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first.flatMap { unwrapped($0.value) }
  }
}
