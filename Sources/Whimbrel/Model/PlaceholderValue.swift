/// Not for use: the default value of a parameter of the initializer of a class with errors, which
/// the macro has reported: a program with one is never run.
public func _$placeholder<Value>() -> Value {
  preconditionFailure("The class has errors.")
}
