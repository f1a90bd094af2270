/// Where dynamic objects of one class come from.
protocol DynamicSource: AnyObject {
  var resolved: ResolvedClass { get }
  /// The value of a property.
  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue
  /// Gives a property a value.
  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws
  /// The same, by what was found for a name.
  func value(_ property: DynamicProperty, of id: ObjectID) throws -> PropertyValue
  func set(_ property: DynamicProperty, of id: ObjectID, to value: PropertyValue) throws
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
  func value(_ property: DynamicProperty, of id: ObjectID) throws -> PropertyValue {
    try value(property.position(in: resolved), of: id)
  }

  func set(_ property: DynamicProperty, of id: ObjectID, to value: PropertyValue) throws {
    try set(property.position(in: resolved), of: id, to: value)
  }
}

/// A property of a class, found once: asking for it by this takes no lookup of its
/// name.
///
/// ```swift
/// let latitude = try migration.property("latitude", ofType: "Zone")
/// try migration.enumerateObjects(ofType: "Zone") { old, new in
///   guard let new else { return }
///   try new.set(latitude, to: .double(0))
/// }
/// ```
///
/// The same handle serves for old and new objects, and for objects of any class: where
/// it does not fit, the name is looked up again.
public struct DynamicProperty {
  /// The name of the property.
  public let name: String
  private let place: Place
  private let otherPlace: Place?

  private struct Place {
    let resolved: ResolvedClass
    let position: Int
  }

  init(_ name: String, in resolved: ResolvedClass) throws {
    self.name = name
    place = Place(resolved: resolved, position: try resolved.requiredPosition(of: name))
    otherPlace = nil
  }

  /// A property of the new shape of a class, of the old one, or of both.
  init(_ name: String, in resolved: ResolvedClass, old: ResolvedClass?) throws {
    let oldPlace = old.flatMap { old in
      old.position(of: name).map { Place(resolved: old, position: $0) }
    }
    self.name = name
    if let oldPlace, resolved.position(of: name) == nil {
      place = oldPlace
      otherPlace = nil
    } else {
      place = Place(resolved: resolved, position: try resolved.requiredPosition(of: name))
      otherPlace = oldPlace
    }
  }

  /// The position in a class.
  func position(in resolved: ResolvedClass) throws -> Int {
    if resolved === place.resolved { return place.position }
    if let otherPlace, resolved === otherPlace.resolved { return otherPlace.position }
    return try resolved.requiredPosition(of: name)
  }
}
