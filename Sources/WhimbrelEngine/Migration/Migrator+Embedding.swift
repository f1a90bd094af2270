internal import WhimbrelLMDB

/// At the end of a migration exactly one link leads to each embedded object.
extension Migrator {
  /// Whether embedded objects may be deleted although no code runs and no object is rewritten.
  /// Others must not write then.
  var changesOwnership: Bool { classes.contains { $0.isEmbedded && losesOwners($0) } }

  /// Whether objects that lack values may be deleted at the end, because they have no owner.
  var mayDeleteObjectsWithoutValues: Bool {
    let embedded = classes.filter { $0.isEmbedded && !$0.isDropped }
    return embedded.contains { !$0.isRewritten && $0.draft.properties.contains(where: \.needsCode) }
      && embedded.contains { isTouched($0) || losesOwners($0) }
  }

  /// Deletes the embedded objects without an owner. Where several objects share an object of a
  /// class that becomes embedded, gives each of them its own copy.
  ///
  /// - Returns: Whether any objects were deleted.
  /// - Throws: ``StoreError`` with `embeddedHasOwner` if several links lead to an object of a class that
  ///   was embedded before, or if an object would own itself.
  func embedOwnedObjects() throws -> Bool {
    let embedded = classes.filter { $0.isEmbedded && !$0.isDropped }
    guard embedded.contains(where: { isTouched($0) || losesOwners($0) }) else { return false }
    let owned = try OwnedObjects(self)
    var walk = OwnershipWalk(owned)
    try owned.forEachObject(isEmbedded: false) { try walk.follow(owner: $0) }
    try owned.forEachObject(isEmbedded: true) { try walk.follow(orphan: $0) }
    var isAnyGone = false
    for entry in embedded {
      let isOneGone = try entry.deleteAll { id in
        let isOrphan = try owned.isOrphaned(id, of: entry)
        if isOrphan { ownership[entry.name, default: Ownership()].orphans += 1 }
        return isOrphan
      }
      isAnyGone = isAnyGone || isOneGone
    }
    return isAnyGone
  }

  /// Returns whether a class has become embedded, or a property that led to it is gone.
  private func losesOwners(_ entry: ClassRewrite) -> Bool {
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

  /// Returns whether objects of an embedded class have come or gone, or links to them.
  private func isTouched(_ entry: ClassRewrite) -> Bool {
    func hasChanged(_ entry: ClassRewrite) -> Bool {
      entry.isRewritten || entry.hasDeletions || entry.isDropped
    }
    if hasChanged(entry) { return true }
    return classes.contains { source in
      let properties = (source.draft.old?.properties ?? []) + source.resolved.properties
      return hasChanged(source) && properties.contains { $0.type.linkedClass == entry.name }
    }
  }
}

/// The outcome for the objects of an embedded class, which can have only one owner.
struct Ownership: Equatable {
  /// The number of objects that are deleted, because they have no owner.
  var orphans = 0
  /// The number of copies that are made for further owners.
  var copies = 0
  /// The number of objects that would own themselves.
  var circular = 0
}

/// The new objects of a migration and the objects that they own.
private final class OwnedObjects: OwnershipGraph {
  /// The place of a link to an embedded object in its owner.
  struct Link {
    let position: Int
    /// The index of the element in a list.
    let element: Int
    /// The key of the element in a map.
    let name: String?
  }

  private let migrator: Migrator
  private let classes: [ClassRewrite]
  private let numbers: [String: Int]
  /// The states of the embedded objects, by the numbers of their classes.
  private var tables: [Int: Table] = [:]
  /// The positions of the links to embedded objects and the numbers of their target classes, by the
  /// numbers of the classes that have the links.
  private let owning: [[(position: Int, target: Int)]]
  private var current = ""

  init(_ migrator: Migrator) throws {
    self.migrator = migrator
    classes = migrator.classes.filter { !$0.isDropped }.sorted { $0.draft.id < $1.draft.id }
    numbers = Dictionary(keepingFirst: classes.enumerated().map { ($1.name, $0) })
    let (all, byName) = (classes, numbers)
    owning = all.map { entry in
      entry.resolved.links.compactMap { position in
        let name = entry.resolved.properties[position].type.linkedClass
        guard let number = name.flatMap({ byName[$0] }), all[number].isEmbedded else { return nil }
        return (position, number)
      }
    }
    let embedded = classes.enumerated().filter(\.element.isEmbedded)
    let names = embedded.map { TableNames.owned($0.element.resolved.entry) }
    let created = try migrator.writer.createTables(names)
    for ((number, _), name) in zip(embedded, names) { tables[number] = created[name.name] }
  }

  /// Calls `body` with each embedded object, or with each object that owns some and is not
  /// embedded.
  func forEachObject(
    isEmbedded: Bool, _ body: (OwnedPlace) throws -> Void
  ) throws {
    for (number, entry) in classes.enumerated()
    where entry.isEmbedded == isEmbedded && (isEmbedded || !owning[number].isEmpty) {
      current = entry.name
      var last: ObjectID?
      while let (id, _) = try entry.nextCurrent(after: last) {
        last = id
        try body(OwnedPlace(number: number, id: id))
        try didFollow()
      }
    }
  }

  /// Returns whether an embedded object belongs to nobody.
  func isOrphaned(_ id: ObjectID, of entry: ClassRewrite) throws -> Bool {
    guard let number = numbers[entry.name] else { return false }
    return try state(of: OwnedPlace(number: number, id: id)) != .owned
  }

  private func state(of place: OwnedPlace) throws -> OwnershipState {
    guard let table = tables[place.number] else { return .unknown }
    let found = try migrator.writer.view().reading.value(table, place.id.key)
    return found.map { $0.count == 0 ? .owned : .orphaned } ?? .unknown
  }

  func note(_ place: OwnedPlace, _ state: OwnershipState) throws -> OwnershipState {
    let known = try self.state(of: place)
    if known != .unknown { return known }
    guard let table = tables[place.number] else { return .unknown }
    migrator.writer.didWrite(8)
    try migrator.writer.view().put(table, place.id.key, state == .owned ? [] : [1])
    return .unknown
  }

  func links(of place: OwnedPlace) throws -> [(link: Link, target: OwnedPlace)] {
    let entry = classes[place.number]
    let owning = owning[place.number]
    guard !owning.isEmpty, let record = try entry.record(place.id) else { return [] }
    var links: [(link: Link, target: OwnedPlace)] = []
    for (position, number) in owning {
      for child in try entry.value(position, of: record, place.id).ownedObjects {
        let link = Link(position: position, element: child.element, name: child.name)
        links.append((link, OwnedPlace(number: number, id: child.id)))
      }
    }
    return links
  }

  func share(
    _ target: OwnedPlace, by link: Link, of owner: OwnedPlace, isCopy: Bool
  ) throws -> OwnedPlace? {
    let (entry, owning) = (classes[target.number], classes[owner.number])
    guard isCopy || entry.draft.old?.isEmbedded == false else {
      throw StoreError.migrationEmbeddedShared(
        class: entry.name, objectID: target.id, from: migrator.task.oldVersion,
        to: migrator.task.newVersion)
    }
    try entry.prepareForChanges()
    let copy = OwnedPlace(number: target.number, id: try entry.copy(target.id))
    _ = try note(copy, .owned)
    try owning.prepareForChanges()
    try owning.setLink(link.position, link.element, link.name, of: owner.id, to: copy.id)
    migrator.ownership[entry.name, default: Ownership()].copies += 1
    return copy
  }

  func meetCircle(_ circle: [OwnedPlace]) throws {
    guard let first = circle.first else { return }
    let entry = classes[first.number]
    throw StoreError.migrationEmbeddedCircle(
      class: entry.name, objectID: first.id, primaryKey: entry.oldPrimaryKey(first.id),
      from: migrator.task.oldVersion, to: migrator.task.newVersion)
  }

  func didFollow() throws { try migrator.writer.checkpoint(.checking, current, 0, of: 0) }
}

extension PropertyValue {
  /// The objects that a value links to, in order, with the keys of a map.
  var ownedObjects: [(element: Int, name: String?, id: ObjectID)] {
    func target(_ value: PropertyValue) -> ObjectID? {
      if case .link(let id) = value { id } else { nil }
    }
    return switch self {
    case .list(let values):
      values.enumerated().compactMap { element, value in
        target(value).map { (element, nil, $0) }
      }
    case .map(let values):
      values.sorted { $0.key.precedesInOrder($1.key) }
        .compactMap { name, value in target(value).map { (0, name, $0) } }
    default: target(self).map { [(0, nil, $0)] } ?? []
    }
  }
}

extension ClassRewrite {
  /// Changes the target of a link, or of an element that is a link.
  fileprivate func setLink(
    _ position: Int, _ element: Int, _ name: String?, of id: ObjectID, to target: ObjectID
  ) throws {
    guard resolved.properties[position].type.isCollection else {
      return try rewrite(id) { try $0.set(position, .link(target)) }
    }
    try edit(position, of: id) { editor in
      if let name {
        try editor.set(.link(target), forName: name)
      } else {
        try editor.replace(at: element, with: .link(target))
      }
    }
  }
}
