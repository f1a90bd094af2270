extension QueryRequest {
  /// The objects that enter the first stage of a request.
  package enum Source: Hashable, Sendable {
    /// All objects of the class, in the order of their IDs.
    case all
    /// The objects of the class, in the order of their IDs, without those that are not yet converted
    /// and that nothing can convert.
    case converted
    /// The elements of an object's collection, in their order. A list may have an object
    /// several times.
    case collection(of: ObjectID, class: String, property: String)
    /// The objects that link to another through a property, in the order of their IDs.
    case linking(to: ObjectID, class: String, property: String)
  }
}

extension QueryRequest.Source {
  /// Returns the IDs of the objects in their order, or none if the owner of the collection
  /// does not exist.
  ///
  /// - Complexity: O(*n*).
  func objectIDs(of table: ClassTable) throws -> [ObjectID] {
    switch self {
    case .all:
      return try table.objectIDs()
    case .converted:
      var ids: [ObjectID] = []
      try table.forEachRecord { id, record in
        if !table.isUnconverted(record) { ids.append(id) }
      }
      return ids
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
