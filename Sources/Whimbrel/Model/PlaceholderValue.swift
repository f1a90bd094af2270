/// Returns a default value for a parameter of the initializer of a class with errors. The macro has
/// reported the errors, so the program never runs. For use by ``Model()``.
public func _$placeholder<Value>() -> Value {
  preconditionFailure("The class has errors.")
}
