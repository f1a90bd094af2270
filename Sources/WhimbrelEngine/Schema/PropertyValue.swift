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
  /// A link to the object with this ID, of the class that the property names.
  case link(ObjectID)
}

extension PropertyValue {
  /// Whether there is no value.
  public var isNull: Bool { self == .null }

  /// The name of the kind of value, for messages: `int`, `string`, `nil` …
  public var kind: String {
    switch self {
    case .null: "nil"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .uuid: "uuid"
    case .link: "link"
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
