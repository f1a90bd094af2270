public import Foundation

/// The value of one property of any type, as dynamic objects read and write it.
///
/// Integers of all widths are ``int(_:)``. They are checked against the width of the property when
/// they are stored.
public enum PropertyValue: Hashable, Sendable {
  /// No value.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// An integer of any stored width.
  case int(Int64)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// A date.
  case date(Date)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A decimal number.
  indirect case decimal(Decimal)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// A link to the object with this ID, of the class that the property states.
  case link(ObjectID)
  /// A link in a property of any type, which also states the class.
  case object(ObjectReference)
  /// The elements of a list in their order, or those of a set in the order of the store.
  case list([PropertyValue])
  /// The elements of a map.
  case map([String: PropertyValue])
}

/// A reference to an object of any class, in values of any type.
public struct ObjectReference: Hashable, Sendable, Codable {
  /// The class, which keeps its ID if it is renamed.
  public let classID: ClassID
  /// The identity within the class.
  public let id: ObjectID

  /// Makes a reference.
  public init(classID: ClassID, id: ObjectID) {
    self.classID = classID
    self.id = id
  }
}

extension PropertyValue {
  /// Whether there is no value.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The name of the kind of value, for messages: `int`, `string`, `nil` …
  public var kind: String {
    switch self {
    case .null: "nil"
    case .link: "link"
    case .object: "object"
    case .list: "list"
    case .map: "map"
    default: scalar.map { type(of: $0).name } ?? ""
    }
  }
}

extension PropertyValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
  ExpressibleByNilLiteral
{
  /// Makes a Boolean from a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes an integer from a literal.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Makes a double from a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes text from a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes null from `nil`.
  public init(nilLiteral: ()) { self = .null }
}

extension PropertyValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Makes a list from a literal.
  public init(arrayLiteral elements: PropertyValue...) { self = .list(elements) }
  /// Makes a map from a literal. If a name appears twice, the last value is used.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .map(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
