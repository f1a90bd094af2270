public import WhimbrelEngine

extension Migration {
  /// Creates an object of values by property name, of values in the order of the properties, or
  /// as a copy of another object, as ``Store/create(_:value:update:unknownKeys:)-(_,Any,_,_)`` does.
  ///
  /// ```swift
  /// try migration.create(
  ///   "Zone",
  ///   value: ["identifier": "Europe/Andorra", "country": ["code": "AD"], "aliases": ["AD"]],
  ///   update: .modified)
  /// ```
  ///
  /// Among the values an old object stands for the new one that it has become, or for nil when that
  /// has been deleted.
  ///
  /// - Parameters:
  ///   - type: the model.
  ///   - value: the values.
  ///   - update: what to do when there is a new object with the same primary key. The default is
  ///     that it is an error at once.
  ///   - unknownKeys: what to do with keys that are not properties. The default is an error.
  /// - Throws: ``StoreError`` as creating an object in a store does, and `shapeMismatch`.
  @discardableResult
  public func create<New: Model>(
    _ type: New.Type, value: Any, update: UpdatePolicy = .error,
    unknownKeys: UnknownKeys = .error
  ) throws -> New {
    try newSession(for: type).create(type, value, update, unknownKeys)
  }

  /// Creates an object of a class by its name; all else is as with the other `create`.
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
  /// Gives a property a value, of what ``Store/create(_:value:update:unknownKeys:)-(_,Any,_,_)`` takes:
  /// dictionaries and arrays for objects and collections, objects, and values that its type can be
  /// made of.
  ///
  /// ```swift
  /// try new.set("country", value: ["code": "AD", "name": "Andorra"], update: .modified)
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the property.
  ///   - value: the value, or nil. What is taken is said at ``ValueConversion``.
  ///   - update: what to do with objects among the values whose primary key another has. The
  ///     default is that it is an error.
  /// - Throws: ``StoreError`` with `unknownClass` for a class that has no model, `unknownProperty`,
  ///   `wrongType`, `outOfRange`, `missingValue`, `duplicatePrimaryKey`, `objectDeleted`,
  ///   `notInWrite`, and with `oldObjectIsReadOnly` for an old object of a migration.
  public func set(_ name: String, value: Any?, update: UpdatePolicy = .error) throws {
    let session = try sessionForWriting()
    try session.model(className).set(name, of: self, to: value, update, in: session)
  }
}

extension Session {
  /// The model of a class.
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
