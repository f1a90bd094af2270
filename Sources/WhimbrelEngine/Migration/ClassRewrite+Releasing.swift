internal import WhimbrelLMDB

/// An embedded object that belongs to another.
struct OwnedChild {
  let entry: ClassRewrite
  let id: ObjectID
}

/// The embedded objects of a class and their owners, as far as a migration knows them.
struct OwnerTracking {
  /// The positions of the links to embedded objects, once they have been asked for.
  var links: [Int]?
  /// The embedded objects that have lost their owners, if there have been any.
  var released: Table?
  /// Whether the block has given embedded objects of the file to others.
  var hasNewOwners = false
  /// Whether all objects are about to be deleted: links from them do not count.
  var isBeingEmptied = false
  /// Embedded objects that the block has created and given to no other yet.
  var ownerless: Set<ObjectID> = []
}

/// Embedded objects that have lost their owners in the course of a migration's block.
///
/// A store deletes them. Here they are hidden, because the block may still give them another owner:
/// then they are shown again, with everything that belongs to them. Those without an owner are
/// deleted at the end.
extension ClassRewrite {
  /// Returns whether an embedded object is hidden.
  func isReleased(_ id: ObjectID) throws -> Bool {
    guard let released = owners.released else { return false }
    return try writer.view().reading.value(released, id.key) != nil
  }

  /// The positions of the links to embedded objects.
  var owning: [Int] {
    if let known = owners.links { return known }
    let found = resolved.links.filter { position in
      migrator.entry(resolved.properties[position].type.linkedClass)?.isEmbedded == true
    }
    owners.links = found
    return found
  }

  /// Returns the embedded objects that belong to an object.
  func children(of id: ObjectID) throws -> [OwnedChild] {
    guard !owning.isEmpty, let record = try record(id) else { return [] }
    return try children(of: record, id)
  }

  private func children(of record: PageBytes, _ id: ObjectID) throws -> [OwnedChild] {
    var children: [OwnedChild] = []
    for position in owning {
      guard let entry = migrator.entry(resolved.properties[position].type.linkedClass) else {
        continue
      }
      for case .object(let child) in try value(position, of: record, id).linkTargets {
        children.append(OwnedChild(entry: entry, id: child))
      }
    }
    return children
  }

  /// Changes a new object. Objects that no longer belong to it are hidden, and those that now do
  /// are shown.
  ///
  /// - Parameter position: The position of the property that changes, or nil if any may.
  func update(
    _ id: ObjectID, at position: Int?, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    guard migrator.block.state == .running, !owning.isEmpty, position.map(owning.contains) ?? true
    else {
      return try rewrite(id, change)
    }
    let before = try children(of: id)
    try rewrite(id, change)
    try didChange(before, try children(of: id))
  }

  private func didChange(_ before: [OwnedChild], _ after: [OwnedChild]) throws {
    func references(_ children: [OwnedChild]) -> Set<ObjectReference> {
      Set(children.map { ObjectReference(classID: $0.entry.draft.id, id: $0.id) })
    }
    let (old, new) = (references(before), references(after))
    if old == new { return }
    for child in after where !old.contains(child.reference) { try child.entry.regain(child.id) }
    for child in before where !new.contains(child.reference) { try child.entry.release(child.id) }
  }

  /// Notes which objects belong to an object that the block has created.
  func didCreate(_ id: ObjectID) throws {
    guard migrator.block.state == .running else { return }
    for child in try children(of: id) { try child.entry.regain(child.id) }
  }

  /// Notes that a collection of embedded objects has changed.
  func didChangeChildren(_ position: Int, by links: [LinkChanges.Change]) throws {
    guard migrator.block.state == .running, owning.contains(position),
      let entry = migrator.entry(resolved.properties[position].type.linkedClass)
    else { return }
    for change in links where change.difference > 0 {
      if case .object(let child) = change.target { try entry.regain(child) }
    }
    for change in links where change.difference < 0 {
      if case .object(let child) = change.target { try entry.release(child) }
    }
  }

  // MARK: Hidden objects

  /// Hides an object that has lost a link, and everything that belongs to it, unless another link
  /// leads to it.
  func release(_ id: ObjectID) throws {
    var waiting = [OwnedChild(entry: self, id: id)]
    while let child = waiting.popLast() {
      let (entry, id) = (child.entry, child.id)
      guard try entry.record(id) != nil, try !entry.hasOwner(id) else { continue }
      waiting += try entry.children(of: id)
      let table = try entry.tableOfReleased()
      try writer.view().put(table, id.key, [])
      writer.didWrite(8)
    }
  }

  /// Shows an object that has a new owner, and everything that belongs to it.
  func regain(_ id: ObjectID) throws {
    var waiting = [OwnedChild(entry: self, id: id)]
    while let child = waiting.popLast() {
      let (entry, id) = (child.entry, child.id)
      entry.owners.ownerless.remove(id)
      if try entry.wasInFile(id) { entry.owners.hasNewOwners = true }
      guard let released = entry.owners.released, try entry.isReleased(id) else { continue }
      let view = try writer.view()
      try PageBytes.with(id.key) { key throws(LMDBError) in _ = try view.remove(released, key) }
      writer.didWrite(8)
      // Links to objects that were deleted meanwhile have not been removed.
      entry.repairs.done[id] = nil
      waiting += try entry.children(of: id)
    }
  }

  private func tableOfReleased() throws -> Table {
    if let released = owners.released { return released }
    let name = TableNames.released(resolved.entry)
    guard let table = try writer.createTables([name])[name.name] else {
      throw StoreError.notInWrite(verb: "migrate")
    }
    owners.released = table
    return table
  }

  /// Returns whether a link leads to an embedded object.
  private func hasOwner(_ id: ObjectID) throws -> Bool {
    let wasEmbedded = draft.old?.isEmbedded == true
    // In the file exactly one link leads to each object, and that link has been removed.
    if wasEmbedded, !owners.hasNewOwners, try wasInFile(id) { return false }
    for source in migrator.classes {
      // A value of any type may link to an object that was not embedded. The end of the migration
      // reports it.
      let open = wasEmbedded ? [] : source.resolved.openLinks
      let links = source.resolved.links.filter {
        source.resolved.properties[$0].type.linkedClass == name
      }
      for position in links + open
      where try !source.sources(position, linkingTo: id, of: draft.id).isEmpty {
        return true
      }
    }
    return false
  }
}

extension OwnedChild {
  fileprivate var reference: ObjectReference {
    ObjectReference(classID: entry.draft.id, id: id)
  }
}
