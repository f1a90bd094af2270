package import Foundation

/// What the file knows of itself: classes, properties, layouts and history.
///
/// It is stored as JSON under one key, so that a person with `mdb_dump` can read
/// it. Only a change of the schema writes it.
package struct Catalog: Hashable, Sendable, Codable {
  /// The classes, in the order of their IDs; those that the code no longer
  /// declares too.
  package var classes: [CatalogClass] = []
  package var nextClassID = ClassID(rawValue: 1)
  /// The migrations that have been run, oldest first.
  package var history: [MigrationHistoryEntry] = []

  package init() {}
}

/// A class, as the file knows it.
package struct CatalogClass: Hashable, Sendable {
  package let id: ClassID
  package var name: String
  /// Whether objects belong to the object that links to them.
  package var isEmbedded: Bool
  /// Whether the code declares the class; if not, its data is kept all the same.
  package var isDeclared: Bool
  /// Which table has the objects.
  package var generation: Generation
  package var nextGeneration: Generation
  /// Whether the object IDs are the integer primary keys, with the sign bit
  /// flipped; there is no key index then.
  package var isClustered: Bool
  /// The properties, in the order declared.
  package var properties: [CatalogProperty]
  package var nextPropertyID: PropertyID
  /// The indexes but those of single properties, which say so themselves, and those of links.
  package var indexes: [CatalogIndex] = []
  package var nextIndexID = IndexID(rawValue: 1)
  /// Every layout that records may still have.
  package var layouts: [RecordLayout]
  /// The layout that is written.
  package var currentLayout: LayoutID
  /// Whether only the app that reads the file has the class; never set in a file.
  package var isMissing = false
}

/// An index, as the file knows it.
package struct CatalogIndex: Hashable, Sendable, Codable {
  package let id: IndexID
  package var kind: IndexKind
  /// The properties, the one that counts first in front.
  package var properties: [PropertyID]
}

/// A property, as the file knows it.
package struct CatalogProperty: Hashable, Sendable, Codable {
  package let id: PropertyID
  package var name: String
  package var type: PropertyType
  package var isOptional: Bool
  package var isPrimaryKey: Bool
  package var isIndexed: Bool
  package var defaultValue: PropertyDefault
  package var cases: [String]?
  /// What records have that were written before the property was added.
  package var fill: PropertyValue
  /// What nil became when the property was made required.
  package var nilFill: PropertyValue
  /// The property whose stored values this one is read from, while a migration
  /// converts them; never set in a file.
  package var source: PropertyID?
  /// Whether the file and the app that reads it both have the property; a file has nothing else.
  package var scope = Scope.shared

  /// Who has a property: see ``LoadedCatalog/shown(to:)``.
  package enum Scope: Hashable, Sendable {
    case shared, fileOnly, appOnly
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, type, isOptional, isPrimaryKey, isIndexed, defaultValue, cases, fill, nilFill
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

  /// Takes over what the code declares, and keeps the identity and the fills.
  package mutating func adopt(_ schema: PropertySchema) {
    name = schema.name
    type = schema.type
    isOptional = schema.isOptional
    isPrimaryKey = schema.isPrimaryKey
    isIndexed = schema.isIndexed
    defaultValue = schema.defaultValue
    cases = schema.cases
  }

  /// The property as a schema has it.
  package var schema: PropertySchema {
    PropertySchema(
      name: name, type: type, isOptional: isOptional, isPrimaryKey: isPrimaryKey,
      isIndexed: isIndexed, defaultValue: defaultValue, cases: cases)
  }

  /// Whether there is a table from values of this property to objects. What holds
  /// links always has one: it finds what links to an object.
  package var hasIndex: Bool { (isIndexed && !isPrimaryKey) || type.holdsLinks }
}

extension CatalogProperty {
  /// The value of an object that was given none, or nil when it must be given one.
  package func makeDefault(_ generator: (@Sendable () -> PropertyValue)?) -> PropertyValue? {
    switch defaultValue {
    case .value(let value): value
    // Not with '??': nil would be a value, since values are literals of nil too.
    case .generated: generator.map { $0() } ?? (isOptional ? .some(.null) : .none)
    case .none: isOptional ? .null : type.emptyValue
    }
  }
}

extension PropertyType {
  /// Whether values of this type can lead to objects.
  package var holdsLinks: Bool {
    linkedClass != nil || self == .any || elementType?.type == .any
  }

  /// What stands for a value that nobody has given, where that goes without
  /// saying: nil for values of any type, and collections are empty.
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
  /// The class as a schema has it.
  package var schema: ClassSchema {
    let names = Dictionary(
      properties.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return ClassSchema(
      name: name, isEmbedded: isEmbedded, properties: properties.map(\.schema),
      indexes: indexes.map { index in
        IndexSchema(index.properties.compactMap { names[$0] }, index.kind)
      })
  }

  /// Where the primary key stands among the properties.
  package var primaryKeyIndex: Int? { properties.firstIndex { $0.isPrimaryKey } }

  /// The layout that is written.
  package var writtenLayout: RecordLayout? { layouts.first { $0.id == currentLayout } }
}

extension Catalog {
  /// The schema that the code declared last.
  package var schema: StoreSchema {
    StoreSchema(classes: classes.filter(\.isDeclared).map(\.schema))
  }

  /// The class with a name, declared or not.
  package subscript(name: String) -> CatalogClass? { classes.first { $0.name == name } }

  /// Reads a catalog and checks that it holds together: a file can say anything.
  package init(json: Data) throws {
    self = try JSONDecoder().decode(Catalog.self, from: json)
    if let problem = firstProblem { throw CatalogProblem(description: problem) }
  }

  /// The catalog as text, the same for the same catalog.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// Numbers that are given out beyond this are those of no honest file; staying
  /// below leaves room to count on.
  private static let largestNumber: UInt32 = 1 << 30
  private static let largestLayout: UInt16 = 1 << 15

  private var firstProblem: String? {
    if nextClassID.rawValue > Self.largestNumber { return "its class IDs are used up" }
    if Set(classes.map(\.id)).count != classes.count { return "two classes have the same ID" }
    if Set(classes.map(\.name)).count != classes.count { return "two classes have the same name" }
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
      if Set(entry.layouts.map(\.id)).count != entry.layouts.count {
        return "two layouts of class '\(entry.name)' have the same number"
      }
      if entry.layouts.contains(where: { !$0.isValid }) {
        return "class '\(entry.name)' has an impossible layout"
      }
      if Set(entry.properties.map(\.id)).count != entry.properties.count {
        return "two properties of class '\(entry.name)' have the same ID"
      }
      if Set(entry.properties.map(\.name)).count != entry.properties.count {
        return "two properties of class '\(entry.name)' have the same name"
      }
      if let layout = entry.writtenLayout {
        let laidOut = Dictionary(
          layout.fields.map { ($0.property, $0.type) }, uniquingKeysWith: { first, _ in first })
        if laidOut.count != layout.fields.count {
          return "a layout of class '\(entry.name)' has a property twice"
        }
        let isComplete = entry.properties.allSatisfy { property in
          laidOut[property.id].map { $0.hasSameStorage(as: property.type) } ?? false
        }
        if !isComplete {
          return "the current layout of class '\(entry.name)' lacks a property"
        }
      }
      if let problem = entry.indexProblem { return problem }
      for property in entry.properties {
        if let target = property.type.linkedClass, self[target] == nil {
          return "property '\(entry.name).\(property.name)' links to no class"
        }
      }
    }
    return nil
  }
}

/// What is wrong with a catalog.
package struct CatalogProblem: Error, CustomStringConvertible {
  package let description: String
}
