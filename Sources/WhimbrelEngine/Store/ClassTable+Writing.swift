package import WhimbrelLMDB

extension ClassTable {
  func didBeginWriting() {
    upperBound = nil
    nextObjectID = nil
    cursor = nil
    added.removeAll()
  }

  /// Checks what must hold, and stores what the next write has to know.
  func willCommit() throws {
    if !added.isEmpty { try requireOwners() }
    guard let nextObjectID else { return }
    let view = try session.requireWriting("commit")
    try view.put(
      .main, MainKey.nextObjectID(resolved.id),
      unsafe withUnsafeBytes(of: nextObjectID.littleEndian) { unsafe Array($0) })
  }

  func willEndWriting() {
    cursor = nil
  }

  /// An object ID that no object of this class ever had.
  package func takeObjectID() throws -> ObjectID {
    if let migration { return try migration.takeObjectID(nil) }
    try requireInFile()
    while true {
      let stored = try nextObjectID ?? storedNextObjectID()
      let taken = session.file.takeObjectID(resolved.id, atLeast: stored)
      nextObjectID = taken &+ 1
      // A class that was clustered may have objects ahead.
      let isFree = try bound().map { taken > $0.rawValue } ?? true
      if try isFree || session.view.value(objects, taken) == nil {
        return ObjectID(rawValue: taken)
      }
    }
  }

  private func storedNextObjectID() throws -> UInt64 {
    let key = MainKey.nextObjectID(resolved.id)
    guard let bytes = try session.view.value(.main, key), bytes.count == 8 else { return 1 }
    return UInt64(littleEndian: bytes.load(UInt64.self, at: 0))
  }

  /// The primary key of the object that the encoder holds.
  package func encodedPrimaryKey() throws -> PropertyValue {
    guard let position = resolved.primaryKeyIndex else { return .null }
    return try resolved.written.value(position, of: encoder.bytes, encoder.extents())
  }

  /// The object ID for the object that the encoder holds, which is new.
  package func objectIDForEncoded() throws -> ObjectID {
    guard resolved.isClustered, case .int(let key) = try encodedPrimaryKey() else {
      return try takeObjectID()
    }
    if let migration { return try migration.takeObjectID(.int(key)) }
    return ObjectID(clusteredKey: key)
  }

  /// Whether the object that the encoder holds has the values of a record.
  package func encodedIsEqual(to record: PageBytes, _ id: ObjectID) throws -> Bool {
    let old = try layout(of: record, id)
    let (stored, pending) = (extents(of: id), encoder.extents())
    return try explaining(id) {
      try resolved.properties.indices.allSatisfy { position in
        try old.value(position, of: record, stored)
          .isIdentical(to: resolved.written.value(position, of: encoder.bytes, pending))
      }
    }
  }

  /// Creates an object of values by property name.
  ///
  /// - Parameters:
  ///   - generators: what makes default values that differ each time.
  ///   - isReplacing: whether an object with the same primary key gets the values
  ///     given, and keeps the others.
  package func create(
    _ values: [String: PropertyValue],
    generators: [String: @Sendable () -> PropertyValue] = [:], replacing isReplacing: Bool
  ) throws -> ObjectID {
    _ = try session.requireWriting("create an object")
    for name in values.keys.sorted() { _ = try resolved.requiredPosition(of: name) }
    if isReplacing, let position = resolved.primaryKeyIndex,
      let key = values[resolved.properties[position].name], let id = try find(key)
    {
      for property in resolved.properties {
        if let value = values[property.name] { try requireTarget(of: value, property) }
      }
      try update(id) { encoder in
        for (position, property) in resolved.properties.enumerated() {
          if let value = values[property.name] { try encoder.set(position, value) }
        }
      }
      return id
    }
    encoder.begin()
    for (position, property) in resolved.properties.enumerated() {
      let value = values[property.name] ?? property.makeDefault(generators[property.name])
      guard let value else { throw missingValue(of: property) }
      try requireTarget(of: value, property)
      try encoder.set(position, value)
    }
    let new = try objectIDForEncoded()
    try insertEncoded(new)
    return new
  }

  /// Gives the object that the encoder holds what the app does not declare: the values of the
  /// object that it replaces, or the defaults that the file has.
  ///
  /// - Throws: ``StoreError`` with `missingValue` when there is no default.
  package func completeEncoded(replacing replaced: ObjectID?) throws {
    guard !resolved.undeclaredProperties.isEmpty else { return }
    let record = try replaced.flatMap(record)
    for position in resolved.undeclaredProperties {
      if let record, let replaced {
        let layout = try layout(of: record, replaced)
        try explaining(replaced) {
          try encoder.copy(position, from: record, layout, extents(of: replaced), .staying)
        }
        continue
      }
      let property = resolved.properties[position]
      guard let value = property.makeDefault(nil) else { throw missingValue(of: property) }
      try encoder.set(position, value)
    }
  }

  private func missingValue(of property: CatalogProperty) -> StoreError {
    property.scope == .fileOnly
      ? StoreError.undeclaredValueMissing(class: name, property: property.name)
      : StoreError.missingValue(class: name, property: property.name)
  }

  /// Throws when only the app has the class.
  private func requireInFile() throws {
    guard resolved.entry.isMissing else { return }
    throw StoreError.schemaChangedElsewhere(
      path: session.file.path, changes: [.classRemoved(class: name)])
  }

  /// Throws unless a link leads to an object that exists.
  private func requireTarget(of value: PropertyValue, _ property: CatalogProperty) throws {
    for target in value.linkTargets {
      try session.requireTarget(target, of: property, in: name)
    }
  }

  func writeCursor() throws -> Cursor {
    if let cursor { return cursor }
    let opened = try session.view.cursor(objects)
    cursor = opened
    return opened
  }

  /// Adds the object that the encoder holds.
  ///
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`, `duplicateValues` or
  ///   `embeddedHasParent`; nothing is added then.
  package func insertEncoded(_ id: ObjectID) throws {
    let view = try session.requireWriting("add an object")
    if let migration { return try migration.insert(id, &encoder) }
    try requireInFile()
    let record = try encoder.finish(id)
    let entries = try resolved.indexedProperties.map { position in
      let entries = try resolved.indexEntries(
        position, of: record, resolved.written, id, encoder.extents())
      return (position: position, entries: entries)
    }
    if !ownedLinks.isEmpty { try requireNoParents(entries) }
    let changes = try classIndexes.isEmpty ? [] : newClassIndexEntries(record, id)
    var key: [UInt8] = []
    if let keys, let position = resolved.primaryKeyIndex {
      try resolved.appendKey(
        position, of: record, resolved.written, encoder.extents(), to: &key)
      let added = try PageBytes.with(key) { key throws(LMDBError) in
        var number = id.rawValue.littleEndian
        return try PageBytes.with(&number) { content throws(LMDBError) in
          try view.put(keys, key, content, .ifAbsent)
        }
      }
      if !added {
        throw duplicate(try encodedPrimaryKey())
      }
    }
    if let bound = try bound(), id <= bound {
      guard try view.put(objects, id.rawValue, record, .ifAbsent) else {
        throw duplicate(.int(id.clusteredKey))
      }
    } else {
      try writeCursor().append(id.rawValue, record)
      upperBound = id
    }
    for (position, entries) in entries {
      guard let table = indexes[position] else { continue }
      for entry in entries { try view.put(table, entry.key, entry.content) }
    }
    for change in changes { try change.apply(view) }
    if !encoder.pending.isEmpty { try extentWriter(view, id).write(encoder.pending) }
    if resolved.isEmbedded, session.checksOwners { added.insert(id) }
    session.didWrite()
  }

  func extentWriter(_ view: WriteView, _ id: ObjectID) throws -> ExtentWriter {
    guard let extentTable else { throw StoreError.readOnlyStore(verb: "write") }
    return ExtentWriter(view: view, table: extentTable, id: id, seed: resolved.checksumSeed(id))
  }

  func duplicate(_ key: PropertyValue) -> StoreError {
    let position = resolved.primaryKeyIndex ?? 0
    return StoreError.duplicatePrimaryKey(
      class: name, property: resolved.properties[position].name, key: key)
  }

  private func bound() throws -> ObjectID? {
    if let upperBound { return upperBound }
    let cursor = try writeCursor()
    guard try cursor.move(to: .last) else { return nil }
    upperBound = ObjectID(rawValue: cursor.integerKey)
    return upperBound
  }

  /// Replaces an object's record by the one that the encoder holds.
  package func replaceEncoded(_ id: ObjectID) throws {
    let view = try session.requireWriting("change an object")
    let record = try encoder.finish(id)
    let cursor = try writeCursor()
    guard try cursor.seek(to: id.rawValue) else {
      throw resolved.deleted(id)
    }
    let old = cursor.value
    let layout = try layout(of: old, id)
    // The bytes of the old record are gone with the first write: compare all before.
    let changes =
      try resolved.indexedProperties.isEmpty
      ? [] : explaining(id) { try indexChanges(from: old, layout, to: record, id) }
    let classChanges =
      try classIndexes.isEmpty
      ? [] : explaining(id) { try classIndexChanges(from: old, layout, to: record, id) }
    let outside = layout.layout.hasVariableFields ? layout.layout.propertiesOutside(old) : []
    if !ownedLinks.isEmpty {
      try requireNoParents(changes.map { ($0.position, $0.new) })
    }
    for change in changes { try change.apply(view) }
    for change in classChanges { try change.apply(view) }
    if old.count == record.count, changes.isEmpty, classChanges.isEmpty {
      try cursor.replace(id.rawValue, record)
    } else {
      try view.put(objects, id.rawValue, record)
    }
    try replaceExtents(outside, id, record, view)
    session.didWrite()
    for change in changes where change.isOwning {
      try removeChildren(change.released, change.position)
    }
  }

  /// Removes the extents of which a record no longer speaks, and writes those that
  /// the encoder has.
  private func replaceExtents(
    _ outside: [PropertyID], _ id: ObjectID, _ record: PageBytes, _ view: WriteView
  ) throws {
    if outside.isEmpty, encoder.pending.isEmpty { return }
    let writer = try extentWriter(view, id)
    if !outside.isEmpty {
      let kept = resolved.written.layout.propertiesOutside(encoder.bytes)
      for property in outside where !kept.contains(property) {
        try writer.removeAll(of: property)
      }
    }
    try writer.write(encoder.pending)
  }

  /// Changes properties of an object: `change` works on a copy of its record.
  ///
  /// - Parameter position: that of the property which changes, or nil when it may be any.
  package func update(
    _ id: ObjectID, at position: Int? = nil, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    if let unsafeMigration {
      return try unsafe unsafeMigration._withUnsafeGuaranteedRef {
        try $0.migrator.requireRunning()
        try $0.update(id, at: position, change)
      }
    }
    _ = try session.requireWriting("change an object")
    let cursor = try writeCursor()
    guard try cursor.seek(to: id.rawValue) else {
      throw resolved.deleted(id)
    }
    let record = cursor.value
    let layout = try layout(of: record, id)
    if layout === resolved.written {
      encoder.begin(copying: record)
    } else {
      try explaining(id) { try encoder.begin(converting: record, layout, extents(of: id)) }
    }
    try change(&encoder)
    try replaceEncoded(id)
  }
}
