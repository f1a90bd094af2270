extension Session {
  /// Throws unless the target of a link exists and a property may link to it. Only a link of its
  /// own class, and not a value of any type, may lead to an embedded object.
  package func requireTarget(
    _ target: LinkTarget, of property: CatalogProperty, in className: String
  ) throws {
    func deleted(_ id: ObjectID, of table: ClassTable) -> StoreError {
      table.resolved.deleted(id).linked(from: property.name, of: className)
    }
    switch target {
    case .object(let id):
      guard let name = property.type.linkedClass else { return }
      let table = try table(name)
      guard try table.contains(id) else { throw deleted(id, of: table) }
    case .reference(let reference):
      let table = try table(reference.classID)
      guard try table.contains(reference.id) else { throw deleted(reference.id, of: table) }
      if table.resolved.isEmbedded {
        throw StoreError.embeddedReference(
          class: className, property: property.name, target: table.name, objectID: reference.id)
      }
    }
  }
}

extension Session {
  /// Returns the table of an object of this session. Another class may have the name of its class.
  package func table(of object: DynamicObject) throws -> ClassTable {
    let present = try table(object.className)
    guard present.resolved.id == object.classID else { throw missingObject(object.id, in: present) }
    return present
  }
}

extension ClassTable {
  /// Runs `body`, which finds targets of links, and adds the property that links to them to its
  /// errors.
  package func linking<Result>(from position: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw error.linked(from: resolved.properties[position].name, of: name)
    }
  }
}
