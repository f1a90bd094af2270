internal import WhimbrelLMDB

extension MigrationClass {
  /// Writes the object that the block has been given to the new table.
  func flush() throws {
    guard let id = pending else { return }
    if unsettled != nil { try settle() }
    pending = nil
    let record = try encoder.finish(id)
    if encoder.pending.isEmpty {
      try put(id, record, .none, replacing: nil)
    } else {
      try put(id, record, encoder.extents(), replacing: nil)
      try writeExtents(encoder.pending, of: id)
    }
    migrator.objectsRewritten += 1
  }

  /// Puts a record into the new table, and counts what it lacks.
  ///
  /// - Parameter old: whether the record replaced lacked a value, or nil when
  ///   there is none.
  private func put(
    _ id: ObjectID, _ record: PageBytes, _ extents: Extents, replacing old: Bool?
  ) throws {
    guard let newTable else { return }
    let lacks = lacksAssignment(record)
    unassigned += (lacks ? 1 : 0) - (old == true ? 1 : 0)
    if isClustered { isClustered = try standsUnderKey(record, extents, id) }
    if lookup == nil && linkTables.isEmpty {
      try store(record, id, in: newTable)
    } else {
      try putIntoLookups(id, record, extents) { try store(record, id, in: newTable) }
    }
    migrator.didWrite(record.count)
  }

  /// Stores a record by `store`, and notes it wherever objects are looked up.
  private func putIntoLookups(
    _ id: ObjectID, _ record: PageBytes, _ extents: Extents, _ store: () throws -> Void
  ) throws {
    var key: [UInt8] = []
    if lookup != nil { try appendLookupKey(of: record, extents, id, to: &key) }
    if linkTables.isEmpty {
      try store()
    } else {
      try addingLinks(of: record, extents, id, store)
    }
    if let lookup { try migrator.writing().put(lookup, key, []) }
  }

  /// Whether the integer primary key of a record is its object ID.
  private func standsUnderKey(
    _ record: PageBytes, _ extents: Extents, _ id: ObjectID
  ) throws -> Bool {
    guard let position = resolved.primaryKeyIndex else { return false }
    let place = resolved.written.places[position]
    if place.plain == .int, place.presence < 0 {
      return Int64(littleEndian: record.load(Int64.self, at: Int(place.offset))) == id.clusteredKey
    }
    return if case .int(id.clusteredKey)? = try key(of: record, extents) { true } else { false }
  }

  private func store(_ record: PageBytes, _ id: ObjectID, in table: Table) throws {
    if let bound = upperBound, id <= bound {
      try migrator.writing().put(table, id.rawValue, record)
    } else {
      try append(record, id, to: table)
    }
  }

  /// The primary key that a record of the new table has.
  private func key(of record: PageBytes, _ extents: Extents) throws -> PropertyValue? {
    guard let position = resolved.primaryKeyIndex else { return nil }
    return try resolved.written.plainValue(position, of: record)
      ?? resolved.written.value(position, of: record, extents)
  }

  private func appendLookupKey(
    of record: PageBytes, _ extents: Extents, _ id: ObjectID, to key: inout [UInt8]
  ) throws {
    KeyEncoding.append(try self.key(of: record, extents) ?? .null, isOptional: true, to: &key)
    KeyEncoding.append(id, to: &key)
  }

  /// Writes what of a new object does not fit into its record.
  private func writeExtents(_ extents: PendingExtents, of id: ObjectID) throws {
    guard !extents.isEmpty else { return }
    migrator.didWrite(try extentWriter(id).write(extents))
  }

  /// Changes a new object, and leaves alone what belongs to it.
  func rewrite(_ id: ObjectID, _ change: (inout RecordEncoder) throws -> Void) throws {
    if released != nil, try isReleased(id) {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    if id == pending {
      // What typed objects have read of it is void.
      migrator.voidReads()
      return try change(&encoder)
    }
    try migrator.commitIfFull()
    try beginRewrite()
    guard let record = try record(id) else {
      throw deleted(id)
    }
    guard record.layoutID == resolved.written.layout.id else {
      // Its turn has not come yet: it is carried over ahead of it.
      try flush()
      guard let oldTable, let old = try migrator.oldView.value(oldTable, id.rawValue) else {
        return
      }
      try verify(old, id)
      try carryOver(old, id)
      try change(&encoder)
      pending = id
      try flush()
      return
    }
    let lacked = lacksAssignment(record)
    let layout = resolved.written.layout
    let outside = layout.propertiesOutside(record)
    otherEncoder.begin(copying: record)
    try change(&otherEncoder)
    let changed = try otherEncoder.finish(id)
    try removeLookupEntries(of: id)
    try put(id, changed, otherEncoder.extents(over: newExtents(id)), replacing: lacked)
    let kept = layout.propertiesOutside(otherEncoder.bytes)
    for property in outside where !kept.contains(property) {
      try extentWriter(id).removeAll(of: property)
    }
    try writeExtents(otherEncoder.pending, of: id)
  }

  /// Forgets a new object, which is in the new table, wherever objects are looked up.
  private func removeLookupEntries(of id: ObjectID) throws {
    try removeLinks(of: id)
    guard let lookup, let record = try newRecord(id) else { return }
    var key: [UInt8] = []
    try appendLookupKey(of: record, newExtents(id), id, to: &key)
    let view = try migrator.writing()
    try PageBytes.with(key) { key throws(LMDBError) in _ = try view.remove(lookup, key) }
  }

  /// Creates an object.
  func create(_ values: [String: PropertyValue]) throws -> DynamicObject {
    try beginRewrite()
    otherEncoder.begin()
    for (position, property) in draft.properties.enumerated() {
      if let value = values[property.new.name] {
        try otherEncoder.set(position, linkable(position, value))
      } else if let value = property.new.makeDefault(
        migrator.declaration.generators[name]?[property.new.name])
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
    if isEmbedded { ownerless.insert(id) }
    return DynamicObject(self, id)
  }

  /// Creates an object with the same values as another, which is in the new table.
  func copy(_ id: ObjectID) throws -> ObjectID {
    try flush()
    guard let record = try newRecord(id) else {
      throw deleted(id)
    }
    let stored = try newExtents(id)
    otherEncoder.begin()
    // Not by their values: an enum may have lost a case that the object still has.
    for position in draft.properties.indices {
      try otherEncoder.copy(position, from: record, resolved.written, stored, .copied)
    }
    let copy = try takeObjectID(nil)
    try put(copy, otherEncoder.finish(copy), otherEncoder.extents(), replacing: nil)
    try writeExtents(otherEncoder.pending, of: copy)
    return copy
  }

  /// Adds the object that an encoder holds.
  func insert(_ id: ObjectID, _ encoder: inout RecordEncoder) throws {
    try migrator.commitIfFull()
    try beginRewrite()
    try flush()
    try put(id, encoder.finish(id), encoder.extents(), replacing: nil)
    try writeExtents(encoder.pending, of: id)
    try didCreate(id)
  }

  /// An ID for a new object.
  ///
  /// - Parameter key: its primary key, if it is known.
  func takeObjectID(_ key: PropertyValue?) throws -> ObjectID {
    if isClustered, case .int(let key)? = key {
      let id = ObjectID(clusteredKey: key)
      if try record(id) == nil, try !hasForgottenIDs && !wasUsed(id) {
        createdIDs?.insert(id)
        if createdIDs?.count == Self.mostCreatedIDs { createdIDs = nil }
        return id
      }
    }
    while true {
      let id = ObjectID(rawValue: nextObjectID)
      nextObjectID &+= 1
      if try record(id) == nil, try !wasUsed(id) { return id }
    }
  }

  /// Whether an ID was that of an object which has been deleted: links may still
  /// lead to it, and it is not given out again.
  private func wasUsed(_ id: ObjectID) throws -> Bool {
    try usedUpIDs.contains(id) || wasInFile(id)
  }

  /// Deletes a new object, and hides what belongs to it alone.
  func delete(_ id: ObjectID) throws {
    guard try record(id) != nil else { throw deleted(id) }
    let children = try children(of: id)
    try remove(id)
    for child in children { try child.entry.release(child.id) }
  }

  /// Deletes a new object, and leaves alone what belongs to it.
  func remove(_ id: ObjectID) throws {
    try migrator.commitIfFull()
    try beginRewrite()
    guard let newTable, let record = try record(id) else { throw deleted(id) }
    noteDeletion(id)
    ownerless.remove(id)
    if id == pending {
      pending = nil
      return
    }
    let isNew = record.layoutID == resolved.written.layout.id
    if draft.canBeClustered, try !wasUsed(id) { usedUpIDs.insert(id) }
    if isNew {
      if lacksAssignment(record) { unassigned -= 1 }
      let isWhole = resolved.written.layout.propertiesOutside(record).isEmpty
      try removeLookupEntries(of: id)
      if !isWhole {
        try extentWriter(id).removeAll()
      }
    }
    let view = try migrator.writing()
    if try isAhead(id) {
      try putTombstone(id, view)
    } else {
      try view.remove(newTable, id.rawValue)
    }
    migrator.didWrite(8)
  }

  /// Whether an old object's turn is still to come.
  private func isAhead(_ id: ObjectID) throws -> Bool {
    switch carried {
    case .all: return false
    case .through(let last) where id <= last: return false
    case .nothing, .through: break
    }
    guard let oldTable else { return false }
    return try migrator.oldView.value(oldTable, id.rawValue) != nil
  }

  private func putTombstone(_ id: ObjectID, _ view: WriteView) throws {
    guard let newTable else { return }
    var mark = UInt64(RecordLayout.tombstone.rawValue).littleEndian
    try PageBytes.with(&mark) { mark throws(LMDBError) in
      _ = try view.put(newTable, id.rawValue, mark)
    }
    upperBound = max(upperBound ?? id, id)
  }

  /// Deletes all objects, and hides what belongs to them alone.
  func deleteData() throws -> Bool {
    guard draft.old != nil || isRewritten else { return false }
    if isDropped { return true }
    try releaseChildren()
    noteDeletion(nil)
    pending = nil
    ownerless.removeAll()
    if draft.declared == nil {
      drop()
      return true
    }
    if let createdIDs { usedUpIDs.formUnion(createdIDs) } else { hasForgottenIDs = true }
    createdIDs = []
    try beginRewrite()
    carried = .all
    unassigned = 0
    upperBound = nil
    forgetCursors()
    let view = try migrator.writing()
    let tables = [newTable, newExtentTable, lookup, released].compactMap(\.self)
    for table in tables + linkTables.values { try view.empty(table) }
    migrator.didWrite(8)
    return true
  }

  /// Hides what belongs to the objects of the class alone.
  private func releaseChildren() throws {
    guard !owning.isEmpty else { return }
    if isRewritten { try carryAll() }
    isBeingEmptied = true
    defer { isBeingEmptied = false }
    var last: ObjectID?
    while let (id, _) = try nextCurrent(after: last) {
      last = id
      for child in try children(of: id) { try child.entry.release(child.id) }
      try migrator.checkpoint(.rewriting, name, 0, of: oldCount)
    }
  }

  /// The new object with a primary key, or nil.
  func object(forPrimaryKey key: PropertyValue) throws -> DynamicObject? {
    guard let position = resolved.primaryKeyIndex else {
      throw StoreError.noPrimaryKey(class: name)
    }
    try resolved.requireKey(key)
    // The object at hand may have another key by now.
    try flush()
    if isClustered, case .int(let number) = key {
      let id = ObjectID(clusteredKey: number)
      return try record(id) == nil ? nil : DynamicObject(self, id)
    }
    try beginLookup()
    guard let lookup else { return nil }
    let prefix = KeyEncoding.encoding(of: key, isOptional: true)
    let cursor = try migrator.writing().reading.cursor(lookup)
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

  /// Makes the table of primary keys. All old objects are carried over for it,
  /// so that every change of a key from now on passes through here.
  private func beginLookup() throws {
    guard lookup == nil else { return }
    try beginRewrite()
    try carryAll()
    let name = TableNames.lookup(draft.id, resolved.entry.generation)
    guard let table = try migrator.createTables([name])[name.name] else { return }
    var last: ObjectID?
    while let (id, record) = try nextNew(after: last) {
      last = id
      var key: [UInt8] = []
      try appendLookupKey(of: record, newExtents(id), id, to: &key)
      try migrator.writing().put(table, key, [])
      migrator.didWrite(key.count)
      try migrator.checkpoint(.rewriting, draft.name, 0, of: oldCount)
    }
    lookup = table
  }

  /// The new object that comes after another in the new table, or nil.
  func nextNew(after last: ObjectID?) throws -> (id: ObjectID, record: PageBytes)? {
    guard let newTable, last?.rawValue != .max else { return nil }
    let cursor = try migrator.writing().reading.cursor(newTable)
    var isInside = try cursor.seek(atLeast: (last?.rawValue).map { $0 + 1 } ?? 0)
    while isInside, cursor.value.layoutID == RecordLayout.tombstone {
      isInside = try cursor.move(to: .next)
    }
    return isInside ? (ObjectID(rawValue: cursor.integerKey), cursor.value) : nil
  }
}
