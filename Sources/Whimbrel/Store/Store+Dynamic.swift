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
    DynamicResults(session, try StoredObjects(session, className))
  }

  /// The object with a primary key, or nil.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `noPrimaryKey`.
  /// - Complexity: O(log *n*).
  public func dynamicObject(
    ofType className: String, forPrimaryKey key: PropertyValue
  ) throws -> DynamicObject? {
    let objects = try StoredObjects(session, className)
    return try session.table(className).find(key).map(objects.object)
  }

  /// Creates an object of values by property name. Properties without a value get their
  /// defaults.
  ///
  /// - Parameter update: what to do when the store has an object with the same primary
  ///   key; that object then gets the values given, and keeps the others.
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
}

/// The objects of a class as ``DynamicObject``s, live: they show what the store shows at
/// any moment.
public struct DynamicResults: RandomAccessCollection {
  private let base: ObjectList
  private let objects: StoredObjects

  init(_ session: Session, _ objects: StoredObjects) {
    base = ObjectList(session, objects.className)
    self.objects = objects
  }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }

  /// How many objects there are.
  ///
  /// - Complexity: O(1).
  public var endIndex: Int { base.count }

  /// The object at a position.
  ///
  /// - Complexity: O(1); O(*n*) for the first after a change.
  public subscript(position: Int) -> DynamicObject {
    objects.object(base.row(at: position).id)
  }
}

@available(*, unavailable)
extension DynamicResults: Sendable {}
