/// What distinguishes two schemas, one value for each change.
///
/// ```swift
/// for change in SchemaDifference(from: old, to: new).changes {
///   print(change)  // Property 'Zone.name' has been renamed to 'identifier'.
/// }
/// ```
///
/// A property can change in several ways at once; each is a change of its own,
/// under the property's new name.
public struct SchemaDifference: Hashable, Sendable {
  /// The changes in the order of the names of the classes; within a class, first
  /// the properties that are gone, then the others in the order of the new
  /// schema, and then what concerns the class as a whole.
  public let changes: [SchemaChange]

  /// Compares two schemas.
  ///
  /// - Complexity: O(*n* log *n*) in the number of classes, and O(*m*) in that of
  ///   properties.
  public init(from old: StoreSchema, to new: StoreSchema) {
    let newNames = new.classRenames(from: Set(old.classes.map(\.name)))
    let oldNames = Dictionary(newNames.map { ($1, $0) }) { first, _ in first }
    let old = old.renamingClasses(newNames)
    let oldClasses = Dictionary(old.classes.map { ($0.name, $0) }) { first, _ in first }
    let newClasses = Dictionary(new.classes.map { ($0.name, $0) }) { first, _ in first }
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

  /// Whether the schemas do not differ.
  public var isEmpty: Bool { changes.isEmpty }
}

/// Which property of an old class is which of the new one, by their names.
///
/// A property is the one of the same name. A property that the old class does
/// not have is the one that has the first of its previous names, if that
/// property is gone from the new class and no other has taken it over.
package struct PropertyMatching: Sendable {
  /// The new names by the old ones, of the properties that both classes have.
  package let newNames: [String: String]
  /// The old names by the new ones, of the properties that both classes have.
  package let oldNames: [String: String]

  /// Matches the properties of two shapes of a class.
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
    let sources = Dictionary(old.properties.map { ($0.name, $0) }) { first, _ in first }
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
    // What came or went is no change of the order.
    let before = old.properties.compactMap { matching.newNames[$0.name] }
    let after = new.properties.map(\.name).filter { matching.oldNames[$0] != nil }
    if before != after { changes.append(.reordered(class: name)) }
  }

  /// Compares a property with what it has become.
  private mutating func compare(_ old: PropertySchema, _ new: PropertySchema) {
    if old.name != new.name {
      changes.append(.propertyRenamed(class: name, from: old.name, to: new.name))
    }
    if old.type != new.type {
      changes.append(
        .propertyRetyped(class: name, property: new.name, from: old.type, to: new.type))
    }
    // Links are always optional, collections and `any` never: that says their type.
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

  /// Compares the names of the primary keys; a key that is renamed is the same.
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
  /// Compares the indexes; one whose properties are renamed is the same.
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
  /// Whether it is not the type that says if there may be nil.
  fileprivate var canBeEither: Bool { linkTarget == nil && !isCollection && self != .any }
}
