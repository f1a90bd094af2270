/// The type of a property as it is stored.
///
/// Whether a property may be nil is not part of its type: see
/// ``PropertySchema/isOptional``.
public enum PropertyType: Hashable, Sendable {
  /// `true` or `false`.
  case bool
  /// A signed integer of 8 bits.
  case int8
  /// A signed integer of 16 bits.
  case int16
  /// A signed integer of 32 bits.
  case int32
  /// A signed integer of 64 bits: Swift's `Int` and `Int64`.
  case int
  /// An unsigned integer of 8 bits.
  case uint8
  /// An unsigned integer of 16 bits.
  case uint16
  /// An unsigned integer of 32 bits.
  case uint32
  /// An IEEE 754 number of 32 bits.
  case float
  /// An IEEE 754 number of 64 bits.
  case double
  /// Unicode text, stored as UTF-8.
  case string
  /// Bytes.
  case data
  /// An instant, stored as the seconds since 2001-01-01 00:00 UTC that `Date`
  /// itself keeps, to the bit.
  case date
  /// A universally unique identifier of 16 bytes.
  case uuid
  /// A link to an object of the named class. Links are always optional.
  case link(to: String)
}

extension PropertyType {
  /// The class that a link leads to, or nil when this is no link.
  public var linkTarget: String? {
    guard case .link(let target) = self else { return nil }
    return target
  }

  /// Whether this is a whole number of any width.
  public var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int, .uint8, .uint16, .uint32: true
    default: false
    }
  }

  /// Whether a primary key may have this type: integers, `string` and `uuid` may.
  public var canBePrimaryKey: Bool { isInteger || self == .string || self == .uuid }

  /// Whether a property of this type may be indexed.
  public var canBeIndexed: Bool { self != .data }
}

extension PropertyType: CustomStringConvertible {
  /// The spelling in schemas and messages: `int`, `string`, `<Country>` …
  public var description: String {
    switch self {
    case .bool: "bool"
    case .int8: "int8"
    case .int16: "int16"
    case .int32: "int32"
    case .int: "int"
    case .uint8: "uint8"
    case .uint16: "uint16"
    case .uint32: "uint32"
    case .float: "float"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .uuid: "uuid"
    case .link(let target): "<\(target)>"
    }
  }

  /// Reads the spelling that ``description`` gives, or returns nil.
  public init?(_ description: String) {
    if description.hasPrefix("<"), description.hasSuffix(">"), description.count > 2 {
      self = .link(to: String(description.dropFirst().dropLast()))
    } else if let scalar = Self.scalars.first(where: { $0.description == description }) {
      self = scalar
    } else {
      return nil
    }
  }

  /// Every type but links.
  public static let scalars: [PropertyType] = [
    .bool, .int8, .int16, .int32, .int, .uint8, .uint16, .uint32, .float, .double, .string, .data,
    .date, .uuid,
  ]
}

extension PropertyType: Codable {
  /// Reads the spelling that ``description`` gives.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let spelling = try container.decode(String.self)
    guard let type = PropertyType(spelling) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(spelling)' is not the type of a property.")
    }
    self = type
  }

  /// Writes the spelling that ``description`` gives.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
