/// A change is coded as a flat object that names its kind:
/// `{"class":"Zone","from":"name","kind":"propertyRenamed","to":"identifier"}`.
extension SchemaChange: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind, property, from, to, isEmbedded, index
    case className = "class"
  }

  private enum Kind: String, Codable {
    case classAdded, classRemoved, classRenamed, propertyAdded, propertyRemoved, propertyRenamed,
      propertyRetyped, madeOptional, madeRequired, primaryKeyAdded, primaryKeyRemoved,
      primaryKeyChanged, indexAdded, indexRemoved, classIndexAdded, classIndexRemoved,
      defaultChanged, casesChanged, embeddingChanged, reordered
  }

  private var kind: Kind {
    switch self {
    case .classAdded: .classAdded
    case .classRemoved: .classRemoved
    case .classRenamed: .classRenamed
    case .propertyAdded: .propertyAdded
    case .propertyRemoved: .propertyRemoved
    case .propertyRenamed: .propertyRenamed
    case .propertyRetyped: .propertyRetyped
    case .madeOptional: .madeOptional
    case .madeRequired: .madeRequired
    case .primaryKeyAdded: .primaryKeyAdded
    case .primaryKeyRemoved: .primaryKeyRemoved
    case .primaryKeyChanged: .primaryKeyChanged
    case .indexAdded: .indexAdded
    case .indexRemoved: .indexRemoved
    case .classIndexAdded: .classIndexAdded
    case .classIndexRemoved: .classIndexRemoved
    case .defaultChanged: .defaultChanged
    case .casesChanged: .casesChanged
    case .embeddingChanged: .embeddingChanged
    case .reordered: .reordered
    }
  }

  /// Reads a change.
  ///
  /// - Throws: `DecodingError` if the kind is unknown or a name is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String {
      try container.decode(String.self, forKey: key)
    }
    func type(_ key: CodingKeys) throws -> PropertyType {
      try container.decode(PropertyType.self, forKey: key)
    }
    let name = try text(.className)
    self =
      switch try container.decode(Kind.self, forKey: .kind) {
      case .classAdded: .classAdded(class: name)
      case .classRemoved: .classRemoved(class: name)
      case .classRenamed: .classRenamed(from: try text(.from), to: name)
      case .propertyAdded: .propertyAdded(class: name, property: try text(.property))
      case .propertyRemoved: .propertyRemoved(class: name, property: try text(.property))
      case .propertyRenamed:
        .propertyRenamed(class: name, from: try text(.from), to: try text(.to))
      case .propertyRetyped:
        .propertyRetyped(
          class: name, property: try text(.property), from: try type(.from), to: try type(.to))
      case .madeOptional: .madeOptional(class: name, property: try text(.property))
      case .madeRequired: .madeRequired(class: name, property: try text(.property))
      case .primaryKeyAdded: .primaryKeyAdded(class: name, property: try text(.property))
      case .primaryKeyRemoved: .primaryKeyRemoved(class: name, property: try text(.property))
      case .primaryKeyChanged:
        .primaryKeyChanged(class: name, from: try text(.from), to: try text(.to))
      case .indexAdded: .indexAdded(class: name, property: try text(.property))
      case .indexRemoved: .indexRemoved(class: name, property: try text(.property))
      case .classIndexAdded:
        .classIndexAdded(
          class: name, index: try container.decode(IndexSchema.self, forKey: .index))
      case .classIndexRemoved:
        .classIndexRemoved(
          class: name, index: try container.decode(IndexSchema.self, forKey: .index))
      case .defaultChanged: .defaultChanged(class: name, property: try text(.property))
      case .casesChanged: .casesChanged(class: name, property: try text(.property))
      case .embeddingChanged:
        .embeddingChanged(
          class: name, isEmbedded: try container.decode(Bool.self, forKey: .isEmbedded))
      case .reordered: .reordered(class: name)
      }
  }

  /// Writes the change.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encode(className, forKey: .className)
    switch self {
    case .propertyRenamed(_, let old, let new), .primaryKeyChanged(_, let old, let new):
      try container.encode(old, forKey: .from)
      try container.encode(new, forKey: .to)
    case .classRenamed(let old, _):
      try container.encode(old, forKey: .from)
    case .propertyRetyped(_, let property, let old, let new):
      try container.encode(property, forKey: .property)
      try container.encode(old, forKey: .from)
      try container.encode(new, forKey: .to)
    case .classIndexAdded(_, let index), .classIndexRemoved(_, let index):
      try container.encode(index, forKey: .index)
    case .embeddingChanged(_, let isEmbedded):
      try container.encode(isEmbedded, forKey: .isEmbedded)
    default:
      try container.encodeIfPresent(propertyName, forKey: .property)
    }
  }
}
