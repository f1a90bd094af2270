/// A source of the dynamic objects of one class.
protocol DynamicSource: AnyObject {
  var resolved: ResolvedClass { get }
  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue
  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws
  func value(_ property: DynamicObject.Property, of id: ObjectID) throws -> PropertyValue
  func set(_ property: DynamicObject.Property, of id: ObjectID, to value: PropertyValue) throws
  /// Calls `body` with a reader of a collection.
  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result
  /// Returns a value as an element of a collection, or nil if it links to an old object whose new
  /// object the migration has deleted.
  ///
  /// - Throws: ``StoreError`` if the target of another link does not exist.
  func element(_ position: Int, _ value: PropertyValue) throws -> PropertyValue?
  /// Calls `body` with an editor of a collection.
  func change<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result
  /// Returns the objects that link to an object of a class through a property, in the order of
  /// their IDs.
  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID]
  /// Returns the source of another class, in the same store or on the same side of the migration.
  func source(of className: String) throws -> any DynamicSource
  func name(of classID: ClassID) throws -> String
  /// Records a deferred error. A later throwing call, or the end of the block, throws it.
  func note(_ error: any Error)
  /// Returns the session that writes an object.
  func session(writing id: ObjectID) throws -> Session
  /// The session or the migration that the objects belong to.
  var home: AnyObject { get }
}

extension DynamicSource {
  func value(_ property: DynamicObject.Property, of id: ObjectID) throws -> PropertyValue {
    try value(property.position(in: resolved), of: id)
  }

  func set(_ property: DynamicObject.Property, of id: ObjectID, to value: PropertyValue) throws {
    try set(property.position(in: resolved), of: id, to: value)
  }
}
