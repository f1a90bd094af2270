/// A class as the catalog has it, with everything worked out that reading and
/// writing its records needs.
@safe
package final class ResolvedClass: Sendable {
  package let entry: CatalogClass
  package let schema: ClassSchema
  /// By layout ID; nil where no record has such a layout.
  package let layouts: [ResolvedLayout?]
  /// How records are written.
  package let written: ResolvedLayout
  package let primaryKeyIndex: Int?
  /// The positions of the properties that have an index.
  package let indexedProperties: [Int]
  /// The positions of the properties that are links.
  package let links: [Int]
  private let positions: [String: Int]

  package var name: String { entry.name }
  package var id: ClassID { entry.id }
  package var properties: [CatalogProperty] { entry.properties }
  package var isClustered: Bool { entry.isClustered }

  /// - Precondition: the entry has its current layout, as catalogs are checked
  ///   for when they are read.
  package init(_ entry: CatalogClass) {
    self.entry = entry
    schema = entry.schema
    var layouts: [ResolvedLayout?] = []
    for layout in entry.layouts {
      let place = Int(layout.id.rawValue)
      while layouts.count <= place { layouts.append(nil) }
      layouts[place] = ResolvedLayout(layout, for: entry.properties)
    }
    self.layouts = layouts
    guard let written = layouts[Int(entry.currentLayout.rawValue)] else {
      preconditionFailure("Class '\(entry.name)' has no current layout.")
    }
    self.written = written
    primaryKeyIndex = entry.primaryKeyIndex
    indexedProperties = entry.properties.indices.filter { entry.properties[$0].hasIndex }
    links = entry.properties.indices.filter { entry.properties[$0].type.linkTarget != nil }
    positions = Dictionary(
      entry.properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The position of the property with a name, or nil.
  package func position(of name: String) -> Int? { positions[name] }

  /// The position of the property with a name.
  package func requiredPosition(of name: String) throws -> Int {
    guard let position = positions[name] else {
      throw StoreError.unknownProperty(
        class: self.name, property: name, known: properties.map(\.name))
    }
    return position
  }
}
