internal import WhimbrelLMDB

extension ClassRewrite {
  /// Writes the current object to the new table.
  func flush() throws {
    guard let id = pending else { return }
    if turn.unconverted != nil { try convertPending() }
    pending = nil
    try put(RecordChange(id, from: nil, to: encoder.finish(id), encoder.pending.ifAny))
    migrator.objectsRewritten += 1
  }

  /// Writes a change of a new object, and counts the objects that lack values.
  private func put(_ change: RecordChange) throws {
    guard let new else { return }
    if let old = change.old, lacksAssignment(old) { trace.unassigned -= 1 }
    if let record = change.new {
      generation.ids.didWrite(change.id)
      if lacksAssignment(record) { trace.unassigned += 1 }
      if generation.ids.areKeys { generation.ids.areKeys = try standsUnderKey(record, change) }
    }
    let view = try writer.view()
    let size = try explaining(change.id) {
      let changes = try new.indexes.isEmpty ? [] : new.indexChanges(of: change, in: view)
      return try new.write(change, changes, in: view)
    }
    writer.didWrite(size)
  }

  /// Returns whether the integer primary key of a record is its object ID.
  private func standsUnderKey(
    _ record: PageBytes, _ change: RecordChange
  ) throws -> Bool {
    guard let position = resolved.primaryKeyIndex else { return false }
    let place = resolved.written.places[position]
    if place.plain == .int, place.presence < 0 {
      return record.int(at: place.slot) == change.id.clusteredKey
    }
    let key = try new?.newValue(position, of: change, in: writer.view())
    return if case .int(change.id.clusteredKey)? = key { true } else { false }
  }

  /// Changes a new object, but not the objects that belong to it.
  func rewrite(_ id: ObjectID, _ change: (inout RecordEncoder) throws -> Void) throws {
    if owners.released != nil, try isReleased(id) {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    if id == pending {
      // Typed objects must not use what they have read of it.
      writer.sessions.voidReads()
      return try change(&encoder)
    }
    try writer.commitIfFull()
    try beginRewrite()
    guard let record = try record(id) else {
      throw deleted(id)
    }
    guard record.layoutID == resolved.written.layout.id else {
      // Its turn has not come: it is copied now.
      try flush()
      guard let found = try old?.record(id) else { return }
      try explaining(id) { try old?.verify(found, id) }
      try copy(found, id)
      try change(&encoder)
      pending = id
      try flush()
      return
    }
    otherEncoder.begin(copying: record)
    try change(&otherEncoder)
    let changed = try otherEncoder.finish(id)
    // The change may have written other objects.
    guard let old = try newRecord(id) else { throw deleted(id) }
    try put(RecordChange(id, from: old, to: changed, otherEncoder.pending.ifAny))
  }

  /// Creates an object.
  func create(_ values: [String: PropertyValue]) throws -> DynamicObject {
    try beginRewrite()
    otherEncoder.begin()
    for (position, property) in draft.properties.enumerated() {
      if let value = values[property.new.name] {
        try otherEncoder.set(position, linkable(position, value))
      } else if let value = property.new.makeDefault(
        migrator.task.generator(of: property.new.name, in: name))
      {
        try otherEncoder.set(position, value)
      } else if !property.isTracked {
        throw StoreError.missingValue(class: name, property: property.new.name)
      }
    }
    for unknown in values.keys.sorted() { _ = try resolved.requiredPosition(of: unknown) }
    let key = resolved.primaryKeyIndex.flatMap { values[resolved.properties[$0].name] }
    let id = try takeObjectID(key)
    try insert(id, &otherEncoder)
    if isEmbedded { owners.ownerless.insert(id) }
    return DynamicObject(self, id)
  }

  /// Creates an object with the same values as another, which is in the new table.
  func copy(_ id: ObjectID) throws -> ObjectID {
    try flush()
    guard let record = try newRecord(id) else {
      throw deleted(id)
    }
    let stored = try newOverflow(id)
    otherEncoder.begin()
    // The bytes are copied, not the values: the object may have a case that the enum has lost.
    for position in draft.properties.indices {
      try otherEncoder.copy(position, from: record, resolved.written, stored, .copied)
    }
    let copy = try takeObjectID(nil)
    let new = try otherEncoder.finish(copy)
    try put(RecordChange(copy, from: nil, to: new, otherEncoder.pending.ifAny))
    return copy
  }

  /// Adds the object that an encoder holds.
  func insert(_ id: ObjectID, _ encoder: inout RecordEncoder) throws {
    try writer.commitIfFull()
    try beginRewrite()
    try flush()
    try put(RecordChange(id, from: nil, to: encoder.finish(id), encoder.pending.ifAny))
    try didCreate(id)
  }

  /// Returns an ID for a new object.
  ///
  /// - Parameter key: Its primary key, if it is known.
  func takeObjectID(_ key: PropertyValue?) throws -> ObjectID {
    if generation.ids.areKeys, case .int(let key)? = key {
      let id = ObjectID(clusteredKey: key)
      if try record(id) == nil, try !wasInFile(id), let id = generation.ids.take(forKey: key) {
        return id
      }
    }
    while true {
      let id = generation.ids.take()
      if try record(id) == nil, try !wasUsed(id) { return id }
    }
  }

  /// Returns whether an ID belonged to an object that was deleted. It is not used again, because
  /// links may still lead to it.
  private func wasUsed(_ id: ObjectID) throws -> Bool {
    try generation.ids.isUsedUp(id) || wasInFile(id)
  }

  /// Deletes a new object, and hides the objects that belong to it.
  func delete(_ id: ObjectID) throws {
    guard try record(id) != nil else { throw deleted(id) }
    let children = try children(of: id)
    try remove(id)
    for child in children { try child.entry.release(child.id) }
  }

  /// Deletes a new object, but not the objects that belong to it.
  func remove(_ id: ObjectID) throws {
    try writer.commitIfFull()
    try beginRewrite()
    guard let new, let record = try record(id) else { throw deleted(id) }
    noteDeletion(id)
    owners.ownerless.remove(id)
    if id == pending {
      pending = nil
      return
    }
    if draft.canBeClustered, try !wasUsed(id) { generation.ids.useUp(id) }
    if record.layoutID == resolved.written.layout.id {
      try put(RecordChange(id, from: record, to: nil))
    }
    if try isAhead(id) { try new.putTombstone(id, in: writer.view()) }
    writer.didWrite(8)
  }

  /// Returns whether an old object's turn is still to come.
  private func isAhead(_ id: ObjectID) throws -> Bool {
    try !generation.copied.includes(id) && wasInFile(id)
  }

  /// Deletes all objects, and hides the objects that belong to them.
  func deleteData() throws -> Bool {
    guard draft.old != nil || isRewritten else { return false }
    if isDropped { return true }
    try releaseChildren()
    noteDeletion(nil)
    pending = nil
    owners.ownerless.removeAll()
    if draft.declared == nil {
      drop()
      return true
    }
    generation.ids.useUpAll()
    try beginRewrite()
    generation.copied = .all
    trace.unassigned = 0
    let view = try writer.view()
    try new?.empty(in: view)
    if let released = owners.released { try view.empty(released) }
    writer.didWrite(8)
    return true
  }

  /// Hides the objects that belong to objects of the class.
  private func releaseChildren() throws {
    guard !owning.isEmpty else { return }
    if isRewritten { try copyAll() }
    owners.isBeingEmptied = true
    defer { owners.isBeingEmptied = false }
    try forEachCurrent(.rewriting) { id, _ in
      for child in try children(of: id) { try child.entry.release(child.id) }
    }
  }

  /// Returns the new object with a primary key, or nil.
  func object(forPrimaryKey key: PropertyValue) throws -> DynamicObject? {
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: name)
    }
    try resolved.requireKey(key)
    // The current object may have a new key.
    try flush()
    if generation.ids.areKeys, case .int(let number) = key {
      let id = ObjectID(clusteredKey: number)
      return try record(id) == nil ? nil : DynamicObject(self, id)
    }
    guard let lookup = try lookup(position) else { return nil }
    let prefix = KeyEncoding.encoding(of: key, isOptional: true)
    let cursor = try writer.view().reading.cursor(lookup)
    var isInside = try cursor.seek(atLeast: prefix)
    while isInside, cursor.key.hasPrefix(prefix), cursor.key.count == prefix.count + 8 {
      let id = ObjectID(rawValue: cursor.key.loadBigEndian(at: prefix.count))
      if let record = try record(id), try value(position, of: record, id) == key {
        return DynamicObject(self, id)
      }
      isInside = try cursor.move(to: .next)
    }
    return nil
  }

  /// Returns the new object that comes after another in the new table, or nil.
  func nextNew(after last: ObjectID?) throws -> (id: ObjectID, record: PageBytes)? {
    guard let new, last?.rawValue != .max else { return nil }
    let cursor = try writer.view().reading.cursor(new.objects)
    var isInside = try cursor.seek(atLeast: (last?.rawValue).map { $0 + 1 } ?? 0)
    while isInside, cursor.value.layoutID == RecordLayout.tombstone {
      isInside = try cursor.move(to: .next)
    }
    return isInside ? (ObjectID(rawValue: cursor.integerKey), cursor.value) : nil
  }
}
