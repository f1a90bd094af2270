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
        if let bits = try reader.bits() { return bits.map(ObjectID.init(rawValue:)) }
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
      return try table.sourceIDs(position, linkingTo: id, of: target)
    }
  }
}

// MARK: - Following changes

extension QueryRequest.Source {
  /// Returns whether other objects may be in the source after changes of the store.
  ///
  /// - Parameter own: The changes of the class of the objects.
  func mayDiffer(_ changes: StoreChanges, _ own: ClassChanges) throws -> Bool {
    switch self {
    case .all:
      return own.changes.contains(where: \.isAddedOrRemoved)
    case .answerable:
      return true
    case .collection(let id, let className, let property):
      let owner = try changes.session.table(className)
      let ownerChanges = try changes.of(owner)
      guard let change = ownerChanges.change(of: id) else { return false }
      let position = try owner.resolved.requiredPosition(of: property)
      return change.isAddedOrRemoved || ownerChanges.hasChanged(change, at: position)
    case .linking(let id, let className, let property):
      let target = try changes.session.table(className)
      if try changes.of(target).change(of: id)?.isAddedOrRemoved == true { return true }
      let position = try own.table.resolved.requiredPosition(of: property)
      return try own.changes.contains { change in
        // All properties of an object that was added or removed count as changed.
        guard own.hasChanged(change, at: position) else { return false }
        return try [changes.before, changes.after].contains { source in
          let value = try own.value(position, of: change, source)
          return value?.objects(of: target.resolved.id).contains(id) == true
        }
      }
    }
  }

  /// Returns whether an object may be in the source, as the session shows it.
  ///
  /// - Complexity: O(log *n*).
  func mayHave(_ object: ObjectID, of table: ClassTable) throws -> Bool {
    switch self {
    case .all, .answerable:
      return true
    case .collection(let id, let className, let property):
      let owner = try table.session.table(className)
      return try owner.links(
        owner.resolved.requiredPosition(of: property), from: id, to: object, of: table)
    case .linking(let id, let className, let property):
      let target = try table.session.table(className)
      return try table.links(
        table.resolved.requiredPosition(of: property), from: object, to: id, of: target)
    }
  }
}
