extension QueryRequest {
  /// The objects that the stages of a request begin with.
  package enum Source: Hashable, Sendable {
    /// All objects of the class, in the order of their IDs.
    case all
    /// The elements of a collection of an object, in their order: one that a list has
    /// twice comes twice.
    case collection(of: ObjectID, class: String, property: String)
    /// The objects that link to one by a property of theirs, in the order of their IDs.
    case linking(to: ObjectID, class: String, property: String)
  }
}

extension QueryRequest.Source {
  /// The IDs of the objects in their order; none where the object that has them is gone.
  ///
  /// - Complexity: O(*n*).
  func objectIDs(of table: ClassTable) throws -> [ObjectID] {
    switch self {
    case .all:
      return try table.objectIDs()
    case .collection(let id, let className, let property):
      let owner = try table.session.table(className)
      guard try owner.record(id) != nil else { return [] }
      let position = try owner.resolved.requiredPosition(of: property)
      return try owner.readCollection(position, of: id) { reader in
        var ids: [ObjectID] = []
        ids.reserveCapacity(reader.count)
        try reader.forEach { _, value in
          if case .link(let id) = value { ids.append(id) }
        }
        return ids
      }
    case .linking(let id, let className, let property):
      let target = try table.session.table(className)
      let position = try table.resolved.requiredPosition(of: property)
      return try table.sources(position, linkingTo: id, of: target.resolved.id).map(\.id)
    }
  }
}
