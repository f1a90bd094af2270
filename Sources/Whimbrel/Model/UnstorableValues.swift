// What the code that `@Model` makes calls for a property whose type cannot be stored. The macro
// `_Persisted` has said so already, and a second error would say nothing more: these are never
// called. The compiler comes to them when nothing else fits.

extension ModelProperty {
  /// Not for use: a property whose type cannot be stored.
  @_disfavoredOverload
  public init<Root: Model, Value>(
    _ name: String, declaredAs declaredName: String? = nil, _ type: Value.Type,
    _ keyPath: any ReferenceWritableKeyPath<Root, Value> & Sendable, isPrimaryKey: Bool = false,
    isIndexed: Bool = false, previousNames: [String] = [],
    default makeDefault: (@Sendable () -> Value)? = nil
  ) {
    preconditionFailure("The type of the property cannot be stored.")
  }
}

extension ObjectEncoder {
  /// Not for use: the value of a property whose type cannot be stored.
  @_disfavoredOverload
  public mutating func encode<Value>(_ value: Value, at index: Int) throws {
    preconditionFailure("The type of the property cannot be stored.")
  }

  /// Not for use: the value of a required property whose type cannot be stored.
  @_disfavoredOverload
  public mutating func encode<Value>(required value: Value?, at index: Int) throws {
    preconditionFailure("The type of the property cannot be stored.")
  }
}

/// Not for use: the default value of a parameter of the initializer of a class with errors.
public func _$placeholder<Value>() -> Value {
  preconditionFailure("The class has errors.")
}
