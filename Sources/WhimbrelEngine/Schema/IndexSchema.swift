/// An index of a class: of several properties, unique, or of the words of a text.
///
/// The index of one property that says no more is
/// ``PropertySchema/isIndexed``.
public struct IndexSchema: Hashable, Sendable {
  /// The names of the properties, the one that counts first in front.
  public var properties: [String]
  /// What the index is for.
  public var kind: IndexKind

  /// Makes an index of properties; by default it is an ordered one.
  public init(_ properties: [String], _ kind: IndexKind = .ordered) {
    self.properties = properties
    self.kind = kind
  }

  /// How many properties an index has at most.
  package static let propertyLimit = 8
}

/// What an index is for.
public enum IndexKind: String, Hashable, Sendable, Codable, CaseIterable {
  /// It has the objects in the order of their values.
  case ordered
  /// It is ordered, and no two objects have the same values; those that are nil do not
  /// count.
  case unique
  /// It has the words of a text: see `@Indexed`.
  case fullText
}

extension IndexSchema: Comparable {
  /// The order in which a class lists its indexes.
  public static func < (lhs: IndexSchema, rhs: IndexSchema) -> Bool {
    if lhs.properties != rhs.properties {
      return lhs.properties.lexicographicallyPrecedes(rhs.properties)
    }
    return lhs.kind.rawValue < rhs.kind.rawValue
  }
}

extension IndexSchema: CustomStringConvertible {
  /// The index as people read it: `unique index of 'country' and 'identifier'`.
  public var description: String {
    let names = properties.map(Sentence.quoted)
    let list =
      names.count > 1
      ? names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
      : names.joined()
    return switch kind {
    case .ordered: "index of \(list)"
    case .unique: "unique index of \(list)"
    case .fullText: "full-text index of \(list)"
    }
  }
}

/// An index is coded as an object that leaves out the kind of an ordered one:
/// `{"kind":"unique","properties":["country","identifier"]}`.
extension IndexSchema: Codable {
  private enum CodingKeys: String, CodingKey {
    case properties, kind
  }

  /// Reads an index.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    properties = try container.decode([String].self, forKey: .properties)
    kind = try container.decodeIfPresent(IndexKind.self, forKey: .kind) ?? .ordered
  }

  /// Writes the index.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(properties, forKey: .properties)
    if kind != .ordered { try container.encode(kind, forKey: .kind) }
  }
}
