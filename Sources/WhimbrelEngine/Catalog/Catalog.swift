package import Foundation

/// The catalog of a file: classes, properties, layouts and history.
///
/// It is stored as JSON under one key, so that a person can read it with `mdb_dump`. Only a change
/// of the schema writes it.
package struct Catalog: Hashable, Sendable {
  /// The classes in the order of their IDs, including those that the code no longer declares.
  package var classes: [CatalogClass] = []
  package var nextClassID = ClassID(rawValue: 1)
  /// The past migrations, oldest first.
  package var history: [MigrationHistoryEntry] = []

  package init() {}
}

/// A class in the catalog.
package struct CatalogClass: Hashable, Sendable {
  package let id: ClassID
  package var name: String
  /// Whether each object belongs to the object that links to it.
  package var isEmbedded: Bool
  /// Whether the code declares the class. The data of an undeclared class is kept.
  package var isDeclared: Bool
  /// The generation of the class's tables.
  package var generation: Generation
  package var nextGeneration: Generation
  /// Whether object IDs are the integer primary keys with the sign bit flipped. The class then has
  /// no key index.
  package var isClustered: Bool
  /// The properties, in the order declared.
  package var properties: [CatalogProperty]
  package var nextPropertyID: PropertyID
  /// The compound, unique and full-text indexes. Indexes of single properties and of links follow
  /// from the properties.
  package var indexes: [CatalogIndex] = []
  package var nextIndexID = IndexID(rawValue: 1)
  /// All layouts that records may still have.
  package var layouts: [RecordLayout]
  /// The layout in which records are written.
  package var currentLayout: LayoutID
  /// Whether the index entries of the class have checksums. In files of format 3 and earlier they
  /// have none.
  package var guardsIndexes = true
  /// The salt of the class's checksums. It distinguishes the records, overflow and index entries of
  /// the class from those of the same class in another store: see ``ChecksumSalt``.
  package var salt = ChecksumSalt.none
  /// The transition of the class, or nil if all objects have the class's shape.
  package var transition: ClassTransition?
  /// Whether only the reading app declares the class. Never set in a file.
  package var isMissing = false
}

/// An index in the catalog.
package struct CatalogIndex: Hashable, Sendable {
  package let id: IndexID
  package var kind: IndexKind
  /// The indexed properties, most significant first.
  package var properties: [PropertyID]
}

/// A property in the catalog.
package struct CatalogProperty: Hashable, Sendable {
  package let id: PropertyID
  package var name: String
  package var type: PropertyType
  package var isOptional: Bool
  package var isPrimaryKey: Bool
  package var isIndexed: Bool
  package var defaultValue: PropertyDefault
  package var cases: [String]?
  /// The value for records that were written before the property was added.
  package var fill: PropertyValue
  /// The value that replaced nil if the property was made required.
  package var nilFill: PropertyValue
  /// The property whose stored values this one is read from while a migration converts them. Never
  /// set in a file.
  package var source: PropertyID?
  /// The side that has the property: the file, the reading app, or both. Always `shared` in a file.
  package var scope = Scope.shared

  /// The owner of a property definition: see ``LoadedCatalog/shown(to:)``.
  package enum Scope: Hashable, Sendable {
    case shared, fileOnly, appOnly
  }
}

extension CatalogProperty {
  package init(
    id: PropertyID, _ schema: PropertySchema, fill: PropertyValue, nilFill: PropertyValue
  ) {
    self.id = id
    name = schema.name
    type = schema.type
    isOptional = schema.isOptional
    isPrimaryKey = schema.isPrimaryKey
    isIndexed = schema.isIndexed
    defaultValue = schema.defaultValue
    cases = schema.cases
    self.fill = fill
    self.nilFill = nilFill
  }

  /// Takes over the declaration in the code. The ID and the fill values stay.
  package mutating func adopt(_ schema: PropertySchema) {
    var adopted = CatalogProperty(id: id, schema, fill: fill, nilFill: nilFill)
    (adopted.source, adopted.scope) = (source, scope)
    self = adopted
  }

  /// The property as part of a schema.
  package var schema: PropertySchema {
    PropertySchema(
      name: name, type: type, isOptional: isOptional, isPrimaryKey: isPrimaryKey,
      isIndexed: isIndexed, defaultValue: defaultValue, cases: cases)
  }

  /// Whether a table maps values of this property to objects. Properties that hold links always
  /// have one, to find the objects that link to an object.
  package var hasIndex: Bool { (isIndexed && !isPrimaryKey) || type.holdsLinks }
}

extension CatalogProperty {
  /// Returns the value of a property that was not set, or nil if it must be set.
  package func makeDefault(_ generator: (@Sendable () -> PropertyValue)?) -> PropertyValue? {
    switch defaultValue {
    case .value(let value): value
    // `.none`, not `nil`: a nil literal here would mean the property value null.
    case .generated: generator.map { $0() } ?? (isOptional ? .some(.null) : .none)
    case .none: emptyValue
    }
  }

  /// The empty value of the property, or nil if it has none.
  var emptyValue: PropertyValue? { isOptional ? .some(.null) : type.emptyValue }
}

extension PropertyType {
  /// Whether values of this type can lead to objects.
  package var holdsLinks: Bool {
    linkedClass != nil || self == .any || elementType?.type == .any
  }

  /// The natural value of a property that was not set: null for values of any type, and empty for
  /// collections. Other types have none.
  package var emptyValue: PropertyValue? {
    switch self {
    case .any: .null
    case .list, .set: .list([])
    case .map: .map([:])
    default: nil
    }
  }
}

extension CatalogClass {
  /// The class as part of a schema.
  package var schema: ClassSchema {
    ClassSchema(
      name: name, isEmbedded: isEmbedded, properties: properties.map(\.schema),
      indexes: indexes.map(schema(of:)))
  }

  /// Returns an index of the class as part of a schema.
  func schema(of index: CatalogIndex) -> IndexSchema {
    let names = index.properties.compactMap { id in properties.first { $0.id == id }?.name }
    return IndexSchema(names, index.kind)
  }

  /// The position of the primary key among the properties, or nil.
  package var primaryKeyIndex: Int? { properties.firstIndex { $0.isPrimaryKey } }

  /// The layout in which records are written.
  package var writtenLayout: RecordLayout? { layouts.first { $0.id == currentLayout } }

  /// The number for a new layout.
  var nextLayoutID: LayoutID {
    LayoutID(rawValue: (layouts.map(\.id.rawValue).max() ?? 0) + 1)
  }
}

extension Catalog {
  /// The schema that the code declared last.
  package var schema: StoreSchema {
    StoreSchema(classes: classes.filter(\.isDeclared).map(\.schema))
  }

  /// The class with a name, declared or not.
  package subscript(name: String) -> CatalogClass? { classes.first { $0.name == name } }

  /// The class with an ID, declared or not.
  subscript(id: ClassID) -> CatalogClass? { classes.first { $0.id == id } }

  /// Decodes a catalog and checks that it is consistent, because a file can contain anything.
  package init(json: Data) throws {
    self = try JSONDecoder().decode(Catalog.self, from: json)
    if let problem = firstProblem { throw CatalogProblem(description: problem) }
  }

  /// Encodes the catalog as text. Equal catalogs give equal text.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// The largest number accepted from a file. Sound files stay far below it, and the margin keeps
  /// the next numbers from overflowing.
  private static let largestNumber: UInt32 = 1 << 30
  private static let largestLayout: UInt16 = 1 << 15
  /// The counts of objects accepted from a file.
  static let objectCounts = 0...1 << 48

  private var firstProblem: String? {
    if nextClassID.rawValue > Self.largestNumber { return "its class IDs are used up" }
    if classes.map(\.id.rawValue).hasDuplicates { return "two classes have the same ID" }
    if classes.contains(where: { $0.id.rawValue >= nextClassID.rawValue }) {
      return "its next class ID is already in use"
    }
    if classes.map(\.name).hasDuplicates { return "two classes have the same name" }
    if history.contains(where: { !Self.objectCounts.contains($0.objects) }) {
      return "its history has an impossible number of objects"
    }
    for entry in classes {
      let numbers = [
        entry.id.rawValue, entry.generation.rawValue, entry.nextGeneration.rawValue,
        entry.nextPropertyID.rawValue, entry.nextIndexID.rawValue,
      ]
      if numbers.contains(where: { $0 > Self.largestNumber })
        || entry.layouts.contains(where: { $0.id.rawValue > Self.largestLayout })
      {
        return "the numbers of class '\(entry.name)' are used up"
      }
      if entry.writtenLayout == nil { return "class '\(entry.name)' has no current layout" }
      if entry.layouts.map(\.id.rawValue).hasDuplicates {
        return "two layouts of class '\(entry.name)' have the same number"
      }
      if entry.layouts.contains(where: { !$0.isValid }) {
        return "class '\(entry.name)' has an invalid layout"
      }
      if entry.properties.map(\.id.rawValue).hasDuplicates {
        return "two properties of class '\(entry.name)' have the same ID"
      }
      // Otherwise a migration would give a new property the ID of another one.
      let propertyIDs =
        entry.properties.map(\.id) + entry.layouts.flatMap { $0.fields.map(\.property) }
      if propertyIDs.contains(where: { $0.rawValue >= entry.nextPropertyID.rawValue }) {
        return "the next property ID of class '\(entry.name)' is already in use"
      }
      if entry.properties.map(\.name).hasDuplicates {
        return "two properties of class '\(entry.name)' have the same name"
      }
      if let layout = entry.writtenLayout {
        if layout.fields.map(\.property.rawValue).hasDuplicates {
          return "a layout of class '\(entry.name)' contains a property twice"
        }
        let laidOut = Dictionary(
          keepingFirst: layout.fields.map { (Int($0.property.rawValue), $0.type) })
        let isComplete = entry.properties.allSatisfy { property in
          laidOut[Int(property.id.rawValue)].map { $0.hasSameStorage(as: property.type) } ?? false
        }
        if !isComplete {
          return "the current layout of class '\(entry.name)' lacks a property"
        }
      }
      if let problem = entry.indexProblem ?? entry.transitionProblem { return problem }
      for property in entry.properties {
        if let target = property.type.linkedClass, self[target] == nil {
          return "property '\(entry.name).\(property.name)' links to a class that does not exist"
        }
      }
    }
    return nil
  }
}

extension Array where Element: Comparable {
  /// Whether two elements are equal. No set is made: each opening would pay for its type, as
  /// ``SchemaKey`` says.
  var hasDuplicates: Bool {
    let ordered = sorted()
    return zip(ordered, ordered.dropFirst()).contains { $0 == $1 }
  }
}

/// A contradiction in a catalog.
package struct CatalogProblem: Error, CustomStringConvertible {
  package let description: String
}
