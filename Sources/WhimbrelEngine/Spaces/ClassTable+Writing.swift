package import WhimbrelLMDB

extension ClassTable {
  func didBeginWriting() {
    records.upperBound = nil
    records.endTransaction()
    nextObjectID = nil
    changing = nil
    added.removeAll()
    contested.removeAll()
  }

  /// Checks that added embedded objects have owners and that unique values are unique, and stores
  /// the next object ID.
  func willCommit() throws {
    if !added.isEmpty { try requireOwners() }
    if !contested.isEmpty { try requireUniqueContested() }
    guard let nextObjectID else { return }
    try session.requireWriting("commit").putNextObjectID(nextObjectID, of: resolved.id)
  }

  func willEndWriting() {
    records.endTransaction()
    changing = nil
    pendingEntries?.removeAll()
    // They may hold a long value of the last object.
    encoder.pending.removeAll()
    changes.pending.removeAll()
  }

  /// Returns the primary key of the object that the encoder holds.
  package func encodedPrimaryKey() throws -> PropertyValue {
    guard let position = resolved.primaryKeyIndex else { return .null }
    return try resolved.written.value(position, of: encoder.bytes, encoder.overflow())
  }

  /// Returns the object ID for the new object that the encoder holds.
  package func objectIDForEncoded() throws -> ObjectID {
    guard resolved.isClustered, let position = resolved.primaryKeyIndex else {
      return try takeObjectID()
    }
    let place = encoder.place(position)
    if place.isInt { return try takeObjectID(forKey: encoder.bytes.int(at: place.slot)) }
    guard case .int(let key) = try encodedPrimaryKey() else { return try takeObjectID() }
    return try takeObjectID(forKey: key)
  }

  /// Returns whether the object that the encoder holds has the values of a record.
  package func encodedIsEqual(to record: PageBytes, _ id: ObjectID) throws -> Bool {
    let old = try layout(of: record, id)
    let (stored, pending) = (overflow(of: id), encoder.overflow())
    return try explaining(id) {
      try resolved.properties.indices.allSatisfy { position in
        try old.value(position, of: record, stored)
          .isIdentical(to: resolved.written.value(position, of: encoder.bytes, pending))
      }
    }
  }

  /// Creates an object from values by property name.
  ///
  /// - Parameters:
  ///   - generators: The generators of default values that differ each time.
  ///   - isReplacing: Whether an object with the same primary key gets the given values and keeps
  ///     the others.
  package func create(
    _ values: [String: PropertyValue],
    generators: [String: @Sendable () -> PropertyValue] = [:], replacing isReplacing: Bool
  ) throws -> ObjectID {
    _ = try session.requireAdding("create an object")
    for name in values.keys.sorted() { _ = try resolved.requiredPosition(of: name) }
    if isReplacing, let property = resolved.primaryKeyIndex.map({ resolved.properties[$0] }),
      let key = values[property.name], let id = try find(property.checked(key, in: name))
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

  /// Adds the properties that the app does not declare to the object that the encoder holds: with
  /// the values of the object that it replaces, or with the defaults of the file.
  ///
  /// - Throws: ``StoreError`` with `missingValue` if there is no default.
  package func completeEncoded(replacing replaced: ObjectID?) throws {
    guard !resolved.undeclaredProperties.isEmpty else { return }
    let record = try replaced.flatMap(record)
    for position in resolved.undeclaredProperties {
      if let record, let replaced {
        let layout = try layout(of: record, replaced)
        try explaining(replaced) {
          try encoder.copy(position, from: record, layout, overflow(of: replaced), .staying)
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

  /// Throws if the app has the class and the file does not.
  func requireInFile() throws {
    guard resolved.entry.isMissing else { return }
    throw StoreError.schemaChangedElsewhere(
      path: session.file.path, changes: [.classRemoved(class: name)])
  }

  /// Throws unless the objects that a value links to exist and may be linked to.
  private func requireTarget(of value: PropertyValue, _ property: CatalogProperty) throws {
    for target in value.linkTargets {
      try session.requireTarget(target, of: property, in: name)
    }
  }

  /// Returns the stored record of an object, found by the cursor that changes share.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted`.
  func storedRecord(_ id: ObjectID) throws -> PageBytes {
    let record = try records.record(
      of: id, epoch: clock.value, in: withSession { $0.currentView })
    guard let record else { throw resolved.deleted(id) }
    return record
  }

  /// Returns the stored record of an object, so that it can be changed. Verifies it first.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted` or `damaged`.
  func soundStoredRecord(_ id: ObjectID) throws -> PageBytes {
    try sound(storedRecord(id), id)
  }
}

// MARK: - Restoring

extension ClassTable {
  /// Adds an object with the ID that it had before it was removed.
  ///
  /// - Parameter values: The values, by the positions of their properties. They may be cases that
  ///   the enum no longer has. Other properties get their defaults.
  /// - Throws: ``StoreError``, as ``insertEncoded(_:)`` does, and with `missingValue` if a property
  ///   has no default.
  package func restore(_ id: ObjectID, _ values: [Int: PropertyValue]) throws {
    _ = try session.requireAdding("restore an object")
    encoder.begin()
    for (position, property) in resolved.properties.enumerated() {
      guard let value = values[position] ?? property.makeDefault(nil) else {
        throw missingValue(of: property)
      }
      try encoder.setDumped(position, value)
    }
    try insertEncoded(id)
  }
}
