internal import WhimbrelLMDB

/// At the end of a migration exactly one link leads to each embedded object.
extension Migrator {
  /// Whether embedded objects may have to go although no code runs and no object is
  /// rewritten: then too, nobody else may write meanwhile.
  var changesOwnership: Bool { classes.contains { $0.isEmbedded && losesParents($0) } }

  /// Deletes the embedded objects to which no link leads from an object that stays.
  ///
  /// - Returns: whether there were any.
  /// - Throws: ``StoreError`` with `embeddedHasParent` when several links lead to one.
  func settleEmbedded() throws -> Bool {
    let embedded = classes.filter { $0.isEmbedded && !$0.isDropped }
    guard embedded.contains(where: { isTouched($0) || losesParents($0) }) else { return false }
    let owned = try OwnedObjects(embedded, self)
    for root in classes where !root.isEmbedded && !root.isDropped { try owned.mark(from: root) }
    var isAnyGone = false
    for entry in embedded {
      let isOneGone = try entry.deleteAll { id in try !owned.contains(id, of: entry) }
      isAnyGone = isAnyGone || isOneGone
    }
    return isAnyGone
  }

  /// Whether a class has become embedded, or a property that led to it is gone.
  private func losesParents(_ entry: MigrationClass) -> Bool {
    guard let old = entry.draft.old else { return false }
    if !old.isEmbedded { return true }
    return classes.contains { source in
      guard let before = source.draft.old else { return false }
      return before.properties.contains { property in
        property.type.linkedClass == entry.name
          && !source.draft.properties.contains { $0.old?.id == property.id }
      }
    }
  }

  /// Whether objects of an embedded class have come or gone, or links to them.
  private func isTouched(_ entry: MigrationClass) -> Bool {
    func hasChanged(_ entry: MigrationClass) -> Bool {
      entry.isRewritten || entry.hasDeletions || entry.isDropped
    }
    if hasChanged(entry) { return true }
    return classes.contains { source in
      let properties = (source.draft.old?.properties ?? []) + source.resolved.properties
      return hasChanged(source) && properties.contains { $0.type.linkedClass == entry.name }
    }
  }
}

/// The embedded objects to which links lead from objects that stay.
private final class OwnedObjects {
  private let migrator: Migrator
  /// By the name of the class: the object IDs.
  private var tables: [String: Table] = [:]
  private let classes: [String: MigrationClass]

  init(_ embedded: [MigrationClass], _ migrator: Migrator) throws {
    self.migrator = migrator
    classes = Dictionary(embedded.map { ($0.name, $0) }) { first, _ in first }
    let names = embedded.map { TableNames.lookup($0.draft.id, $0.resolved.entry.generation) }
    let created = try migrator.createTables(names)
    for (entry, name) in zip(embedded, names) { tables[entry.name] = created[name.name] }
  }

  private func key(_ id: ObjectID) -> [UInt8] {
    var key: [UInt8] = []
    KeyEncoding.append(id, to: &key)
    return key
  }

  func contains(_ id: ObjectID, of entry: MigrationClass) throws -> Bool {
    guard let table = tables[entry.name] else { return false }
    return try migrator.writing().reading.value(table, key(id)) != nil
  }

  /// Marks everything that belongs to the objects of a class.
  func mark(from root: MigrationClass) throws {
    guard !ownedLinks(of: root).isEmpty else { return }
    var last: ObjectID?
    while let (id, _) = try root.nextCurrent(after: last) {
      last = id
      // Long chains of embedded objects are followed here, not deeper.
      var waiting = [(root, id)]
      while let (entry, id) = waiting.popLast() {
        waiting += try markChildren(of: id, entry)
        try migrator.checkpoint(.checking, root.name, 0, of: root.oldCount)
      }
    }
  }

  private func ownedLinks(of entry: MigrationClass) -> [Int] {
    entry.resolved.links.filter { position in
      entry.resolved.properties[position].type.linkedClass.map { classes[$0] != nil } ?? false
    }
  }

  private func markChildren(
    of id: ObjectID, _ entry: MigrationClass
  ) throws -> [(MigrationClass, ObjectID)] {
    guard let record = try entry.record(id) else { return [] }
    var children: [(MigrationClass, ObjectID)] = []
    for position in ownedLinks(of: entry) {
      guard let name = entry.resolved.properties[position].type.linkedClass,
        let target = classes[name]
      else { continue }
      for case .object(let child) in try entry.value(position, of: record, id).linkTargets {
        children.append((target, child))
      }
    }
    // What has been read is void with the first write.
    for (target, child) in children {
      guard let table = tables[target.name] else { continue }
      guard try migrator.writing().put(table, key(child), [], .ifAbsent) else {
        throw StoreError.migrationEmbeddedShared(
          class: target.name, objectID: child, from: migrator.oldVersion,
          to: migrator.newVersion)
      }
      migrator.didWrite(8)
    }
    return children
  }
}
