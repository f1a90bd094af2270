// The errors of values that come from outside, and of values that go there.

extension StoreError {
  /// A stored value is none that its Swift type can be made of.
  package static func unreadableValue(
    class className: String, property: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange, .unreadableValue(class: className, property: property),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A value stands for none of its Swift type.
  package static func unusableValue(
    class className: String, property: String, type: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .outOfRange, .unusableValue(class: className, property: property, type: type),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// Nil was given for a property that is not optional.
  package static func nilGiven(
    class className: String, property: String, isElement: Bool = false, hasDefault: Bool = false,
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .missingValue,
      .nilGiven(
        class: className, property: property, isElement: isElement, hasDefault: hasDefault),
      Context(class: className, property: property),
      file: file, line: line)
  }

  /// A dictionary does not decode as a `PersistableCodable`.
  package static func undecodableValue(
    class className: String, property: String, type: String, reason: String,
    underlying: any Error, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .undecodableValue(class: className, property: property, type: type, reason: reason),
      Context(class: className, property: property), underlying: underlying,
      file: file, line: line)
  }

  /// A value threw an error when it was encoded.
  package static func unencodableValue(
    class className: String, property: String, underlying: any Error, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType,
      .unencodableValue(class: className, property: property, reason: "\(underlying)"),
      Context(class: className, property: property), underlying: underlying,
      file: file, line: line)
  }

  /// An object was to be made of something that gives no values for its properties.
  package static func notAnObject(
    class className: String, got: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .wrongType, .notAnObject(class: className, got: got), Context(class: className),
      file: file, line: line)
  }

  /// An array has more values than the class has properties.
  package static func tooManyValues(
    class className: String, count: Int, limit: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .unknownProperty, .tooManyValues(class: className, count: count, limit: limit),
      Context(class: className, count: count, limit: limit),
      file: file, line: line)
  }

  /// Objects are encoded that lead to each other in a circle, or too deep.
  ///
  /// - Parameter path: the properties that lead to the object, as `Zone.country`.
  package static func codingCycle(
    class className: String, path: [String], limit: Int, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .codingCycle, .codingCycle(class: className, path: path, limit: limit),
      Context(class: className, limit: limit),
      file: file, line: line)
  }
}
