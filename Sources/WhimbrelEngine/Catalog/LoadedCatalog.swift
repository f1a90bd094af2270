/// A catalog with its classes worked out, shared by all stores of one file in
/// this process.
package final class LoadedCatalog: Sendable {
  package let catalog: Catalog
  package let header: Header
  /// In the order of the catalog.
  package let classes: [ResolvedClass]
  private let byName: [String: ResolvedClass]

  package init(_ catalog: Catalog, _ header: Header) {
    self.catalog = catalog
    self.header = header
    classes = catalog.classes.map(ResolvedClass.init)
    byName = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The class with a name, or nil.
  package subscript(name: String) -> ResolvedClass? { byName[name] }

  /// The links of all classes that lead to a class, those in collections too, as
  /// class and position.
  package func links(to target: String) -> [(source: ResolvedClass, position: Int)] {
    classes.flatMap { source in
      source.links.compactMap { position in
        source.properties[position].type.linkedClass == target ? (source, position) : nil
      }
    }
  }

  /// The properties of all classes that may hold objects of any class.
  package var openLinks: [(source: ResolvedClass, position: Int)] {
    classes.flatMap { source in source.openLinks.map { (source, $0) } }
  }
}
