public import WhimbrelEngine

/// Objects by the names of their classes and properties, for code that knows no
/// models: of any class that the file has, declared or not.
extension Store {
  /// All objects of a class, in the order in which they were added; those of a class
  /// with an integer primary key are in the order of the key.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`.
  /// - Complexity: O(1).
  public func dynamicObjects(_ className: String) throws -> DynamicResults {
    DynamicResults(ObjectList(session, className), try StoredObjects(session, className))
  }

  /// The object with a primary key, or nil when there is none.
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
    return try table.find(key).map(objects.object)
  }

  /// The object with an identity within its class, or nil when it is not there.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`.
  /// - Complexity: O(log *n*).
  public func dynamicObject(
    ofType className: String, for id: ObjectID
  ) throws -> DynamicObject? {
    try session.requireOpen()
    let objects = try StoredObjects(session, className)
    return try session.table(className).record(id).map { _ in objects.object(id) }
  }

  /// Creates an object of values by property name. Properties without a value get their
  /// defaults.
  ///
  /// - Parameters:
  ///   - className: the name of the class.
  ///   - values: the values by property name.
  ///   - update: what to do when the store has an object with the same primary key; that
  ///     object then gets the values given, and keeps the others.
  /// - Throws: ``StoreError`` with `unknownClass`, `unknownProperty`, `wrongType`,
  ///   `outOfRange`, `missingValue`, `duplicatePrimaryKey`, `noPrimaryKey` or
  ///   `notInWrite`.
  @discardableResult
  public func dynamicCreate(
    _ className: String, _ values: [String: PropertyValue] = [:],
    update: UpdatePolicy = .error
  ) throws -> DynamicObject {
    let objects = try StoredObjects(session, className)
    let table = try session.table(className)
    if update != .error, table.resolved.primaryKeyIndex == nil {
      throw StoreError.noPrimaryKey(class: className)
    }
    let model = configuration.models.first { $0._$schema.name == className }
    let id = try table.create(
      values, generators: model?._$schema.generators ?? [:], replacing: update != .error)
    return objects.object(id)
  }

  /// Deletes an object. Links that lead to it become nil, and elements of collections
  /// go.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`, `objectDeleted` or `notInWrite`.
  public func delete(_ object: DynamicObject) throws {
    try session.table(object.className).remove(object.id)
  }

  /// Deletes the objects of results, as they are when this is called. Links that lead to
  /// them become nil, and elements of collections go.
  ///
  /// - Throws: ``StoreError`` with `objectOfOtherStore` or `notInWrite`.
  public func delete(_ objects: DynamicResults) throws { try delete(objects.base) }
}
