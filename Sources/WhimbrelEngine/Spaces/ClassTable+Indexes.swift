internal import WhimbrelLMDB

extension ClassTable {
  /// Changes the numbers of links from an object to others in the index.
  ///
  /// - Returns: The entries of the targets that the object no longer links to.
  func changeLinks(
    _ position: Int, of id: ObjectID, by changes: [LinkChanges.Change], _ view: WriteView
  ) throws -> [IndexEntry] {
    guard let table = indexes[position] else { return [] }
    return try view.changeLinks(table, of: id, by: changes)
  }

}

extension WriteView {
  /// Changes the numbers of links from an object to others in the index of a collection of links.
  ///
  /// - Parameter changes: The changes in the order of the keys, so that the tree is changed page by
  ///   page.
  /// - Returns: The entries of the targets that the object no longer links to.
  func changeLinks(
    _ table: Table, of id: ObjectID, by changes: [LinkChanges.Change]
  ) throws -> [IndexEntry] {
    var released: [IndexEntry] = []
    let cursor = try reading.cursor(table)
    for change in changes {
      let key = IndexEntry(change.target, from: id, count: 1).key
      try PageBytes.with(key) { bytes in
        let isBehindEnd = try !cursor.seek(atLeast: bytes)
        let isThere =
          !isBehindEnd && cursor.key.count == bytes.count && !bytes.precedes(cursor.key)
        let count = (isThere ? IndexEntry.count(cursor.value) : 0) + change.difference
        let entry = IndexEntry(key: key, count: count)
        if count > 0 {
          try PageBytes.with(entry.content) { content throws(LMDBError) in
            try cursor.put(bytes, content, isLast: isBehindEnd)
          }
        } else {
          if isThere { try cursor.removeCurrent() }
          released.append(entry)
        }
      }
    }
    return released
  }
}

extension ClassTable {
  /// Returns whether an object links to one of another class through a property.
  ///
  /// - Complexity: O(log *n*).
  func links(
    _ position: Int, from source: ObjectID, to target: ObjectID, of other: ClassTable
  ) throws -> Bool {
    guard let index = indexes[position] else { return false }
    return try resolved.links(
      position, from: source, to: target, of: other.resolved.id, in: index, session.view)
  }
}

// MARK: - Embedded objects

extension ClassTable {
  /// Returns the number of links to an object.
  package func linkCount(to id: ObjectID) throws -> Int {
    var total = 0
    for (source, position) in session.shown.links(to: name) {
      let table = try session.table(source.name)
      total += try table.sources(position, linkingTo: id, of: resolved.id)
        .reduce(0) { $0 + $1.count }
    }
    return total
  }

  /// Throws unless every embedded object that this write has added belongs to an object that is not
  /// embedded, directly or through other embedded objects.
  func requireOwners() throws {
    var known: Set<ObjectOfClass> = []
    for id in added where try contains(id) {
      var path: Set<ObjectOfClass> = []
      var place = ObjectOfClass(className: name, id: id)
      while let table = session.find(place.className), table.resolved.isEmbedded,
        !known.contains(place)
      {
        guard path.insert(place).inserted, let owner = try table.owner(of: place.id) else {
          throw StoreError.embeddedNeedsOwner(class: place.className)
        }
        place = owner
      }
      known.formUnion(path)
    }
  }

  /// Returns an object that links to an embedded one, or nil.
  private func owner(of id: ObjectID) throws -> ObjectOfClass? {
    for (source, position) in session.shown.links(to: name) {
      let table = try session.table(source.name)
      if let owner = try table.sources(position, linkingTo: id, of: resolved.id).first {
        return ObjectOfClass(className: source.name, id: owner.id)
      }
    }
    return nil
  }

  /// Throws if an embedded object that is to be linked to already belongs to an object, or would
  /// belong to one twice.
  ///
  /// - Parameter changes: The index changes of the object that is to link to it.
  func requireNoOwners(_ changes: [IndexChange]) throws {
    var gained: [String: Set<ObjectID>] = [:]
    for change in changes {
      guard case .property(let position) = change.index.subject, ownedLinks.contains(position),
        let target = resolved.properties[position].type.linkedClass
      else { continue }
      let table = try session.table(target)
      for entry in change.added {
        let id = entry.target
        let isNew = try session.view.value(change.index.table, entry.key) == nil
        // The entry of several links contains their count.
        let isTwice =
          !entry.content.isEmpty || isNew && !gained[target, default: []].insert(id).inserted
        if try isTwice || isNew && table.linkCount(to: id) > 0 {
          throw StoreError.embeddedHasOwner(class: target, objectID: id)
            .linked(from: resolved.properties[position].name, of: name)
        }
      }
    }
  }

  /// Deletes embedded objects that have lost their owner.
  func removeChildren(_ changes: [IndexChange]) throws {
    for change in changes {
      guard case .property(let position) = change.index.subject, ownedLinks.contains(position)
      else { continue }
      try removeChildren(change.removed, position)
    }
  }

  /// Deletes the embedded objects that a property has linked to.
  func removeChildren(_ entries: [IndexEntry], _ position: Int) throws {
    guard let target = resolved.properties[position].type.linkedClass else { return }
    let table = try session.table(target)
    for entry in entries where try table.contains(entry.target) {
      try table.remove(entry.target)
    }
  }
}

/// An object of any class.
private struct ObjectOfClass: Hashable {
  let className: String
  let id: ObjectID
}

extension IndexEntry {
  /// The object that the entry of a link leads to.
  var target: ObjectID {
    ObjectID(rawValue: key.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
