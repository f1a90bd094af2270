internal import WhimbrelLMDB

/// What a change of an object means to the index of one property.
struct IndexChange {
  let table: Table
  let position: Int
  let old: [IndexEntry]
  let new: [IndexEntry]
  /// Whether the links lead to embedded objects.
  let isOwning: Bool

  /// The entries that the object no longer has.
  var released: [IndexEntry] {
    let kept = Set(new.map(\.key))
    return old.filter { !kept.contains($0.key) }
  }

  func apply(_ view: WriteView) throws {
    for entry in released {
      try PageBytes.with(entry.key) { key throws(LMDBError) in _ = try view.remove(table, key) }
    }
    let before = Set(old)
    for entry in new where !before.contains(entry) {
      try view.put(table, entry.key, entry.content)
    }
  }
}

extension ClassTable {
  /// What changes in the indexes when the object gets the record that the encoder
  /// holds.
  func indexChanges(
    from old: PageBytes, _ layout: ResolvedLayout, to record: PageBytes, _ id: ObjectID
  ) throws -> [IndexChange] {
    let stored = extents(of: id)
    let new = encoder.extents(over: stored)
    var changes: [IndexChange] = []
    for position in resolved.indexedProperties {
      guard let table = indexes[position] else { continue }
      if isUnchanged(position, old, layout, record) { continue }
      let before = try resolved.indexEntries(position, of: old, layout, id, stored)
      let after = try resolved.indexEntries(position, of: record, resolved.written, id, new)
      if before == after { continue }
      changes.append(
        IndexChange(
          table: table, position: position, old: before, new: after,
          isOwning: ownedLinks.contains(position)))
    }
    return changes
  }

  /// Whether a collection, or a long value, is known to be the same without a look at
  /// its elements.
  private func isUnchanged(
    _ position: Int, _ old: PageBytes, _ layout: ResolvedLayout, _ new: PageBytes
  ) -> Bool {
    guard resolved.properties[position].type.isVariable, let before = layout.fields[position],
      let after = resolved.written.fields[position],
      encoder.pending[after.property] == nil, before.property == after.property
    else { return false }
    let isOutside = new.isExternal(at: after.offset)
    guard old.isExternal(at: before.offset) == isOutside else { return false }
    if isOutside { return true }
    // Short texts may be nil: the same bytes do not say that they are the same.
    guard resolved.hasManyEntries(position), let left = old.variable(at: before.offset),
      let right = new.variable(at: after.offset)
    else { return false }
    return left.isEqual(to: right)
  }

  /// Says in the index that an object links to others more often, or less.
  ///
  /// - Returns: what it no longer links to.
  func changeLinks(
    _ position: Int, of id: ObjectID, by differences: [LinkTarget: Int], _ view: WriteView
  ) throws -> [IndexEntry] {
    guard let table = indexes[position] else { return [] }
    return try view.changeLinks(table, of: id, by: differences)
  }

  /// The objects that link to another through a property, in the order of their
  /// IDs, and how often.
  package func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [(id: ObjectID, count: Int)] {
    if let migration {
      return try migration.sources(position, linkingTo: target, of: classID).map { ($0, 1) }
    }
    guard let index = indexes[position] else { return [] }
    return try resolved.sources(
      position, linkingTo: target, of: classID, in: index, session.view)
  }
}

extension WriteView {
  /// Says in the index of a collection of links that an object links to others more
  /// often, or less.
  ///
  /// - Returns: what it no longer links to.
  func changeLinks(
    _ table: Table, of id: ObjectID, by differences: [LinkTarget: Int]
  ) throws -> [IndexEntry] {
    var released: [IndexEntry] = []
    for (target, difference) in differences where difference != 0 {
      let key = IndexEntry(target, from: id, count: 1).key
      let before = try reading.value(table, key).map(IndexEntry.count) ?? 0
      let entry = IndexEntry(target, from: id, count: before + difference)
      if entry.count > 0 {
        try put(table, entry.key, entry.content)
      } else {
        try PageBytes.with(key) { key throws(LMDBError) in _ = try remove(table, key) }
        released.append(entry)
      }
    }
    return released
  }
}

// MARK: - Embedded objects

extension ClassTable {
  /// How many links lead to an object.
  package func linkCount(to id: ObjectID) throws -> Int {
    var total = 0
    for (source, position) in session.shown.links(to: name) {
      let table = try session.table(source.name)
      total += try table.sources(position, linkingTo: id, of: resolved.id)
        .reduce(0) { $0 + $1.count }
    }
    return total
  }

  /// Throws unless every embedded object that this write has added belongs to one that
  /// is not embedded, be it by way of others.
  func requireOwners() throws {
    var known: Set<ObjectOfClass> = []
    for id in added where try record(id) != nil {
      var path: Set<ObjectOfClass> = []
      var place = ObjectOfClass(className: name, id: id)
      while let table = session.find(place.className), table.resolved.isEmbedded,
        !known.contains(place)
      {
        guard path.insert(place).inserted, let owner = try table.owner(of: place.id) else {
          throw StoreError.embeddedNeedsParent(class: place.className)
        }
        place = owner
      }
      known.formUnion(path)
    }
  }

  /// An object that links to an embedded one, or nil.
  private func owner(of id: ObjectID) throws -> ObjectOfClass? {
    for (source, position) in session.shown.links(to: name) {
      let table = try session.table(source.name)
      if let owner = try table.sources(position, linkingTo: id, of: resolved.id).first {
        return ObjectOfClass(className: source.name, id: owner.id)
      }
    }
    return nil
  }

  /// Throws when an embedded object that is to be linked to belongs to another
  /// already, or would belong to one twice.
  ///
  /// - Parameter entries: those of an object, by the positions of its links.
  func requireNoParents(_ entries: [(position: Int, entries: [IndexEntry])]) throws {
    var gained: [String: Set<ObjectID>] = [:]
    for (position, entries) in entries where ownedLinks.contains(position) {
      guard let target = resolved.properties[position].type.linkedClass,
        let index = indexes[position]
      else { continue }
      let table = try session.table(target)
      for entry in entries {
        let id = entry.target
        let isNew = try session.view.value(index, entry.key) == nil
        let isTwice = entry.count > 1 || isNew && !gained[target, default: []].insert(id).inserted
        if try isTwice || isNew && table.linkCount(to: id) > 0 {
          throw StoreError.embeddedHasParent(class: target, objectID: id)
        }
      }
    }
  }

  /// Deletes embedded objects that have lost their parent.
  func removeChildren(_ entries: [IndexEntry], _ position: Int) throws {
    guard let target = resolved.properties[position].type.linkedClass else { return }
    let table = try session.table(target)
    for entry in entries where try table.record(entry.target) != nil {
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
  /// The object that a link's entry leads to.
  var target: ObjectID {
    ObjectID(rawValue: key.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
