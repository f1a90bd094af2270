internal import WhimbrelEngine

extension Model {
  /// Converts a value that is not nil.
  public static func _$convertedWrapped(
    _ value: Any, _ conversion: ValueConversion
  ) throws -> Self {
    try conversion.object(of: Self.self, value)
  }
}

extension ValueConversion {
  /// Returns the object that a value represents or describes.
  func object<Target: Model>(of type: Target.Type, _ value: Any?) throws -> Target {
    // A link that may be nil has been set to nil before, so this is an element.
    guard let value = unwrapped(value) else { throw nilGiven() }
    if let object = try creation.object(type, value, isCopying: isCopying) { return object }
    throw wrongType(Target.optionalPropertyType, isOptional: true, value)
  }
}

extension AnyValue {
  /// Converts a value of another type.
  public static func _$converted(
    _ value: Any?, _ conversion: ValueConversion
  ) throws -> AnyValue {
    try conversion.any(value, depth: 0)
  }
}

extension ValueConversion {
  /// Converts a value to an `AnyValue`. A dictionary becomes a map here and an array a list, and
  /// not an object.
  fileprivate func any(_ value: Any?, depth: Int) throws -> AnyValue {
    guard depth <= AnyValue.depthLimit + 1 else {
      throw StoreError.nestedTooDeep(
        class: className, property: property, limit: AnyValue.depthLimit)
    }
    switch try content(value) {
    case .whole(let value): return value
    case .any(let value): return try any(value, depth)
    case .map(let values):
      return try nested(depth) {
        .map(try entries(values) { try $1.any($0, depth: depth + 1) })
      }
    case .list(let values):
      return try nested(depth) { .list(try elements(values) { try $1.any($0, depth: depth + 1) }) }
    }
  }

  /// The content of a value that becomes an `AnyValue`.
  private enum Content {
    case whole(AnyValue), any(AnyValue), list([Any]), map([String: Any])
  }

  /// A function of its own: its temporary values would take stack at each level of nested lists.
  @inline(never)
  private func content(_ value: Any?) throws -> Content {
    guard let value = unwrapped(value) else { return .whole(.none) }
    if let object = modelObject(value) {
      return .whole(.object(try creation.used(object, isCopying: isCopying)))
    }
    switch value {
    case let value as AnyValue: return .any(value)
    case let object as DynamicObject:
      guard let result = try creation.link(to: object) else { break }
      return .whole(result)
    case let value as PropertyValue:
      guard let result = AnyValue(value, in: creation.session) else { break }
      return .any(result)
    case let values as [String: Any]: return .map(values)
    default: break
    }
    if let values = elements(value) { return .list(values) }
    if let stored = try stored(value, for: .any), let result = AnyValue(stored, in: nil) {
      return .whole(result)
    }
    throw wrongType(.any, value)
  }

  /// Returns the value with its objects replaced by those to link to.
  private func any(_ value: AnyValue, _ depth: Int) throws -> AnyValue {
    switch value {
    case .object(let object): .object(try creation.used(object, isCopying: isCopying))
    case .list(let values):
      try nested(depth) { .list(try values.map { try any($0, depth: depth + 1) }) }
    case .map(let values):
      try nested(depth) { .map(try values.mapValues { try any($0, depth: depth + 1) }) }
    default: value
    }
  }

  private func nested(_ depth: Int, _ body: () throws -> AnyValue) throws -> AnyValue {
    guard depth < AnyValue.depthLimit else {
      throw StoreError.nestedTooDeep(
        class: className, property: property, limit: AnyValue.depthLimit)
    }
    return try body()
  }
}
