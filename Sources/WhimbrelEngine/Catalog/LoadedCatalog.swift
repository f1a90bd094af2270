/// A catalog with its resolved classes, shared by all stores of one file in
/// this process.
package final class LoadedCatalog: Sendable {
  /// A property that holds links.
  package typealias LinkProperty = (source: ResolvedClass, position: Int)

  package let catalog: Catalog
  package let header: Header
  /// The classes, in the order of the catalog.
  package let classes: [ResolvedClass]
  /// The properties of all classes that may hold objects of any class.
  package let openLinks: [LinkProperty]
  private let byName: [String: ResolvedClass]
  /// The classes by the numbers of their IDs.
  private let byID: [Int: ResolvedClass]
  private let linksByTarget: [String: [LinkProperty]]

  package init(_ catalog: Catalog, _ header: Header) {
    self.catalog = catalog
    self.header = header
    classes = catalog.classes.map(ResolvedClass.init)
    byName = Dictionary(keepingFirst: classes.map { ($0.name, $0) })
    byID = Dictionary(keepingFirst: classes.map { (Int($0.id.rawValue), $0) })
    openLinks = classes.flatMap { source in
      source.openLinks.map { (source, $0) }
    }
    let links = classes.flatMap { source in
      source.links.map { (source, $0) }
    }
    linksByTarget = Dictionary(grouping: links) { link in
      link.source.properties[link.position].type.linkedClass ?? ""
    }
  }

  package subscript(name: String) -> ResolvedClass? { byName[name] }

  package subscript(id: ClassID) -> ResolvedClass? { byID[Int(id.rawValue)] }

  /// Returns the properties of all classes that link to a class, including collections.
  package func links(to target: String) -> [LinkProperty] { linksByTarget[target] ?? [] }
}
