internal import WhimbrelLMDB

extension QueryRun {
  /// The objects that the stages begin with, in their order.
  mutating func sourceIDs() throws -> [ObjectID] {
    switch query.request.source {
    case .all:
      return try table.objectIDs()
    case .collection(let owner, let className, let property):
      let source = try table.session.table(className)
      let position = try source.resolved.requiredPosition(of: property)
      guard try source.record(owner) != nil else { return [] }
      var ids: [ObjectID] = []
      try source.readCollection(position, of: owner) { reader in
        try reader.forEach { _, value in
          if case .link(let id) = value { ids.append(id) }
        }
      }
      return ids
    case .linking(let target, let className, let property):
      let source = try table.session.table(className)
      let position = try source.resolved.requiredPosition(of: property)
      guard let linked = source.resolved.properties[position].type.linkedClass else { return [] }
      let classID = try table.session.table(linked).resolved.id
      return try source.sources(position, linkingTo: target, of: classID).map(\.id)
    }
  }
}
