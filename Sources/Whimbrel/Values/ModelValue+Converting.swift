public import WhimbrelEngine

// What helper writes; a first version.
extension ModelValue {
  /// Makes a value of one of another type.
  public static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self {
    try conversion.scalar(Self.self, value)
  }
}

extension Model {
  /// Makes a value that is not nil of one of another type.
  public static func _$convertedWrapped(
    _ value: Any, _ conversion: ValueConversion
  ) throws -> Self {
    try conversion.object(of: Self.self, value)
  }
}

extension ValueConversion {
  func scalar<Value: ModelValue>(_ type: Value.Type, _ value: Any?) throws -> Value {
    let value = unwrapped(value)
    if let value = value as? Value { return value }
    if let value = value as? PropertyValue, let result = Value(propertyValue: value) {
      return result
    }
    throw wrongType(Value.propertyType, value)
  }

  func object<Target: Model>(of type: Target.Type, _ value: Any?) throws -> Target {
    let value = unwrapped(value)
    if let object = value as? Target { return object }
    throw wrongType(Target.optionalPropertyType, value)
  }

  func wrongType(_ expected: PropertyType, _ value: Any?) -> StoreError {
    StoreError.wrongType(
      class: className, property: property, expected: expected, isOptional: false,
      got: value.map { String(describing: Swift.type(of: $0)) } ?? "nil")
  }
}
