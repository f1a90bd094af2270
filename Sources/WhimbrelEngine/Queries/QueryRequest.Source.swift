extension QueryRequest {
  /// The objects that are the input of the first stage of a request.
  package enum Source: Hashable, Sendable {
    /// All objects of the class, in the order of their IDs.
    case all
    /// The objects of the class, in the order of their IDs, except those from which one of these
    /// paths leads to an object that is not yet converted and does not have the next property.
    case answerable([QueryPath])
    /// The elements of an object's collection, in order. A list may contain an object several
    /// times.
    case collection(of: ObjectID, class: String, property: String)
    /// The objects that link to another through a property, in the order of their IDs.
    case linking(to: ObjectID, class: String, property: String)
  }
}

extension QueryRequest.Source {
  /// Returns the IDs of the objects, in order. Returns an empty array if the owner of the
  /// collection does not exist.
  ///
  /// - Complexity: O(*n*).
  func objectIDs(of table: ClassTable) throws -> [ObjectID] {
    switch self {
    case .all:
      return try table.objectIDs()
    case .answerable(let paths):
      let bound = try paths.map { try BoundPath($0, in: table) }
      return try table.objectIDs().filter { id in
        try !bound.contains { try $0.lacksValues(of: id) }
      }
    case .collection(let id, let className, let property):
      let owner = try table.session.table(className)
      guard try owner.contains(id) else { return [] }
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
