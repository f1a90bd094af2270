/// An index of a class: of several properties, unique, or of the words of a text.
///
/// An ordinary index of one property is declared by ``PropertySchema/isIndexed``.
public struct IndexSchema: Hashable, Sendable {
  /// The names of the properties, in the order of the index.
  public var properties: [String]
  /// The kind of the index.
  public var kind: IndexKind

  /// Makes an index of properties. The default kind is ordered.
  public init(_ properties: [String], _ kind: IndexKind = .ordered) {
    self.properties = properties
    self.kind = kind
  }

  /// The maximum number of properties of an index.
  package static let propertyLimit = 8
}

/// The kind of an index.
public enum IndexKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// The objects are in the order of their values.
  case ordered
  /// The index is ordered, and no two objects have the same values. Objects with a nil among the
  /// values are exempt.
  case unique
  /// The index contains the words of a text: see `@Indexed`.
  case fullText
}

extension IndexSchema: Comparable {
  /// Returns whether the first index precedes the second in the list of a class.
  public static func < (lhs: IndexSchema, rhs: IndexSchema) -> Bool {
    if lhs.properties != rhs.properties {
      return lhs.properties.lexicographicallyPrecedes(rhs.properties)
    }
    return lhs.kind.rawValue < rhs.kind.rawValue
  }
}

extension IndexSchema: CustomStringConvertible {
  /// The text in messages: `unique index of 'country' and 'identifier'`.
  public var description: String {
    let noun =
      switch kind {
      case .ordered: "index"
      case .unique: "unique index"
      case .fullText: "full-text index"
      }
    let names = properties.map(Sentence.quoted)
    guard let last = names.last else { return noun }
    let list = names.count > 1 ? names.dropLast().joined(separator: ", ") + " and \(last)" : last
    return "\(noun) of \(list)"
  }
}

/// An index is coded as an object. The kind is omitted if it is ordered:
/// `{"kind":"unique","properties":["country","identifier"]}`.
extension IndexSchema: Codable {
  /// Reads an index.
  public init(from decoder: any Decoder) throws {
    try decoder.requireKnown(["properties", "kind"])
    let container = try decoder.container(keyedBy: SchemaKey.self)
    properties = try container.decode([String].self, forKey: "properties")
    guard let name = try container.decodeIfPresent(String.self, forKey: "kind") else {
      kind = .ordered
      return
    }
    guard let kind = IndexKind(rawValue: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: "kind", in: container,
        debugDescription: "'\(name)' is not 'ordered', 'unique' or 'fullText'.")
    }
    self.kind = kind
  }

  /// Writes the index.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(properties, forKey: "properties")
    if kind != .ordered { try container.encode(kind, forKey: "kind") }
  }
}
