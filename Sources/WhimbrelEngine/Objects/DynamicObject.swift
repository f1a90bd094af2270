/// An object whose properties are asked for by name: what a migration block sees
/// of old and new objects.
///
/// ```swift
/// try migration.enumerateObjects(ofType: "Zone") { old, new in
///   guard let old, let new else { return }
///   let text = try old["coordinates", as: String.self]
///   new["latitude"] = .double(latitude(of: text))
/// }
/// ```
///
/// A dynamic object is valid inside the block that it was given to. Old objects
/// can only be read.
public struct DynamicObject {
  let source: any DynamicSource
  /// The identity of the object; old and new objects that belong together have
  /// the same.
  public let id: ObjectID

  init(_ source: any DynamicSource, _ id: ObjectID) {
    self.source = source
    self.id = id
  }
}

/// Where dynamic objects of one class come from.
protocol DynamicSource: AnyObject {
  var resolved: ResolvedClass { get }
  /// The value of a property.
  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue
  /// Gives a property a value.
  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws
  /// Keeps in mind an error that was met where none can be thrown.
  func note(_ error: any Error)
}

extension DynamicObject {
  /// The class of the object.
  public var classSchema: ClassSchema { source.resolved.schema }

  /// The name of the object's class.
  public var className: String { source.resolved.name }

  /// This object as the value of a link.
  public var link: PropertyValue { .link(id) }

  /// The value of a property, whatever its type.
  ///
  /// A name that the class does not have, or a value that the property cannot
  /// hold, does not stop the block: the migration fails with that error when the
  /// block returns. ``value(_:)`` and ``set(_:to:)-(_,PropertyValue)`` throw it
  /// at once.
  public subscript(name: String) -> PropertyValue {
    get {
      do {
        return try value(name)
      } catch {
        source.note(error)
        return .null
      }
    }
    nonmutating set {
      do {
        try set(name, to: newValue)
      } catch {
        source.note(error)
      }
    }
  }

  /// The value of a property as a Swift type.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or `wrongType` when the
  ///   property is of another type, or nil where `Value` is not optional.
  public subscript<Value: Persistable>(name: String, as type: Value.Type) -> Value {
    get throws {
      let value = try value(name)
      guard let result = Value(propertyValue: value) else {
        let position = try source.resolved.requiredPosition(of: name)
        let property = source.resolved.properties[position]
        throw StoreError.wrongType(
          class: className, property: name, expected: property.type,
          isOptional: property.isOptional, got: String(describing: Value.self))
      }
      return result
    }
  }

  /// The value of a property, whatever its type.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`.
  public func value(_ name: String) throws -> PropertyValue {
    try source.value(source.resolved.requiredPosition(of: name), of: id)
  }

  /// Gives a property a value.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange` or
  ///   `missingValue`, and with `oldObjectIsReadOnly` for an old object.
  public func set(_ name: String, to value: PropertyValue) throws {
    try source.set(source.resolved.requiredPosition(of: name), of: id, to: value)
  }

  /// Gives a property a value.
  public func set(_ name: String, to value: some Persistable) throws {
    try set(name, to: value.propertyValue)
  }

  /// Makes a link lead to an object, or to none.
  public func set(_ name: String, to object: DynamicObject?) throws {
    try set(name, to: object?.link ?? .null)
  }
}
