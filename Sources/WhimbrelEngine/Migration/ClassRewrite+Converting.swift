internal import WhimbrelLMDB

extension ClassRewrite {
  /// The outcome of converting an old value.
  enum Converted {
    case value(PropertyValue)
    /// The old value is nil, and the new property is required.
    case missing
    /// The new type cannot represent the value.
    case lost
  }

  /// Returns the value of the new type, or the substitute for nil.
  func convert(
    _ value: PropertyValue, _ conversion: Conversion, _ property: CatalogProperty
  ) -> Converted {
    guard let new = conversion.apply(value, openClassID) else { return .lost }
    guard new.isNull else { return .value(new) }
    if property.isOptional || property.type == .any { return .value(.null) }
    return property.nilFill.isNull ? .missing : .value(property.nilFill)
  }

  /// Returns the ID of a class that a value of any type can link to. Returns nil for a class of
  /// embedded objects, which such a link cannot own.
  ///
  /// - Parameter name: The new name of the class. The types of old links have it too.
  private func openClassID(_ name: String) -> ClassID? {
    guard let entry = migrator.entry(name), !entry.isEmbedded else { return nil }
    return entry.draft.id
  }

  /// Converts the value of an old object and stores it in the encoder. A value that the new type
  /// cannot represent is left to the code.
  func setConverted(
    _ property: PropertyDraft, _ index: Int, _ value: PropertyValue, _ conversion: Conversion,
    _ id: ObjectID
  ) throws {
    switch convert(value, conversion, property.new) {
    case .missing:
      if !property.isTracked { throw missingValue(property, id) }
    case .lost:
      if !property.isTracked { throw conversionFailed(property, id, value) }
    case .value(let new):
      // The value may not be a case of the enum.
      do { try encoder.set(index, new) } catch is StoreError {
        if !property.isTracked { throw conversionFailed(property, id, value) }
      }
    }
  }

  /// Returns the new value of an old object whose turn is still to come, or nil if it has none.
  func convertedValue(
    _ position: Int, _ conversion: Conversion, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    let property = draft.properties[position]
    let value = try explaining(id) { try oldValue(property, of: record, id) }
    guard case .value(let new) = convert(value, conversion, property.new) else { return .null }
    return new
  }

  /// Returns the value that an old record has for the property that this one was.
  func oldValue(
    _ property: PropertyDraft, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    guard let old, let earlier = property.old,
      let position = old.resolved.properties.firstIndex(where: { $0.id == earlier.id })
    else { return .null }
    return try old.value(position, of: record, id)
  }

  /// Returns the value that the new type of a property cannot represent, or nil if there was none.
  func lostValue(_ property: PropertyDraft, _ id: ObjectID) -> PropertyValue? {
    guard case .converted(let conversion) = property.origin,
      let record = try? old?.record(id),
      let value = try? oldValue(property, of: record, id)
    else { return nil }
    if case .missing = convert(value, conversion, property.new) { return nil }
    return value
  }

  /// Returns why a value was lost, for the error at the end.
  func lossReason(
    _ property: PropertyDraft, _ value: PropertyValue
  ) -> StoreError.MissingValues.Reason {
    .lost(
      from: property.old?.type ?? property.new.type, to: property.new.type,
      value: migrator.task.request.migration.describesValues ? value.summary : nil)
  }

  func missingValue(_ property: PropertyDraft, _ id: ObjectID) -> StoreError {
    StoreError.migrationUnset(
      class: name, property: property.new.name, objectID: id,
      primaryKey: knownPrimaryKey(id), from: migrator.task.oldVersion,
      to: migrator.task.newVersion, objectsRead: migrator.objectsRewritten,
      hasBlock: migrator.task.runsBlock)
  }

  func conversionFailed(
    _ property: PropertyDraft, _ id: ObjectID, _ value: PropertyValue
  ) -> StoreError {
    StoreError.conversionFailed(
      class: name, property: property.new.name, objectID: id, primaryKey: oldPrimaryKey(id),
      oldType: property.old?.type ?? property.new.type, newType: property.new.type,
      value: migrator.task.request.migration.describesValues ? value.summary : nil,
      from: migrator.task.oldVersion, to: migrator.task.newVersion,
      hasBlock: migrator.task.runsBlock,
      remedy: property.new.isOptional ? .codeOrNil : .code)
  }
}

extension PropertyValue {
  /// Whether this is nil or an empty collection.
  var isEmpty: Bool { self == .null || self == .list([]) || self == .map([:]) }
}
