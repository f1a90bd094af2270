internal import WhimbrelLMDB

extension ClassTable {
  /// Removes all objects, and the embedded objects that belong to them. Links to them become nil,
  /// and elements of collections that link to them are removed.
  package func removeAll() throws {
    _ = try session.requireWriting("delete all objects")
    if resolved.entry.isMissing { return }
    try emptyCollections()
    let isLinkedTo = session.shown.links(to: name).contains { $0.source.name != name }
    if isLinkedTo || !ownedLinks.isEmpty || !session.shown.openLinks.isEmpty {
      try remove(objectIDs())
    } else {
      try empty()
    }
  }

  /// Empties all collections of links to the class. Otherwise each of its objects would be searched
  /// for in them.
  private func emptyCollections() throws {
    for (source, position) in session.shown.links(to: name)
    where source.properties[position].type.isCollection {
      let table = try session.table(source.name)
      for id in try table.sources(position) where try table.contains(id) {
        try table.editCollection(position, of: id) { editor in
          try editor.removeSubrange(0..<editor.count())
        }
      }
    }
  }

  /// Returns the objects that link to others through a property.
  private func sources(_ position: Int) throws -> Set<ObjectID> {
    guard let index = indexes[position] else { return [] }
    var sources: Set<ObjectID> = []
    let cursor = try session.view.cursor(index)
    var isInside = try cursor.move(to: .first)
    while isInside {
      let key = cursor.key
      if key.count >= 8 {
        sources.insert(ObjectID(rawValue: key.loadBigEndian(at: key.count - 8)))
      }
      isInside = try cursor.move(to: .next)
    }
    return sources
  }

  /// Empties the tables of the class at once.
  private func empty() throws {
    let view = try session.requireWriting("delete all objects")
    try records.empty(in: view)
    session.didWrite()
  }
}
