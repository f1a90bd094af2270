public import WhimbrelEngine

extension Migration {
  /// Creates an object from values by property name, from values in the order of the properties, or
  /// as a copy of another object, as ``Store/create(_:value:update:unknownKeys:)-(_,Any,_,_)``
  /// does.
  ///
  /// ```swift
  /// try migration.create(
  ///   "Zone",
  ///   value: ["identifier": "Europe/Andorra", "country": ["code": "AD"], "aliases": ["AD"]],
  ///   update: .modified)
  /// ```
  ///
  /// An old object among the values stands for the new object that it has become, or for nil if
  /// that has been deleted.
  ///
  /// - Parameters:
  ///   - type: The model.
  ///   - value: The values.
  ///   - update: The response to a new object with the same primary key. The default is to throw an
  ///     error at once.
  ///   - unknownKeys: The response to keys that are not properties. The default is to throw an
  ///     error.
  /// - Throws: ``StoreError`` as when creating an object in a store, and `shapeMismatch`.
  @discardableResult
  public func create<New: Model>(
    _ type: New.Type, value: Any, update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> New {
    try newSession(for: type).create(type, value, update, unknownKeys)
  }

  /// Creates an object of a class by its name. In everything else this method behaves as the other
  /// `create`.
  @discardableResult
  public func create(
    _ className: String, value: Any, update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> DynamicObject {
    let session = try newSession()
    let object: any Model = try session.create(
      session.model(className), value, update, unknownKeys)
    return try newObject(ofType: className, object._$row.id)
  }
}

extension DynamicObject {
  /// Sets a property to any value that ``Store/create(_:value:update:unknownKeys:)-(_,Any,_,_)``
  /// accepts: dictionaries and arrays for objects and collections, objects, and values that can be
  /// converted to its type.
  ///
  /// ```swift
  /// try new.set("country", value: ["code": "AD", "name": "Andorra"], update: .modified)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the property.
  ///   - value: The value, or nil. ``ValueConversion`` lists the values that are accepted.
  ///   - update: The response to an object among the values whose primary key another object has.
  ///     The default is to throw an error.
  /// - Throws: ``StoreError`` with `unknownClass` for a class that has no model, `unknownProperty`,
  ///   `wrongType`, `outOfRange`, `missingValue`, `duplicatePrimaryKey`, `objectDeleted`,
  ///   `notInWrite`, and with `oldObjectIsReadOnly` for an old object of a migration.
  public func set(_ name: String, value: Any?, update: UpdatePolicy = .error) throws {
    let session = try sessionForWriting()
    try session.model(className).set(name, of: self, to: value, update, in: session)
  }
}

extension Session {
  fileprivate func model(_ className: String) throws -> any Model.Type {
    let types = (modelTypes as? ModelRegistry)?.types ?? [:]
    guard let type = types[className] else {
      throw StoreError.unknownClass(class: className, known: types.keys.sorted())
    }
    return type
  }
}

extension Model {
  fileprivate static func set(
    _ name: String, of object: DynamicObject, to value: Any?, _ update: UpdatePolicy,
    in session: Session
  ) throws {
    let property = try _$schema.requiredProperty(name)
    let creation = ObjectCreation(for: session, update)
    _ = try session.requireWriting("change an object")
    let table = try session.table(_$schema.name)
    // Only a migration may change a primary key. `ObjectCreation.change` skips primary keys,
    // because they identify the object.
    if _$schema.classSchema.primaryKey?.name == name {
      guard session.showsNewObjects else {
        throw StoreError.primaryKeyIsFixed(class: table.name, property: name)
      }
      let conversion = ValueConversion(class: _$schema.name, property: property, in: creation)
      return try object.set(
        name, to: property.valueType._$converted(value, conversion).propertyValue)
    }
    let row = Self(_$row: ModelRow(session, table, object.id))
    try creation.change(row, [name: value as Any], _$schema)
    try creation.finish()
    try creation.apply()
  }
}
