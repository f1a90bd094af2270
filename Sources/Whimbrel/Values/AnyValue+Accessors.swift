public import Foundation
public import WhimbrelEngine

extension AnyValue {
  /// Whether the value is `none`.
  public var isNone: Bool {
    if case .none = self { true } else { false }
  }

  /// The Boolean value, or nil if the value has another kind.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer, or nil if the value has another kind.
  public var intValue: Int? {
    if case .int(let value) = self { value } else { nil }
  }

  /// The 32-bit floating-point number, or nil if the value has another kind.
  public var floatValue: Float? {
    if case .float(let value) = self { value } else { nil }
  }

  /// The 64-bit floating-point number, or nil if the value has another kind.
  public var doubleValue: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// The decimal number, or nil if the value has another kind.
  public var decimalValue: Decimal? {
    if case .decimal(let value) = self { value } else { nil }
  }

  /// The text, or nil if the value has another kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The data, or nil if the value has another kind.
  public var dataValue: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The date, or nil if the value has another kind.
  public var dateValue: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The UUID, or nil if the value has another kind.
  public var uuidValue: UUID? {
    if case .uuid(let value) = self { value } else { nil }
  }

  /// The 12-byte object ID, or nil if the value has another kind.
  public var objectIdValue: ObjectId? {
    if case .objectId(let value) = self { value } else { nil }
  }

  /// The elements of the list, or nil if the value has another kind.
  public var listValue: [AnyValue]? {
    if case .list(let values) = self { values } else { nil }
  }

  /// The entries of the map, or nil if the value has another kind.
  public var mapValue: [String: AnyValue]? {
    if case .map(let values) = self { values } else { nil }
  }

  /// Returns the object if it is an object of the given model, or nil
  /// otherwise.
  ///
  /// ```swift
  /// if let zone = setting.value.object(Zone.self) { print(zone.identifier) }
  /// ```
  public func object<Element: Model>(_ type: Element.Type) -> Element? {
    if case .object(let object) = self { object as? Element } else { nil }
  }

  /// The element of a list at an index. It is nil if the value is not a list,
  /// or if the index is out of range.
  public subscript(position: Int) -> AnyValue? {
    guard case .list(let values) = self, values.indices.contains(position) else { return nil }
    return values[position]
  }

  /// The value of a map for a key. It is nil if the value is not a map, or if
  /// the map does not have the key.
  public subscript(name: String) -> AnyValue? { mapValue?[name] }
}

extension AnyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a Boolean value from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an integer from a literal.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Makes a 64-bit floating-point number from a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a text from a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes `none` from the literal `nil`.
  public init(nilLiteral: ()) { self = .none }
  /// Makes a list from a literal.
  public init(arrayLiteral elements: AnyValue...) { self = .list(elements) }
  /// Makes a map from a literal. If a key occurs twice, the last value counts.
  public init(dictionaryLiteral elements: (String, AnyValue)...) {
    self = .map(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
