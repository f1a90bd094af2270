package import WhimbrelLMDB

extension ClassTable {
  func didBeginWriting() {
    upperBound = nil
    nextObjectID = nil
    cursor = nil
  }

  /// Stores what the next write has to know.
  func willCommit() throws {
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
  package var encodedPrimaryKey: PropertyValue {
    guard let position = resolved.primaryKeyIndex else { return .null }
    return resolved.written.value(
      position, of: encoder.bytes, as: resolved.properties[position].type)
  }

  /// Whether the object that the encoder holds has the values of a record.
  package func encodedIsEqual(to record: PageBytes, _ id: ObjectID) throws -> Bool {
    let old = try layout(of: record, id)
    let new = encoder.bytes
    return resolved.properties.indices.allSatisfy { position in
      let type = resolved.properties[position].type
      return old.value(position, of: record, as: type)
        .isIdentical(to: resolved.written.value(position, of: new, as: type))
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
      guard let value else {
        throw StoreError.missingValue(class: name, property: property.name)
      }
      try requireTarget(of: value, property)
      try encoder.set(position, value)
    }
    var id: ObjectID?
    if resolved.isClustered, case .int(let key) = encodedPrimaryKey {
      id = ObjectID(clusteredKey: key)
    }
    let new = try id ?? takeObjectID()
    try insertEncoded(new)
    return new
  }

  /// Throws unless a link leads to an object that exists.
  private func requireTarget(of value: PropertyValue, _ property: CatalogProperty) throws {
    guard case .link(let id) = value, let target = property.type.linkTarget else { return }
    guard try session.table(target).record(id) != nil else {
      throw StoreError.objectDeleted(class: target, objectID: id)
    }
  }

  private func writeCursor() throws -> Cursor {
    if let cursor { return cursor }
    let opened = try session.view.cursor(objects)
    cursor = opened
    return opened
  }

  /// Adds the object that the encoder holds.
  ///
  /// - Throws: ``StoreError`` with `duplicatePrimaryKey`; nothing is added then.
  package func insertEncoded(_ id: ObjectID) throws {
    let view = try session.requireWriting("add an object")
    let record = try encoder.finish(id)
    var key: [UInt8] = []
    if let keys, let position = resolved.primaryKeyIndex {
      appendKey(position, of: record, to: &key)
      let added = try PageBytes.with(key) { key throws(LMDBError) in
        var number = id.rawValue.littleEndian
        return try PageBytes.with(&number) { content throws(LMDBError) in
          try view.put(keys, key, content, .ifAbsent)
        }
      }
      if !added {
        throw duplicate(
          resolved.written.value(position, of: record, as: resolved.properties[position].type))
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
    for position in resolved.indexedProperties {
      try putIndexEntry(position, of: record, id, view)
    }
    session.didWrite()
  }

  private func duplicate(_ key: PropertyValue) -> StoreError {
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
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    let old = cursor.value
    if !resolved.indexedProperties.isEmpty {
      // Their bytes are gone with the first write: compare all before.
      var changes: [(table: Table, old: [UInt8], new: [UInt8])] = []
      let layout = try layout(of: old, id)
      for position in resolved.indexedProperties {
        guard let table = indexes[position] else { continue }
        var (before, after): ([UInt8], [UInt8]) = ([], [])
        appendIndexKey(position, of: old, layout, id, to: &before)
        appendIndexKey(position, of: record, resolved.written, id, to: &after)
        if before != after { changes.append((table, before, after)) }
      }
      for change in changes {
        if !change.old.isEmpty {
          try PageBytes.with(change.old) { key throws(LMDBError) in
            _ = try view.remove(change.table, key)
          }
        }
        if !change.new.isEmpty { try view.put(change.table, change.new, []) }
      }
    }
    if old.count == record.count {
      try cursor.replace(id.rawValue, record)
    } else {
      try view.put(objects, id.rawValue, record)
    }
    session.didWrite()
  }

  /// Removes an object, and makes the links that lead to it nil.
  package func remove(_ id: ObjectID) throws {
    _ = try session.requireWriting("delete an object")
    for (source, position) in session.loaded.links(to: name) {
      let table = try session.table(source.name)
      for object in try table.find(position, equalTo: .link(id))
      where !(table === self && object == id) {
        try table.update(object) { encoder throws in encoder.setNull(position) }
      }
    }
    try removeRecord(id)
  }

  /// Removes an object and its index entries, and leaves links alone.
  func removeRecord(_ id: ObjectID) throws {
    let view = try session.requireWriting("delete an object")
    guard let record = try record(id) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    let layout = try layout(of: record, id)
    var entries: [(Table, [UInt8])] = []
    if let keys, let position = resolved.primaryKeyIndex {
      var key: [UInt8] = []
      appendKey(position, of: record, layout, to: &key)
      entries.append((keys, key))
    }
    for (position, table) in indexes {
      var key: [UInt8] = []
      appendIndexKey(position, of: record, layout, id, to: &key)
      if !key.isEmpty { entries.append((table, key)) }
    }
    for (table, key) in entries {
      try PageBytes.with(key) { key throws(LMDBError) in _ = try view.remove(table, key) }
    }
    try view.remove(objects, id.rawValue)
    session.didWrite()
  }

  /// Removes every object, and makes the links that lead to them nil.
  package func removeAll() throws {
    let view = try session.requireWriting("delete all objects")
    for (source, position) in session.loaded.links(to: name) where source.name != name {
      let table = try session.table(source.name)
      guard let index = table.indexes[position] else { continue }
      var last: ObjectID?
      while true {
        let cursor = try session.view.cursor(index)
        guard try cursor.move(to: .first), cursor.key.count == 16 else { break }
        let object = ObjectID(rawValue: cursor.key.loadBigEndian(at: 8))
        // Making the link nil removes the entry, unless it was not the object's.
        if object == last { throw table.damagedRecord(object, "an index has an entry too many") }
        last = object
        try table.update(object) { encoder throws in encoder.setNull(position) }
      }
    }
    try view.empty(objects)
    if let keys { try view.empty(keys) }
    for index in indexes.values { try view.empty(index) }
    upperBound = nil
    session.didWrite()
  }

  /// Changes properties of an object: `change` works on a copy of its record.
  package func update(
    _ id: ObjectID, _ change: (inout RecordEncoder) throws -> Void
  ) throws {
    _ = try session.requireWriting("change an object")
    let cursor = try writeCursor()
    guard try cursor.seek(to: id.rawValue) else {
      throw StoreError.objectDeleted(class: name, objectID: id)
    }
    let record = cursor.value
    let layout = try layout(of: record, id)
    if layout === resolved.written {
      encoder.begin(copying: record)
    } else {
      do { try encoder.begin(converting: record, layout) } catch is DamagedRecord {
        throw damagedRecord(id, "text or data lies outside of it")
      }
    }
    try change(&encoder)
    try replaceEncoded(id)
  }
}

extension ClassTable {
  private func appendKey(_ position: Int, of record: PageBytes, to key: inout [UInt8]) {
    appendKey(position, of: record, resolved.written, to: &key)
  }

  private func appendKey(
    _ position: Int, of record: PageBytes, _ layout: ResolvedLayout, to key: inout [UInt8]
  ) {
    resolved.appendKey(position, of: record, layout, to: &key)
  }

  private func appendIndexKey(
    _ position: Int, of record: PageBytes, _ layout: ResolvedLayout, _ id: ObjectID,
    to key: inout [UInt8]
  ) {
    resolved.appendIndexKey(position, of: record, layout, id, to: &key)
  }

  private func putIndexEntry(
    _ position: Int, of record: PageBytes, _ id: ObjectID, _ view: WriteView
  ) throws {
    guard let table = indexes[position] else { return }
    var key: [UInt8] = []
    appendIndexKey(position, of: record, resolved.written, id, to: &key)
    if !key.isEmpty { try view.put(table, key, []) }
  }
}
