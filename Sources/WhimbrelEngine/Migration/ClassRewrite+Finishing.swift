internal import WhimbrelLMDB

extension ClassRewrite {
  /// Throws if a property was renamed to a name that is not declared.
  func requireFinishedRename() throws {
    guard let rename = draft.unfinishedRename else { return }
    throw StoreError.invalidRename(
      class: draft.name, from: rename.from, to: rename.to, problem: .destinationNotDeclared)
  }

  /// Throws if the block has created an embedded object that has no owner.
  func requireOwners() throws {
    guard let id = owners.ownerless.min() else { return }
    throw StoreError.migrationEmbeddedWithoutOwner(
      class: name, objectID: id, from: migrator.task.oldVersion, to: migrator.task.newVersion)
  }

  /// Copies the objects that the block has not visited, if the class is rewritten.
  func complete() throws {
    guard draft.declared != nil, !isDropped, draft.old != nil else { return }
    if !isRewritten, oldCount > 0, draft.requiresRewrite { try beginRewrite() }
    if isRewritten { try copyAll() }
  }

  /// Returns the values that only code can give, if no code has touched the class.
  func valuesWithoutCode() throws -> [StoreError.MissingValues] {
    guard draft.declared != nil, !isDropped, draft.old != nil, !isRewritten, oldCount > 0 else {
      return []
    }
    let tracked = draft.properties.enumerated().filter { $0.element.needsCode }
    var missing = MissingObjects()
    var last: ObjectID?
    // If every object lacks the values, the first one is enough.
    let isOneEnough = tracked.allSatisfy { $0.element.old == nil }
    while !tracked.isEmpty, let (id, record) = try old?.next(after: last) {
      last = id
      if !isOneEnough { try copy(record, id) }
      for (position, property) in tracked
      where property.old == nil || !resolved.written.isAssigned(position, of: encoder.bytes) {
        missing.add(id, position)
      }
      if isOneEnough { break }
      try writer.checkpoint(.checking, name, 0, of: oldCount)
    }
    return missing.values(of: self) { draft.properties[$0].origin == .kept }
  }

  /// Removes links to objects that the migration has deleted.
  func removeDanglingLinks() throws {
    guard !isDropped else { return }
    for position in resolved.links {
      guard let target = resolved.properties[position].type.linkedClass,
        let entry = migrator.entry(target), entry.hasDeletions,
        !entry.isDropped
      else { continue }
      try removeDanglingLinks(position)
    }
    if migrator.classes.contains(where: { $0.hasDeletions || $0.isDropped }) {
      try removeDanglingOpenLinks()
    }
  }

  /// Removes links in values of any type to objects that do not exist.
  func removeDanglingOpenLinks() throws {
    guard !isDropped else { return }
    for position in resolved.openLinks { try removeDanglingLinks(position) }
  }

  /// Copies all objects to the new table, if that has not been done.
  func prepareForChanges() throws {
    guard !isRewritten else { return }
    try beginRewrite()
    try copyAll()
  }

  /// Deletes the objects that meet a condition, and returns whether there were any.
  func deleteAll(where isToGo: (ObjectID) throws -> Bool) throws -> Bool {
    var isAnyGone = false
    try forEachCurrent(.checking) { id, _ in
      guard try isToGo(id) else { return }
      try prepareForChanges()
      try remove(id)
      isAnyGone = true
    }
    return isAnyGone
  }

  private func removeDanglingLinks(_ position: Int) throws {
    let type = resolved.properties[position].type
    try forEachCurrent(.checking, counting: oldCount) { id, record in
      let old = try value(position, of: record, id)
      let gone = try old.linkTargets.filter { try !migrator.exists($0, of: type) }
      if gone.isEmpty { return }
      try prepareForChanges()
      let new = old.removing(Set(gone))
      try rewrite(id) { encoder in try encoder.set(position, new) }
    }
  }

  /// Calls `body` with each new object, from the new table or, before a rewrite, the old one.
  ///
  /// - Parameters:
  ///   - total: The number of objects if progress counts them, or nil.
  ///   - progress: Returns the objects to report as done when so many were visited.
  func forEachCurrent(
    _ phase: MigrationProgress.Phase, counting total: Int? = nil,
    _ progress: (Int) -> Int = { $0 },
    _ body: (ObjectID, PageBytes) throws -> Void
  ) throws {
    var last: ObjectID?
    var count = 0
    while let (id, record) = try nextCurrent(after: last) {
      last = id
      if total != nil { count += 1 }
      try body(id, record)
      try writer.checkpoint(phase, name, progress(count), of: total ?? oldCount)
    }
  }

  /// Returns the next new object, from the new table or, before a rewrite, the old one.
  func nextCurrent(after last: ObjectID?) throws -> (id: ObjectID, record: PageBytes)? {
    isRewritten ? try nextNew(after: last) : try old?.next(after: last)
  }

  /// Returns the values that the code has left unset.
  func unassignedValues() throws -> [StoreError.MissingValues] {
    guard trace.unassigned > 0, !isDropped else { return [] }
    var missing = MissingObjects()
    var last: ObjectID?
    while let (id, record) = try nextNew(after: last) {
      last = id
      for (position, property) in draft.properties.enumerated()
      where property.isTracked && !resolved.written.isAssigned(position, of: record) {
        missing.add(id, position)
      }
    }
    // A block that has seen the object has left it unset.
    return missing.values(of: self) {
      !migrator.task.runsBlock && draft.properties[$0].origin == .kept
    }
  }

  // MARK: The catalog

  /// The class as the new catalog has it, if it stays.
  var finalEntry: CatalogClass {
    var entry = draft.entry(isRewritten: isRewritten)
    entry.isClustered =
      isRewritten || draft.old == nil ? generation.ids.areKeys : draft.canBeClustered
    for index in entry.properties.indices { entry.properties[index].source = nil }
    return entry
  }

  /// The outcome for the class.
  var result: CatalogFlip.ClassResult {
    var next: UInt64?
    if isRewritten || draft.old?.isClustered == true {
      var ids = generation.ids
      // Objects that were created with their keys as IDs may have higher ones.
      if !ids.areKeys {
        ids.skipKeys()
        if let bound = new?.upperBound, bound.rawValue < .max { ids.skip(bound) }
      }
      next = ids.next
    }
    return CatalogFlip.ClassResult(
      entry: isDropped ? nil : finalEntry, id: draft.id, name: name, nextObjectID: next)
  }
}

extension PropertyDraft {
  /// The ways to give a value to objects that lack one: code, and perhaps nil or a default value.
  fileprivate var remedy: StoreError.MissingValues.Remedy {
    if new.isOptional { return .codeOrNil }
    if new.type.isCollection { return .code }
    guard let old else { return .codeOrDefault }
    return origin != .code && old.isOptional ? .codeOrDefault : .code
  }

  /// The reason for objects without a value, if it is not a nil or a lost value.
  fileprivate var unsetReason: StoreError.MissingValues.Reason {
    guard let old, origin == .code else { return .unset }
    return .unconverted(from: old.type, to: new.type)
  }
}

/// The objects of a class that lack values: the first of them, and how many.
private struct MissingObjects {
  /// The objects by the position of the property.
  private var found: [Int: (first: [ObjectID], count: Int)] = [:]

  mutating func add(_ id: ObjectID, _ position: Int) {
    var entry = found[position] ?? ([], 0)
    if entry.first.count < 5 { entry.first.append(id) }
    entry.count += 1
    found[position] = entry
  }

  /// Returns the missing values, in the order of the properties.
  func values(
    of entry: ClassRewrite, isNil: (Int) -> Bool
  ) -> [StoreError.MissingValues] {
    found.sorted { $0.key < $1.key }.map { position, objects in
      let property = entry.draft.properties[position]
      let isEverywhere = property.old == nil && !entry.isRewritten
      let first = objects.first.first
      let lost = first.flatMap { entry.lostValue(property, $0) }
      return StoreError.MissingValues(
        class: entry.name, property: property.new.name, objects: objects.first,
        count: isEverywhere ? entry.oldCount : objects.count,
        primaryKey: first.flatMap(entry.knownPrimaryKey),
        reason: lost.map { entry.lossReason(property, $0) }
          ?? (isNil(position) ? .isNil : property.unsetReason),
        remedy: property.remedy, keys: entry.primaryKeys(objects.first))
    }
  }
}
