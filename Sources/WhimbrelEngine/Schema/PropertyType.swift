/// The type of a stored property.
///
/// The type does not include whether the property can be nil: see ``PropertySchema/isOptional``.
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
  /// A date, stored without loss as the seconds since 2001-01-01 00:00 UTC that `Date` uses.
  case date
  /// A universally unique identifier of 16 bytes.
  case uuid
  /// An exact decimal number of up to 38 digits.
  case decimal
  /// An identifier of 12 bytes: see ``ObjectId``.
  case objectId
  /// A value of any type, including nil: see `AnyValue`.
  case any
  /// A link to an object of the named class. Links are always optional.
  case link(to: String)
  /// Values in order, with duplicates.
  case list(of: ElementType)
  /// Values without order and without duplicates.
  case set(of: ElementType)
  /// Values by name.
  case map(of: ElementType)
}

/// The type of the elements of a collection.
public struct ElementType: Hashable, Sendable {
  /// The type of an element, which is never a collection.
  public var type: PropertyType
  /// Whether an element can be nil. Links in collections cannot.
  public var isOptional: Bool

  /// Makes the type of elements. By default they are not optional.
  public init(_ type: PropertyType, isOptional: Bool = false) {
    self.type = type
    self.isOptional = isOptional
  }
}

extension PropertyType {
  /// The class that a link leads to, or nil if this is not a link.
  public var linkTarget: String? {
    guard case .link(let target) = self else { return nil }
    return target
  }

  /// The class that a link, or the links in a collection, lead to. Nil if there are no links.
  public var linkedClass: String? { linkTarget ?? elementType?.type.linkTarget }

  /// The type of the elements, or nil if this is not a collection.
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
  /// The notation in schemas and messages: `int`, `string`, `<Country>`; `[int]` is a list,
  /// `{int?}` a set of optional integers, and `[string: int]` a map.
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

  /// Reads the notation of ``description``, or returns nil if the text is not valid.
  public init?(_ description: String) {
    // Compares bytes, not characters: a name can begin with a combining accent, which joins the
    // sign before it.
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
  /// The notation in schemas and messages: the type, with a trailing `?` if elements are optional.
  public var description: String { isOptional ? "\(type)?" : "\(type)" }

  /// Reads the notation of ``description``, or returns nil if the text is not valid.
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
  /// Reads the notation of ``description``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let spelling = try container.decode(String.self)
    guard let type = PropertyType(spelling) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(spelling)' is not the type of a property.")
    }
    self = type
  }

  /// Writes the notation of ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
