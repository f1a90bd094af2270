/// An object whose properties are asked for by name: what a migration block sees
/// of old and new objects, and what tools work with that know no models.
///
/// ```swift
/// try migration.enumerateObjects(ofType: "Zone") { old, new in
///   guard let old, let new else { return }
///   let text = try old["coordinates", as: String.self]
///   new["latitude"] = .double(latitude(of: text))
///   try new.list("aliases").append(.string(text))
/// }
/// ```
///
/// A dynamic object of a migration is valid inside the block that it was given to;
/// one of a store is valid as long as the store is open. Old objects of a migration
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

extension DynamicObject {
  /// The class of the object.
  public var classSchema: ClassSchema { source.resolved.schema }

  /// The name of the object's class.
  public var className: String { source.resolved.name }

  /// The primary key, if there is one that can be read, for messages.
  var knownPrimaryKey: PropertyValue? {
    source.resolved.primaryKeyIndex.flatMap { try? source.value($0, of: id) }
  }

  /// This object as the value of a link.
  public var link: PropertyValue { .link(id) }

  /// This object as a value of any type.
  public var reference: PropertyValue {
    .object(ObjectReference(classID: source.resolved.id, id: id))
  }

  /// Finds a property of the object's class, to be used with all of its objects.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`.
  public func property(_ name: String) throws -> Property {
    try Property(name, in: source.resolved)
  }

  /// What writes the object.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly` for an old object of a migration.
  package func sessionForWriting() throws -> Session { try source.session(writing: id) }

  /// Whether a session can link to the object, or to the new one that it has become.
  package func isLinkable(in session: Session) -> Bool { source.isLinkable(in: session) }

  /// The number of the object's class.
  package var classID: ClassID { source.resolved.id }

  func position(_ name: String) throws -> Int { try source.resolved.requiredPosition(of: name) }
}

// MARK: - Values

extension DynamicObject {
  /// The value of a property, whatever its type.
  ///
  /// A name that the class does not have, or a value that the property cannot
  /// hold, does not stop the block: the migration, or the write, fails with that
  /// error when the block returns. ``value(_:)-(String)`` and
  /// ``set(_:to:)-(String,PropertyValue)`` throw it at once.
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
  @inlinable
  public subscript<Value: Persistable>(name: String, as type: Value.Type) -> Value {
    get throws {
      if let result = Value(propertyValue: try value(name)) { return result }
      throw wrongType(name, Value.self)
    }
  }

  /// The value of a property as a Swift type.
  ///
  /// - Throws: ``StoreError`` as for a name.
  @inlinable
  public subscript<Value: Persistable>(
    property: Property, as type: Value.Type
  ) -> Value {
    get throws {
      if let result = Value(propertyValue: try value(property)) { return result }
      throw wrongType(property.name, Value.self)
    }
  }

  @usableFromInline
  func wrongType(_ name: String, _ type: any Any.Type) -> any Error {
    do {
      let property = source.resolved.properties[try position(name)]
      return StoreError.wrongTypeRead(
        class: className, property: property.name, stored: property.type,
        isOptional: property.isOptional, isNil: try value(name).isNull, wanted: "'\(type)'")
    } catch {
      return error
    }
  }

  /// The value of a property, whatever its type.
  ///
  /// A collection is read as a whole; ``list(_:)``, ``set(_:)`` and ``map(_:)`` give one
  /// element at a time.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`.
  public func value(_ name: String) throws -> PropertyValue {
    try source.value(position(name), of: id)
  }

  /// The value of a property, whatever its type.
  ///
  /// - Throws: ``StoreError`` as for a name.
  public func value(_ property: Property) throws -> PropertyValue {
    try source.value(property, of: id)
  }

  /// Gives a property a value.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange` or
  ///   `missingValue`, and with `oldObjectIsReadOnly` for an old object.
  public func set(_ name: String, to value: PropertyValue) throws {
    try source.set(position(name), of: id, to: value)
  }

  /// Gives a property a value.
  ///
  /// - Throws: ``StoreError`` as for a name.
  public func set(_ property: Property, to value: PropertyValue) throws {
    try source.set(property, of: id, to: value)
  }

  /// Gives a property a value.
  @inlinable
  public func set(_ name: String, to value: some Persistable) throws {
    try set(name, to: value.propertyValue)
  }

  /// Gives a property a value.
  ///
  /// - Throws: ``StoreError`` as for a name.
  @inlinable
  public func set(_ property: Property, to value: some Persistable) throws {
    try set(property, to: value.propertyValue)
  }

  // A `nil` by itself is the value: it could be an object as well.
  /// Makes a link lead to an object, or to none.
  @_disfavoredOverload
  public func set(_ name: String, to object: DynamicObject?) throws {
    try set(name, to: object?.link ?? .null)
  }
}

// MARK: - Links and collections

extension DynamicObject {
  /// The object that a link leads to, or nil.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or `wrongType` when the property is
  ///   no link and holds none.
  public func object(_ name: String) throws -> DynamicObject? {
    let position = try position(name)
    let value = try source.value(position, of: id)
    return try source.object(value, of: source.resolved.properties[position], class: className)
  }

  /// The objects of a class that link to this one, by a link, a collection of links, or a
  /// value of any type: each once, in the order of their IDs.
  ///
  /// In a migration, those of an old object are the old objects that link to it, and
  /// those of a new one the new objects as they are at the moment.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `unknownProperty`, and with
  ///   `wrongType` when the property cannot link to this object's class.
  /// - Complexity: O(*k* + log *n*) for *k* objects. For a new object of a migration that
  ///   has changed objects of the class, the first call makes a table of all of its links.
  public func linkingObjects(
    ofType className: String, property name: String
  ) throws -> [DynamicObject] {
    let other = try source.source(of: className)
    let position = try other.resolved.requiredPosition(of: name)
    let type = other.resolved.properties[position].type
    guard type.holdsLinks, type.linkedClass == nil || type.linkedClass == self.className else {
      throw StoreError.wrongTypeRead(
        class: className, property: name, stored: type,
        isOptional: other.resolved.properties[position].isOptional,
        wanted: "a link to '\(self.className)'")
    }
    return try other.sources(position, linkingTo: id, of: source.resolved.id)
      .map { DynamicObject(other, $0) }
  }

  /// The list of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or `wrongType` when the property is
  ///   no list.
  public func list(_ name: String) throws -> DynamicList {
    let position = try position(name)
    guard case .list = source.resolved.properties[position].type else {
      throw wrongKind(position, "a list")
    }
    return DynamicList(base: DynamicCollection(source: source, id: id, position: position))
  }

  /// The set of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or `wrongType` when the property is
  ///   no set.
  public func set(_ name: String) throws -> DynamicSet {
    let position = try position(name)
    guard case .set = source.resolved.properties[position].type else {
      throw wrongKind(position, "a set")
    }
    return DynamicSet(base: DynamicCollection(source: source, id: id, position: position))
  }

  /// The map of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or `wrongType` when the property is
  ///   no map.
  public func map(_ name: String) throws -> DynamicMap {
    let position = try position(name)
    guard case .map = source.resolved.properties[position].type else {
      throw wrongKind(position, "a map")
    }
    return DynamicMap(base: DynamicCollection(source: source, id: id, position: position))
  }

  private func wrongKind(_ position: Int, _ wanted: String) -> StoreError {
    let property = source.resolved.properties[position]
    return StoreError.wrongTypeRead(
      class: className, property: property.name, stored: property.type,
      isOptional: property.isOptional, wanted: wanted)
  }
}

extension DynamicSource {
  /// The object that a value leads to, or nil when it is nil.
  func object(
    _ value: PropertyValue, of property: CatalogProperty, class className: String
  ) throws -> DynamicObject? {
    switch value {
    case .null: return nil
    case .link(let target):
      return DynamicObject(try source(of: property.type.linkedClass ?? ""), target)
    case .object(let reference):
      return DynamicObject(try source(of: name(of: reference.classID)), reference.id)
    default:
      throw StoreError.wrongTypeRead(
        class: className, property: property.name, stored: property.type,
        isOptional: property.isOptional, wanted: "a link")
    }
  }
}
