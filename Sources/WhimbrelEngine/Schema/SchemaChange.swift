/// One difference between two schemas.
public enum SchemaChange: Hashable, Sendable {
  /// The class is new.
  case classAdded(class: String)
  /// The class is no longer in the code. Its data stays in the store.
  case classRemoved(class: String)
  /// The class has a new name. `from` is the old name.
  case classRenamed(from: String, to: String)
  /// The property is new.
  case propertyAdded(class: String, property: String)
  /// The property was removed.
  case propertyRemoved(class: String, property: String)
  /// The property has a new name. `from` is the old name.
  case propertyRenamed(class: String, from: String, to: String)
  /// The property has a new type.
  case propertyRetyped(class: String, property: String, from: PropertyType, to: PropertyType)
  /// The property became optional.
  case madeOptional(class: String, property: String)
  /// The property became required.
  case madeRequired(class: String, property: String)
  /// The class has a primary key, which it did not have before.
  case primaryKeyAdded(class: String, property: String)
  /// The class no longer has a primary key.
  case primaryKeyRemoved(class: String, property: String)
  /// Another property is the primary key.
  case primaryKeyChanged(class: String, from: String, to: String)
  /// The property has an index, which it did not have before.
  case indexAdded(class: String, property: String)
  /// The property no longer has an index.
  case indexRemoved(class: String, property: String)
  /// The class has a new index: of several properties, unique or full-text.
  case classIndexAdded(class: String, index: IndexSchema)
  /// The class no longer has an index of several properties, or a unique or full-text one.
  case classIndexRemoved(class: String, index: IndexSchema)
  /// New objects get another default value.
  case defaultChanged(class: String, property: String)
  /// The enum of the property has other cases.
  case casesChanged(class: String, property: String)
  /// The objects of the class became embedded in their owners, or are no longer embedded.
  case embeddingChanged(class: String, isEmbedded: Bool)
  /// The properties are declared in another order.
  case reordered(class: String)
}

extension SchemaChange {
  /// The name of the class that changes.
  public var className: String { names.class }

  /// The name of the property that changes, after the change, or nil if the change is not about one
  /// property.
  public var propertyName: String? { names.property }

  private var names: (class: String, property: String?) {
    switch self {
    case .classAdded(let name), .classRemoved(let name), .classRenamed(_, let name),
      .embeddingChanged(let name, _), .reordered(let name):
      (name, nil)
    case .classIndexAdded(let name, let index), .classIndexRemoved(let name, let index):
      (name, index.properties.count == 1 ? index.properties[0] : nil)
    case .propertyAdded(let name, let property), .propertyRemoved(let name, let property),
      .propertyRenamed(let name, _, let property), .propertyRetyped(let name, let property, _, _),
      .madeOptional(let name, let property), .madeRequired(let name, let property),
      .primaryKeyAdded(let name, let property), .primaryKeyRemoved(let name, let property),
      .primaryKeyChanged(let name, _, let property), .indexAdded(let name, let property),
      .indexRemoved(let name, let property), .defaultChanged(let name, let property),
      .casesChanged(let name, let property):
      (name, property)
    }
  }

  /// Whether a store accepts this change without a new schema version. It does if all values stay
  /// as they are.
  public var isAllowedWithoutVersionChange: Bool {
    switch self {
    case .classAdded, .classRemoved, .indexAdded, .indexRemoved, .classIndexAdded,
      .classIndexRemoved, .defaultChanged, .casesChanged, .reordered:
      true
    case .classRenamed, .propertyAdded, .propertyRemoved, .propertyRenamed, .propertyRetyped,
      .madeOptional, .madeRequired, .primaryKeyAdded, .primaryKeyRemoved, .primaryKeyChanged,
      .embeddingChanged:
      false
    }
  }
}

extension SchemaChange: CustomStringConvertible {
  /// The change as a sentence.
  public var description: String {
    switch self {
    case .classAdded(let name): "Class '\(name)' has been added."
    case .classRemoved(let name): "Class '\(name)' has been removed."
    case .classRenamed(let old, let new): "Class '\(old)' has been renamed to '\(new)'."
    case .propertyAdded(let name, let property):
      "Property '\(name).\(property)' has been added."
    case .propertyRemoved(let name, let property):
      "Property '\(name).\(property)' has been removed."
    case .propertyRenamed(let name, let old, let new):
      "Property '\(name).\(old)' has been renamed to '\(new)'."
    case .propertyRetyped(let name, let property, let old, let new):
      "Property '\(name).\(property)' has been changed from '\(old)' to '\(new)'."
    case .madeOptional(let name, let property):
      "Property '\(name).\(property)' has been made optional."
    case .madeRequired(let name, let property):
      "Property '\(name).\(property)' has been made required."
    case .primaryKeyAdded(let name, _): "Primary Key for class '\(name)' has been added."
    case .primaryKeyRemoved(let name, _): "Primary Key for class '\(name)' has been removed."
    case .primaryKeyChanged(let name, let old, let new):
      "Primary Key for class '\(name)' has changed from '\(old)' to '\(new)'."
    case .indexAdded(let name, let property):
      "Property '\(name).\(property)' has been made indexed."
    case .indexRemoved(let name, let property):
      "Property '\(name).\(property)' has been made unindexed."
    case .classIndexAdded(let name, let index):
      "\(index.kind == .ordered ? "An" : "A") \(index) of class '\(name)' has been added."
    case .classIndexRemoved(let name, let index):
      "The \(index) of class '\(name)' has been removed."
    case .defaultChanged(let name, let property):
      "The default value of property '\(name).\(property)' has changed."
    case .casesChanged(let name, let property):
      "The cases of property '\(name).\(property)' have changed."
    case .embeddingChanged(let name, let isEmbedded):
      "Class '\(name)' has been made \(isEmbedded ? "embedded" : "top-level")."
    case .reordered(let name): "The properties of class '\(name)' have been reordered."
    }
  }
}
