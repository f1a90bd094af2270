/// Values of any type that link to objects of classes that become embedded. Such a value cannot own
/// an object, and an embedded object must have an owner.
extension Migrator {
  /// Throws if a value of any type links to an object of a class that has become embedded.
  ///
  /// - Throws: ``StoreError`` with `embeddedHasOwner`.
  func requireNoReferencesToEmbedded() throws {
    let targets = Set(
      classes.filter { $0.isEmbedded && $0.draft.old?.isEmbedded == false }.map(\.draft.id))
    guard !targets.isEmpty else { return }
    var found = FoundReferences()
    for entry in classes where !entry.isDropped && !entry.resolved.openLinks.isEmpty {
      try entry.forEachCurrent(.checking) { id, record in
        for position in entry.resolved.openLinks {
          for case .reference(let target) in try entry.value(position, of: record, id).linkTargets
          where targets.contains(target.classID) {
            found.add(position, of: id, entry, to: target)
          }
        }
      }
    }
    if found.count == 0 { return }
    throw StoreError.migrationEmbeddedReferences(
      class: found.first?.target ?? "", references: found.items, total: found.count,
      from: task.oldVersion, to: task.newVersion)
  }
}

/// A value of any type that links to an object that becomes embedded.
struct EmbeddedReference: Sendable {
  let className: String
  let property: String
  let objectID: ObjectID
  let primaryKey: PropertyValue?
  let target: String
  let targetID: ObjectID
  let targetKey: PropertyValue?
}

/// The first references that were found, and the number of all.
private struct FoundReferences {
  private(set) var items: [EmbeddedReference] = []
  private(set) var count = 0

  var first: EmbeddedReference? { items.first }

  mutating func add(
    _ position: Int, of id: ObjectID, _ entry: ClassRewrite, to target: ObjectReference
  ) {
    count += 1
    guard items.count < 5 else { return }
    let other = entry.migrator.entry(target.classID)
    items.append(
      EmbeddedReference(
        className: entry.name, property: entry.resolved.properties[position].name, objectID: id,
        primaryKey: entry.primaryKey(id), target: other?.name ?? "", targetID: target.id,
        targetKey: other?.primaryKey(target.id) ?? other?.oldPrimaryKey(target.id)))
  }
}
