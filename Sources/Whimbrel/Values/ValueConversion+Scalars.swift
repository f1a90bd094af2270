internal import Foundation
internal import WhimbrelEngine

extension ModelValue {
  /// Converts a value of another type.
  public static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self {
    try conversion.scalar(Self.self, value)
  }
}

extension ValueConversion {
  /// Converts a value to a type that is stored in a single slot.
  func scalar<Value: ModelValue>(_ type: Value.Type, _ value: Any?) throws -> Value {
    if let value, let value = exactly(type, value) { return value }
    guard let value = unwrapped(value) else { throw nilGiven() }
    // A cast would turn an `NSNumber` into a Boolean, and the reverse.
    if FoundationNumber(value) == nil, let value = value as? Value { return value }
    guard let given = try stored(value, for: Value.propertyType) else {
      throw wrongType(Value.propertyType, value)
    }
    if given.isNull { throw nilGiven() }
    guard let adapted = adapted(given, to: Value.propertyType) else {
      throw given.isAlike(Value.propertyType)
        ? outOfRange(Value.propertyType, given.kind) : wrongType(Value.propertyType, given)
    }
    if let result = Value(propertyValue: adapted) { return result }
    if let cases = Value.propertyCases {
      throw StoreError.unknownCase(class: className, property: property, known: cases)
    }
    throw unusable(Value.self)
  }

  /// Returns a value of exactly this type, or nil. A cast would take several times as long.
  private func exactly<Value>(_ type: Value.Type, _ value: Any) -> Value? {
    func open<Given>(_ value: Given) -> Value? {
      // Safe: the types are the same.
      Given.self == Value.self ? unsafe unsafeBitCast(value, to: Value.self) : nil
    }
    return _openExistential(value, do: open)
  }

  /// Returns a value as a stored value, or nil if it is not of a type that can be stored.
  func stored(_ value: Any, for type: PropertyType) throws -> PropertyValue? {
    if let number = FoundationNumber(value) {
      guard let result = number.value(for: type) else { throw outOfRange(type, "int") }
      return result
    }
    if let value = value as? PropertyValue { return value }
    if let value = value as? any Persistable { return value.propertyValue }
    if let number = value as? any BinaryInteger {
      guard let exact = Int64(exactly: number) else { throw outOfRange(type, "int") }
      return .int(exact)
    }
    return nil
  }

  /// Returns the same value as a value of a type, or nil if the type cannot hold it.
  private func adapted(_ value: PropertyValue, to type: PropertyType) -> PropertyValue? {
    switch (type, value) {
    case (.float, .int(let number)): Float(exactly: number).map { .float($0) }
    case (.double, .int(let number)): Double(exactly: number).map { .double($0) }
    case (.decimal, .int(let number)): .decimal(Decimal(number))
    case (.decimal, .double(let number)): Decimal(shortest: number).map { .decimal($0) }
    case (.decimal, .float(let number)): Decimal(shortest: number).map { .decimal($0) }
    case (.decimal, .string(let text)):
      Decimal(exactText: text).flatMap { $0.isNaN ? nil : .decimal($0) }
    case (.uuid, .string(let text)): UUID(uuidString: text).map { .uuid($0) }
    case (.objectId, .string(let text)): ObjectId(text).map { .objectId($0) }
    case (.double, .float(let number)): .double(Double(number))
    case (.float, .double(let number)):
      number.isNaN ? .float(.nan) : Float(exactly: number).map { .float($0) }
    case (_, .int(let number)) where type.integerBounds?.contains(number) == true: value
    default: value.isScalar(of: type) ? value : .none
    }
  }
}

extension PropertyValue {
  /// Returns whether a type can hold at least some values of this kind.
  fileprivate func isAlike(_ type: PropertyType) -> Bool {
    switch self {
    case .int: type.isInteger || type == .float || type == .double
    case .double: type == .float || type == .decimal
    case .float: type == .decimal
    default: false
    }
  }
}
