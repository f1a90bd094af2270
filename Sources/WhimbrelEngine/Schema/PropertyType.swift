/// The type of a property as it is stored.
///
/// Whether a property may be nil is not part of its type: see
/// ``PropertySchema/isOptional``.
public indirect enum PropertyType: Hashable, Sendable {
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
  /// A decimal number of up to 38 digits, exact.
  case decimal
  /// An identifier of 12 bytes: see ``ObjectId``.
  case objectId
  /// A value of any type, nil included: see `AnyValue`.
  case any
  /// A link to an object of the named class. Links are always optional.
  case link(to: String)
  /// Values in an order, any of them several times.
  case list(of: ElementType)
  /// Values without an order, each of them once.
  case set(of: ElementType)
  /// Values by names.
  case map(of: ElementType)
}

/// What the elements of a collection are.
public struct ElementType: Hashable, Sendable {
  /// The type of an element; never a collection.
  public var type: PropertyType
  /// Whether an element may be nil. Links in collections never are.
  public var isOptional: Bool

  /// Makes the type of elements; by default none is nil.
  public init(_ type: PropertyType, isOptional: Bool = false) {
    self.type = type
    self.isOptional = isOptional
  }
}

extension PropertyType {
  /// The class that a link leads to, or nil when this is no link.
  public var linkTarget: String? {
    guard case .link(let target) = self else { return nil }
    return target
  }

  /// The class that a link leads to, or the links in a collection; nil when there
  /// are none.
  public var linkedClass: String? { linkTarget ?? elementType?.type.linkTarget }

  /// What the elements are, or nil when this is no collection.
  public var elementType: ElementType? {
    switch self {
    case .list(let element), .set(let element), .map(let element): element
    default: nil
    }
  }

  /// Whether this is a list, a set or a map.
  public var isCollection: Bool { elementType != nil }
}

extension PropertyType: CustomStringConvertible {
  /// The spelling in schemas and messages: `int`, `string`, `<Country>`; `[int]` is
  /// a list, `{int?}` a set of integers or nils, and `[string: int]` a map.
  public var description: String {
    switch self {
    case .any: "any"
    case .link(let target): "<\(target)>"
    case .list(let element): "[\(element)]"
    case .set(let element): "{\(element)}"
    case .map(let element): "[string: \(element)]"
    default: scalar?.name ?? ""
    }
  }

  /// Reads the spelling that ``description`` gives, or returns nil.
  public init?(_ description: String) {
    // By bytes: a name may begin with what joins the sign before it, as a combining accent does.
    let bytes = description.utf8
    func inside(_ prefix: String, _ suffix: String) -> String? {
      let inner = bytes.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
      guard !inner.isEmpty, bytes.starts(with: prefix.utf8),
        bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
      else { return nil }
      return String(Substring(inner))
    }
    if let target = inside("<", ">") {
      self = .link(to: target)
    } else if let element = inside("[string: ", "]").flatMap(ElementType.init) {
      self = .map(of: element)
    } else if let element = inside("[", "]").flatMap(ElementType.init) {
      self = .list(of: element)
    } else if let element = inside("{", "}").flatMap(ElementType.init) {
      self = .set(of: element)
    } else if let scalar = Self.scalars.first(where: { $0.description == description }) {
      self = scalar
    } else {
      return nil
    }
  }
}

extension ElementType: CustomStringConvertible {
  /// The spelling in schemas and messages: that of the type, with `?` behind when
  /// elements may be nil.
  public var description: String { isOptional ? "\(type)?" : "\(type)" }

  /// Reads the spelling that ``description`` gives, or returns nil.
  public init?(_ description: String) {
    let bytes = description.utf8
    let isOptional = bytes.last == UInt8(ascii: "?")
    guard let type = PropertyType(String(Substring(bytes.dropLast(isOptional ? 1 : 0)))),
      !type.isCollection
    else { return nil }
    self.init(type, isOptional: isOptional)
  }
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
