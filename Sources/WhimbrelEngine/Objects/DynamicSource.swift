/// Where dynamic objects of one class come from.
protocol DynamicSource: AnyObject {
  var resolved: ResolvedClass { get }
  /// The value of a property.
  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue
  /// Gives a property a value.
  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws
  /// The same, by what was found for a name.
  func value(_ property: DynamicObject.Property, of id: ObjectID) throws -> PropertyValue
  func set(_ property: DynamicObject.Property, of id: ObjectID, to value: PropertyValue) throws
  /// Calls `body` with what reads a collection.
  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result
  /// A value as an element of a collection; nil when it is a link to an old object whose new
  /// one the migration has deleted. Other links are checked for leading somewhere.
  func element(_ position: Int, _ value: PropertyValue) throws -> PropertyValue?
  /// Changes a collection.
  func change<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result
  /// The objects that link to one of a class through a property, in the order of their
  /// IDs.
  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID]
  /// The objects of another class, as this side sees them.
  func source(of className: String) throws -> any DynamicSource
  /// The name of a class.
  func name(of classID: ClassID) throws -> String
  /// Keeps in mind an error that was met where none can be thrown.
  func note(_ error: any Error)
  /// What writes the objects.
  ///
  /// - Parameter id: the object that is to be written.
  func session(writing id: ObjectID) throws -> Session
  /// Whether a session can link to the objects.
  func isLinkable(in session: Session) -> Bool
}

extension DynamicSource {
  func value(_ property: DynamicObject.Property, of id: ObjectID) throws -> PropertyValue {
    try value(property.position(in: resolved), of: id)
  }

  func set(_ property: DynamicObject.Property, of id: ObjectID, to value: PropertyValue) throws {
    try set(property.position(in: resolved), of: id, to: value)
  }
}
