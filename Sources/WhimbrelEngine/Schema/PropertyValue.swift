public import Foundation

/// The value of one property, whatever its type: what dynamic objects read and
/// write.
///
/// Whole numbers of every width are ``int(_:)``; they are checked against the
/// property's own width when they are stored.
public enum PropertyValue: Hashable, Sendable {
  /// No value.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A whole number of any stored width.
  case int(Int64)
  /// A number of 32 bits.
  case float(Float)
  /// A number of 64 bits.
  case double(Double)
  /// Text.
  case string(String)
  /// Bytes.
  case data(Data)
  /// An instant.
  case date(Date)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A decimal number.
  indirect case decimal(Decimal)
  /// An identifier of 12 bytes.
  case objectId(ObjectId)
  /// A link to the object with this ID, of the class that the property names.
  case link(ObjectID)
  /// A link in a property of any type, which says the class too.
  case object(ObjectReference)
  /// The elements of a list in their order, or those of a set in the order of the
  /// store.
  case list([PropertyValue])
  /// The elements of a map.
  case map([String: PropertyValue])
}

/// An object of any class, as values of any type keep it.
public struct ObjectReference: Hashable, Sendable, Codable {
  /// The class; its name may change.
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
  /// Makes a value of a literal.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a value of a literal.
  public init(integerLiteral value: Int64) { self = .int(value) }
  /// Makes a value of a literal.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// Makes a value of a literal.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a value of a literal.
  public init(nilLiteral: ()) { self = .null }
}

extension PropertyValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  /// Makes a list of a literal.
  public init(arrayLiteral elements: PropertyValue...) { self = .list(elements) }
  /// Makes a map of a literal; of a name given twice the last counts.
  public init(dictionaryLiteral elements: (String, PropertyValue)...) {
    self = .map(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}
