internal import Foundation
internal import WhimbrelLMDB

/// The copy of the usable objects of a ``SalvageStore`` into a new store.
struct SalvageCopy {
  private let store: SalvageStore
  private let session: Session

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
        let layout = try table.layout(of: record, id)
        try table.explaining(id) {
          surplus += try Self.surplus(record, layout, id, table.overflow(of: id))
          for position in found.resolved.properties.indices {
            _ = try layout.value(position, of: record, table.overflow(of: id))
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
  /// of the record.
  private static func surplus(
    _ record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID, _ overflow: Overflow
  ) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    for field in layout.layout.fields
    where field.type.isVariable && record.isExternal(at: field.offset) {
      let reachable = Set(try overflow.reachable(field, of: record))
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
    var owned: [ClassID: Set<ObjectID>] = [:]
    for found in store.classes {
      let table = try session.table(found.resolved.name)
      for position in table.ownedLinks {
        let name = found.resolved.properties[position].type.linkedClass
        guard let target = embedded.first(where: { $0.resolved.name == name }) else { continue }
        try table.forEachRecord { id, record in
          for case .object(let part) in try table.value(position, of: record, id).linkTargets {
            owned[target.resolved.id, default: []].insert(part)
          }
        }
      }
    }
    var hasRemoved = false
    for found in embedded {
      let known = owned[found.resolved.id] ?? []
      let orphans = try session.table(found.resolved.name).objectIDs()
        .filter { !known.contains($0) }
      if orphans.isEmpty { continue }
      found.orphans += orphans.count
      try remove(orphans, of: found)
      hasRemoved = true
    }
    try commit()
    return hasRemoved
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
      for target in value.linkTargets where try !exists(target, type) { lost.insert(target) }
      if lost.isEmpty { continue }
      found.lostLinks += value.linkTargets.count { lost.contains($0) }
      changes.append(StoreCopy.Change(position, value.removing(lost)))
    }
    return changes.isEmpty ? nil : changes
  }

  private func exists(_ target: LinkTarget, _ type: PropertyType) throws -> Bool {
    switch target {
    case .object(let id):
      try session.find(type.linkedClass ?? "")?.record(id) != nil
    case .reference(let reference):
      // Only a link to its class owns an embedded object; a reference to one is not valid.
      try session.classes.first {
        $0.resolved.id == reference.classID && !$0.resolved.isEmbedded
      }?.record(reference.id) != nil
    }
  }
}
