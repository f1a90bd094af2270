public import WhimbrelEngine

/// Access to objects by the names of their classes and properties, for code that has no models. It
/// works with every class in the file, also with classes that the configuration does not declare.
extension Store {
  /// Returns all objects of a class, in the order in which they were added. If the class has an
  /// integer primary key, they are in the order of the key.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`.
  /// - Complexity: O(1).
  public func dynamicObjects(_ className: String) throws -> DynamicResults {
    try session.requireOpen()
    return DynamicResults(ObjectList(session, className), try StoredObjects(session, className))
  }

  /// Returns the object with a primary key, or nil if there is none.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `noPrimaryKey`, and with `wrongType` when
  ///   the primary key has another type.
  /// - Complexity: O(log *n*).
  public func dynamicObject(
    ofType className: String, forPrimaryKey key: PropertyValue
  ) throws -> DynamicObject? {
    let objects = try StoredObjects(session, className)
    let table = try session.table(className)
    try table.requireKey(key)
    return try session.file.explaining { try table.find(key).map(objects.object) }
  }

  /// Returns the object with an ID, or nil if the class has no such object.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`.
  /// - Complexity: O(log *n*).
  public func dynamicObject(
    ofType className: String, for id: ObjectID
  ) throws -> DynamicObject? {
    try session.requireOpen()
    let objects = try StoredObjects(session, className)
    let table = try session.table(className)
    return try session.file.explaining { try table.record(id).map { _ in objects.object(id) } }
  }

  /// Creates an object from values by property name. A property without a value gets its default.
  ///
  /// - Parameters:
  ///   - className: The name of the class.
  ///   - values: The values by property name.
  ///   - update: The response to an existing object with the same primary key. The default is to
  ///     throw an error. Otherwise that object gets the values given here, and keeps its other
  ///     values.
  /// - Returns: The object that was created or updated.
  /// - Throws: ``StoreError`` with `unknownClass`, `unknownProperty`, `wrongType`, `outOfRange`,
  ///   `missingValue`, `duplicatePrimaryKey`, `duplicateValues`, `noPrimaryKey`,
  ///   `embeddedNeedsOwner` or `notInWrite`.
  @discardableResult
  public func dynamicCreate(
    _ className: String, _ values: [String: PropertyValue] = [:],
    update: UpdatePolicy = .error
  ) throws -> DynamicObject {
    let objects = try StoredObjects(session, className)
    let table = try session.table(className)
    if update != .error, table.resolved.primaryKeyIndex == nil {
      throw StoreError.noPrimaryKey(class: className, updating: true)
    }
    let model = configuration.models.first { $0._$schema.name == className }
    let id = try table.create(
      values, generators: model?._$schema.generators ?? [:], replacing: update != .error)
    return objects.object(id)
  }

  /// Deletes an object. Links to it become nil, and collections lose it.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`, `objectDeleted`, `objectOfOtherStore` or
  ///   `notInWrite`.
  public func delete(_ object: DynamicObject) throws {
    guard object.isLinkable(in: session) else {
      throw StoreError.objectOfOtherStore(class: object.className, objectID: object.id)
    }
    try session.table(of: object).remove(object.id)
  }

  /// Deletes the objects that results contain at the time of the call. Links to them become nil,
  /// and collections lose them.
  ///
  /// - Throws: ``StoreError`` with `objectOfOtherStore` or `notInWrite`.
  public func delete(_ objects: DynamicResults) throws { try delete(objects.base) }
}
