internal import WhimbrelLMDB

/// At the end of a migration exactly one link leads to each embedded object.
extension Migrator {
  /// Whether embedded objects may have to go although no code runs and no object is
  /// rewritten: then too, nobody else may write meanwhile.
  var changesOwnership: Bool { classes.contains { $0.isEmbedded && losesParents($0) } }

  /// Deletes the embedded objects to which no link leads from an object that stays, and
  /// gives each owner a copy of its own where several share an object of a class that
  /// becomes embedded.
  ///
  /// - Returns: whether any were deleted.
  /// - Throws: ``StoreError`` with `embeddedHasParent` when several links lead to an
  ///   object of a class that was embedded before, or when an object would own itself.
  func settleEmbedded() throws -> Bool {
    let embedded = classes.filter { $0.isEmbedded && !$0.isDropped }
    guard embedded.contains(where: { isTouched($0) || losesParents($0) }) else { return false }
    let owned = try OwnedObjects(embedded, self)
    let roots = classes.filter { !$0.isEmbedded && !$0.isDropped }
    for root in roots.sorted(by: { $0.draft.id < $1.draft.id }) { try owned.settle(from: root) }
    var isAnyGone = false
    for entry in embedded {
      let isOneGone = try entry.deleteAll { id in
        let isOrphan = try !owned.contains(id, of: entry)
        if isOrphan { ownership[entry.name, default: Ownership()].orphans += 1 }
        return isOrphan
      }
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

/// What has become of the objects of an embedded class, as they can have one owner only.
struct Ownership {
  /// How many were deleted, as no link led to them.
  var orphans = 0
  /// How many copies were made for further owners.
  var copies = 0
}

/// The embedded objects to which links lead from objects that stay.
///
/// Links are followed in the order of class, object, property and position, and each
/// object's own before those that come after: the first that leads to an object keeps it.
private final class OwnedObjects {
  private let migrator: Migrator
  /// By the name of the class: the object IDs.
  private var tables: [String: Table] = [:]
  private let classes: [String: MigrationClass]
  /// The links on the way to where the walk is, so that it goes as deep as it needs to.
  private var path: [Branch] = []

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

  /// Takes note that an object has an owner, and returns whether it had none.
  private func take(_ id: ObjectID, of entry: MigrationClass) throws -> Bool {
    guard let table = tables[entry.name] else { return false }
    migrator.didWrite(8)
    return try migrator.writing().put(table, key(id), [], .ifAbsent)
  }

  /// Follows everything that belongs to the objects of a class.
  func settle(from root: MigrationClass) throws {
    guard !ownedLinks(of: root).isEmpty else { return }
    var last: ObjectID?
    while let (id, _) = try root.nextCurrent(after: last) {
      last = id
      try enter(id, of: root, isCopy: false)
      while var branch = path.popLast() {
        guard branch.next < branch.children.count else { continue }
        let place = branch.next
        branch.next += 1
        path.append(branch)
        try follow(branch, place)
        try migrator.checkpoint(.checking, root.name, 0, of: root.oldCount)
      }
    }
  }

  private func ownedLinks(of entry: MigrationClass) -> [Int] {
    entry.resolved.links.filter { position in
      entry.resolved.properties[position].type.linkedClass.map { classes[$0] != nil } ?? false
    }
  }

  /// Goes on with the links of an object to embedded ones.
  private func enter(_ id: ObjectID, of entry: MigrationClass, isCopy: Bool) throws {
    guard let record = try entry.record(id) else { return }
    for position in ownedLinks(of: entry).reversed() {
      guard let name = entry.resolved.properties[position].type.linkedClass,
        let target = classes[name]
      else { continue }
      let value = try entry.value(position, of: record, id)
      let children = Branch.children(of: value)
      if children.isEmpty { continue }
      path.append(
        Branch(
          parent: entry, id: id, isCopy: isCopy, position: position, target: target,
          children: children))
    }
  }

  /// Follows a link: the object that it leads to is its parent's, or a copy of it is.
  private func follow(_ branch: Branch, _ place: Int) throws {
    let (target, child) = (branch.target, branch.children[place].id)
    if try take(child, of: target) {
      return try enter(child, of: target, isCopy: false)
    }
    // What belongs to a copy is shared with the original, and no part of a circle.
    if !branch.isCopy {
      guard target.draft.old?.isEmbedded == false else {
        throw StoreError.migrationEmbeddedShared(
          class: target.name, objectID: child, from: migrator.oldVersion,
          to: migrator.newVersion)
      }
      if path.contains(where: { $0.parent === target && $0.id == child }) {
        throw StoreError.migrationEmbeddedCircle(
          class: target.name, objectID: child, from: migrator.oldVersion,
          to: migrator.newVersion)
      }
    }
    try target.prepareForChanges()
    let copy = try target.copy(child)
    _ = try take(copy, of: target)
    try branch.parent.prepareForChanges()
    try branch.setChild(place, to: copy)
    migrator.ownership[target.name, default: Ownership()].copies += 1
    try enter(copy, of: target, isCopy: true)
  }
}

/// The links of one property of one object, and how far they have been followed.
private struct Branch {
  let parent: MigrationClass
  let id: ObjectID
  /// Whether the object is a copy of another.
  let isCopy: Bool
  let position: Int
  let target: MigrationClass
  let children: [(id: ObjectID, name: String?)]
  var next = 0

  /// What a value links to, in order; with the names that elements of maps have.
  static func children(of value: PropertyValue) -> [(id: ObjectID, name: String?)] {
    func target(_ value: PropertyValue) -> ObjectID? {
      if case .link(let id) = value { id } else { nil }
    }
    return switch value {
    case .list(let values): values.compactMap(target).map { ($0, nil) }
    case .map(let values):
      values.sorted { $0.key.precedesInOrder($1.key) }
        .compactMap { name, value in target(value).map { ($0, name) } }
    default: target(value).map { [($0, nil)] } ?? []
    }
  }

  /// Makes the link at a place lead to another object.
  func setChild(_ place: Int, to child: ObjectID) throws {
    guard parent.resolved.properties[position].type.isCollection else {
      return try parent.update(id) { try $0.set(position, .link(child)) }
    }
    try parent.edit(position, of: id) { editor in
      if let name = children[place].name {
        try editor.set(.link(child), forName: name)
      } else {
        try editor.replace(at: place, with: .link(child))
      }
    }
  }
}
