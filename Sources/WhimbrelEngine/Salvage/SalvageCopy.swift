internal import Foundation
internal import WhimbrelLMDB

/// The copy of the usable objects of a ``SalvageStore`` into a new store.
final class SalvageCopy {
  /// A link that owns an embedded object.
  private struct Owner {
    let classID: ClassID
    let id: ObjectID
    /// The position of the linking property in its class.
    let position: Int
    /// Whether the owner was found where no deleted objects are.
    let isCertain: Bool
  }

  private let store: SalvageStore
  private let session: Session
  /// The owners of the embedded objects, by class.
  private var owners: [ClassID: [ObjectID: Owner]] = [:]

  init(_ store: SalvageStore) throws {
    self.store = store
    session = try Session(store.file)
  }

  /// Creates the new store.
  ///
  /// - Throws: ``Salvage/Failure/fileExists`` when another file has the name, or ``StoreError``.
  func run(to output: String, _ progress: Salvage.Progress) throws {
    for found in store.classes { try removeIncomplete(found) }
    while try removeOrphans() {}
    let copy = try StoreCopy(of: session, to: output)
    for found in store.classes {
      let table = try session.table(found.resolved.name)
      for id in try table.objectIDs() {
        try copy.add(id, of: table, changing: changes(of: id, table, found))
        found.kept += 1
        found.unknownShapes.remove(id)
        if found.uncertain.contains(id) { found.keptUncertain += 1 }
        if found.kept & 0x3FF == 0 { try progress("Copying \(table.name)", found.kept, nil) }
      }
    }
    let isNew = try copy.finish { name, completed, total in
      try progress("Indexing \(name)", completed, total)
    }
    guard isNew else { throw Salvage.Failure.fileExists }
  }

  // MARK: - What cannot be used

  /// Removes incomplete objects, and overflow that no object refers to.
  private func removeIncomplete(_ found: SalvagedClass) throws {
    let table = try session.table(found.resolved.name)
    var surplus: [[UInt8]] = []
    var incomplete: [ObjectID] = []
    try table.forEachRecord { id, record in
      found.damaged.remove(id)
      do {
        try table.verify(record, id)
        let reader: ClassTable = table.pastTables[record.layoutID] ?? table
        let layout = try reader.layout(of: record, id)
        try table.explaining(id) {
          let overflow = table.storedOverflow(of: id, in: session.view)
          surplus += try Self.surplus(record, layout, id, overflow, of: found)
          for position in reader.resolved.properties.indices {
            _ = try layout.value(position, of: record, overflow)
          }
        }
      } catch is StoreError {
        incomplete.append(id)
      }
    }
    for id in incomplete { found.damaged.insert(id) }
    try remove(incomplete, of: found)
    for key in surplus {
      let view = try store.writeView()
      try PageBytes.with(key) { key throws(LMDBError) in _ = try view.remove(found.overflow, key) }
    }
    try commit()
  }

  /// Returns the keys of overflow that a record does not refer to. It belongs to an older version
  /// of the record. If the record refers to overflow that may be old, the object is uncertain.
  private static func surplus(
    _ record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID, _ overflow: Overflow,
    of found: SalvagedClass
  ) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    for field in layout.layout.fields
    where field.type.isVariable && record.isExternal(at: field.slot) {
      let reachable = Set(try overflow.reachable(field, of: record))
      if reachable.contains(where: { found.isUncertain(id, field.property, $0) }) {
        found.uncertain.insert(id)
      }
      for number in try overflow.numbers(of: field.property) where !reachable.contains(number) {
        keys.append(Overflow.key(id, field.property, number))
      }
    }
    return keys
  }

  /// Removes embedded objects that no object links to, and returns whether there were any. Call it
  /// until it returns false, because a removed object may have owned others.
  private func removeOrphans() throws -> Bool {
    let embedded = store.classes.filter(\.resolved.isEmbedded)
    if embedded.isEmpty { return false }
    try findOwners()
    var hasRemoved = false
    for found in embedded {
      let known = owners[found.resolved.id] ?? [:]
      let orphans = try session.table(found.resolved.name).objectIDs()
        .filter { known[$0] == nil }
      if orphans.isEmpty { continue }
      found.orphans += orphans.count
      try remove(orphans, of: found)
      hasRemoved = true
    }
    try commit()
    return hasRemoved
  }

  /// Determines the one owner of each embedded object.
  ///
  /// An earlier version of an object, or one that was deleted, may claim the parts of another. The
  /// parts stay with an owner that cannot have been deleted, otherwise with the first.
  private func findOwners() throws {
    owners = [:]
    for found in store.classes {
      let table = try session.table(found.resolved.name)
      for position in table.ownedLinks {
        let name = found.resolved.properties[position].type.linkedClass
        guard let target = store.classes.first(where: { $0.resolved.name == name })?.resolved.id
        else { continue }
        try table.forEachRecord { id, record in
          let owner = Owner(
            classID: found.resolved.id, id: id, position: position,
            isCertain: !found.uncertain.contains(id))
          var met: Set<ObjectID> = []
          var repeated: Set<ObjectID> = []
          for case .object(let part) in try table.value(position, of: record, id).linkTargets
          where !met.insert(part).inserted {
            repeated.insert(part)
          }
          // A value that names a part twice is removed from it, so it cannot own the part.
          for part in met.subtracting(repeated) {
            let other = owners[target]?[part]
            if other == nil || (owner.isCertain && other?.isCertain == false) {
              owners[target, default: [:]][part] = owner
            }
          }
        }
      }
    }
  }

  private func remove(_ ids: [ObjectID], of found: SalvagedClass) throws {
    for id in ids {
      _ = try store.writeView().remove(found.objects, id.rawValue)
      try store.didWrite(64)
    }
  }

  private func commit() throws {
    try store.commit()
    _ = try session.refresh()
  }

  // MARK: - Links

  /// Returns new values for an object's links to lost objects, or nil if it has none.
  private func changes(
    of id: ObjectID, _ table: ClassTable, _ found: SalvagedClass
  ) throws -> [StoreCopy.Change]? {
    guard !found.resolved.links.isEmpty || !found.resolved.openLinks.isEmpty,
      let record = try table.record(id)
    else { return nil }
    var changes: [StoreCopy.Change] = []
    for position in found.resolved.links + found.resolved.openLinks {
      let type = found.resolved.properties[position].type
      let value = try table.value(position, of: record, id)
      var lost: Set<LinkTarget> = []
      let isOwning = table.ownedLinks.contains(position)
      for target in value.linkTargets {
        if try !exists(target, type) || (isOwning && !owns(target, type, found, id, position)) {
          lost.insert(target)
        }
      }
      if lost.isEmpty { continue }
      found.lostLinks += value.linkTargets.count { lost.contains($0) }
      changes.append(StoreCopy.Change(position, value.removing(lost)))
    }
    return changes.isEmpty ? nil : changes
  }

  /// Returns whether a link is the one that owns the embedded object that it leads to.
  private func owns(
    _ target: LinkTarget, _ type: PropertyType, _ found: SalvagedClass, _ id: ObjectID,
    _ position: Int
  ) -> Bool {
    guard case .object(let part) = target,
      let classID = session.find(type.linkedClass ?? "")?.resolved.id,
      let owner = owners[classID]?[part]
    else { return false }
    return owner.classID == found.resolved.id && owner.id == id && owner.position == position
  }

  private func exists(_ target: LinkTarget, _ type: PropertyType) throws -> Bool {
    switch target {
    case .object(let id):
      return try session.find(type.linkedClass ?? "")?.record(id) != nil
    case .reference(let reference):
      // Only a link to its class owns an embedded object; a reference to one is not valid.
      guard let table = session.find(reference.classID), !table.resolved.isEmbedded else {
        return false
      }
      return try table.record(reference.id) != nil
    }
  }
}
