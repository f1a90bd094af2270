extension Session {
  /// Throws unless the target of a link exists and a property may link to it. Only a link of its
  /// own class, and not a value of any type, may lead to an embedded object.
  package func requireTarget(
    _ target: LinkTarget, of property: CatalogProperty, in className: String
  ) throws {
    switch target {
    case .object(let id):
      guard let name = property.type.linkedClass else { return }
      let table = try table(name)
      guard try table.contains(id) else { throw table.resolved.deleted(id) }
    case .reference(let reference):
      let table = try table(reference.classID)
      guard try table.contains(reference.id) else {
        throw table.resolved.deleted(reference.id)
      }
      if table.resolved.isEmbedded {
        throw StoreError.embeddedReference(
          class: className, property: property.name, target: table.name, objectID: reference.id)
      }
    }
  }
}
