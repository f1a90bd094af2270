/// The differences between two schemas, one value for each change.
///
/// ```swift
/// for change in SchemaDifference(from: old, to: new).changes {
///   print(change)  // Property 'Zone.name' has been renamed to 'identifier'.
/// }
/// ```
///
/// A property can change in several ways at once. Each is a separate change, with the new name of
/// the property.
public struct SchemaDifference: Hashable, Sendable {
  /// The changes, in the order of class names. Within a class, removed properties come first, then
  /// the others in the order of the new schema, then changes of the class as a whole.
  public let changes: [SchemaChange]

  /// Compares two schemas.
  ///
  /// - Complexity: O(*n* log *n*) in the number of classes, and O(*m*) in the number of properties.
  public init(from old: StoreSchema, to new: StoreSchema) {
    let newNames = new.classRenames(from: Set(old.classes.map(\.name)))
    let oldNames = Dictionary(keepingFirst: newNames.map { ($1, $0) })
    let old = old.renamingClasses(newNames)
    let oldClasses = Dictionary(keepingFirst: old.classes.map { ($0.name, $0) })
    let newClasses = Dictionary(keepingFirst: new.classes.map { ($0.name, $0) })
    let names = Set(oldClasses.keys).union(newClasses.keys)
    changes = names.sorted().flatMap { name -> [SchemaChange] in
      switch (oldClasses[name], newClasses[name]) {
      case (let old?, let new?):
        (oldNames[name].map { [.classRenamed(from: $0, to: name)] } ?? [])
          + ClassComparison(from: old, to: new).changes
      case (nil, _): [.classAdded(class: name)]
      case (_, nil): [.classRemoved(class: name)]
      }
    }
  }

  /// Whether the schemas are the same.
  public var isEmpty: Bool { changes.isEmpty }
}

/// The properties of an old class and of the new one that match, by name.
///
/// Properties with the same name match. A property that the old class does not have matches one of
/// its previous names: the first that the old class has, that the new class does not have, and that
/// no other property has taken.
package struct PropertyMatching: Sendable {
  /// The new names by the old names, of properties that both classes have.
  package let newNames: [String: String]
  /// The old names by the new names, of properties that both classes have.
  package let oldNames: [String: String]

  package init(from old: ClassSchema, to new: ClassSchema) {
    let before = Set(old.properties.map(\.name))
    let after = Set(new.properties.map(\.name))
    var newNames: [String: String] = [:]
    var oldNames: [String: String] = [:]
    for property in new.properties {
      let source =
        before.contains(property.name)
        ? property.name
        : property.previousNames.first {
          before.contains($0) && !after.contains($0) && newNames[$0] == nil
        }
      guard let source else { continue }
      newNames[source] = property.name
      oldNames[property.name] = source
    }
    self.newNames = newNames
    self.oldNames = oldNames
  }
}

/// The comparison of two shapes of one class.
private struct ClassComparison {
  let name: String
  let matching: PropertyMatching
  var changes: [SchemaChange] = []

  init(from old: ClassSchema, to new: ClassSchema) {
    name = new.name
    matching = PropertyMatching(from: old, to: new)
    let sources = Dictionary(keepingFirst: old.properties.map { ($0.name, $0) })
    for property in old.properties where matching.newNames[property.name] == nil {
      changes.append(.propertyRemoved(class: name, property: property.name))
    }
    for property in new.properties {
      if let source = matching.oldNames[property.name].flatMap({ sources[$0] }) {
        compare(source, property)
      } else {
        changes.append(.propertyAdded(class: name, property: property.name))
      }
    }
    comparePrimaryKeys(old.primaryKey?.name, new.primaryKey?.name)
    compareIndexes(old.indexes, new.indexes)
    if old.isEmbedded != new.isEmbedded {
      changes.append(.embeddingChanged(class: name, isEmbedded: new.isEmbedded))
    }
    // Added and removed properties do not count as a new order.
    let before = old.properties.compactMap { matching.newNames[$0.name] }
    let after = new.properties.map(\.name).filter { matching.oldNames[$0] != nil }
    if before != after { changes.append(.reordered(class: name)) }
  }

  private mutating func compare(_ old: PropertySchema, _ new: PropertySchema) {
    if old.name != new.name {
      changes.append(.propertyRenamed(class: name, from: old.name, to: new.name))
    }
    if old.type != new.type {
      changes.append(
        .propertyRetyped(class: name, property: new.name, from: old.type, to: new.type))
    }
    // Links are always optional, and collections and `any` never are. A change to or from them is
    // already reported as a change of the type.
    let canDiffer = old.type == new.type || old.type.canBeEither && new.type.canBeEither
    if old.isOptional != new.isOptional, canDiffer {
      changes.append(
        new.isOptional
          ? .madeOptional(class: name, property: new.name)
          : .madeRequired(class: name, property: new.name))
    }
    if old.isIndexed != new.isIndexed {
      changes.append(
        new.isIndexed
          ? .indexAdded(class: name, property: new.name)
          : .indexRemoved(class: name, property: new.name))
    }
    if !old.defaultValue.isIdentical(to: new.defaultValue) {
      changes.append(.defaultChanged(class: name, property: new.name))
    }
    if old.cases != new.cases {
      changes.append(.casesChanged(class: name, property: new.name))
    }
  }

  /// Compares the names of the primary keys. A renamed key is the same key.
  private mutating func comparePrimaryKeys(_ old: String?, _ new: String?) {
    switch (old, new) {
    case (nil, nil): break
    case (nil, let new?): changes.append(.primaryKeyAdded(class: name, property: new))
    case (let old?, nil): changes.append(.primaryKeyRemoved(class: name, property: old))
    case (let old?, let new?):
      if matching.newNames[old] != new {
        changes.append(.primaryKeyChanged(class: name, from: old, to: new))
      }
    }
  }
}

extension ClassComparison {
  /// Compares the indexes. An index whose properties are renamed is the same index.
  private mutating func compareIndexes(_ old: [IndexSchema], _ new: [IndexSchema]) {
    func renamed(_ index: IndexSchema) -> IndexSchema? {
      let names = index.properties.compactMap { matching.newNames[$0] }
      return names.count == index.properties.count ? IndexSchema(names, index.kind) : nil
    }
    let kept = Set(old.compactMap(renamed))
    for index in old where renamed(index).map(new.contains) != true {
      changes.append(.classIndexRemoved(class: name, index: index))
    }
    for index in new where !kept.contains(index) {
      changes.append(.classIndexAdded(class: name, index: index))
    }
  }
}

extension PropertyType {
  /// Whether properties of this type can be optional or required.
  fileprivate var canBeEither: Bool { linkTarget == nil && !isCollection && self != .any }
}
