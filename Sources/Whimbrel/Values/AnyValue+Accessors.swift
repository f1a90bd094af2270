public import Foundation
public import WhimbrelEngine

extension AnyValue {
  /// Whether there is no value.
  public var isNone: Bool {
    if case .none = self { true } else { false }
  }

  /// The value if it is `true` or `false`, or nil.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value if it is a whole number, or nil.
  public var intValue: Int? {
    if case .int(let value) = self { value } else { nil }
  }

  /// The value if it is a number of 32 bits, or nil.
  public var floatValue: Float? {
    if case .float(let value) = self { value } else { nil }
  }

  /// The value if it is a number of 64 bits, or nil.
  public var doubleValue: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// The value if it is a decimal number, or nil.
  public var decimalValue: Decimal? {
    if case .decimal(let value) = self { value } else { nil }
  }

  /// The value if it is text, or nil.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The value if it is bytes, or nil.
  public var dataValue: Data? {
    if case .data(let value) = self { value } else { nil }
  }

  /// The value if it is an instant, or nil.
  public var dateValue: Date? {
    if case .date(let value) = self { value } else { nil }
  }

  /// The value if it is a UUID, or nil.
  public var uuidValue: UUID? {
    if case .uuid(let value) = self { value } else { nil }
  }

  /// The value if it is an identifier of 12 bytes, or nil.
  public var objectIdValue: ObjectId? {
    if case .objectId(let value) = self { value } else { nil }
  }

  /// The values if it is a list, or nil.
  public var listValue: [AnyValue]? {
    if case .list(let values) = self { values } else { nil }
  }

  /// The values by their names if it is a map, or nil.
  public var mapValue: [String: AnyValue]? {
    if case .map(let values) = self { values } else { nil }
  }

  /// The object if it is one of a class, or nil.
  ///
  /// ```swift
  /// if let zone = setting.value.object(Zone.self) { print(zone.identifier) }
  /// ```
  public func object<Element: Model>(_ type: Element.Type) -> Element? {
    if case .object(let object) = self { object as? Element } else { nil }
  }

  /// An element of a list, or nil when this is no list or has no such element.
  public subscript(position: Int) -> AnyValue? {
    guard case .list(let values) = self, values.indices.contains(position) else { return nil }
    return values[position]
  }

  /// An element of a map, or nil when this is no map or has no such element.
  public subscript(name: String) -> AnyValue? { mapValue?[name] }
}

extension AnyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a value of a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a value of a literal.
  public init(integerLiteral value: Int) { self = .int(value) }
  /// Makes a value of a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a value of a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a value of a literal.
  public init(nilLiteral: ()) { self = .none }
  /// Makes a list of a literal.
  public init(arrayLiteral elements: AnyValue...) { self = .list(elements) }
  /// Makes a map of a literal; of a name given twice the last counts.
  public init(dictionaryLiteral elements: (String, AnyValue)...) {
    self = .map(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
