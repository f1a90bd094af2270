/// An object whose properties are accessed by name. Migration blocks use it for old and new
/// objects, and tools use it without models.
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
/// A dynamic object of a migration is valid inside the block that it was given to. A dynamic object
/// of a store is valid as long as the store is open. Old objects of a migration are read-only.
public struct DynamicObject {
  let source: any DynamicSource
  /// The identity of the object. An old object and its new object have the same ID.
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

  /// The primary key for messages, or nil if there is none or it cannot be read.
  var knownPrimaryKey: PropertyValue? {
    source.resolved.primaryKeyIndex.flatMap { try? source.value($0, of: id) }
  }

  /// This object as the value of a link.
  public var link: PropertyValue { .link(id) }

  /// This object as the value of a property of any type.
  public var reference: PropertyValue {
    .object(ObjectReference(classID: source.resolved.id, id: id))
  }

  /// Finds a property of the object's class, for use with all objects of the class.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`.
  public func property(_ name: String) throws -> Property {
    try Property(name, in: source.resolved)
  }

  /// Returns the session that writes the object.
  ///
  /// - Throws: ``StoreError`` with `oldObjectIsReadOnly` for an old object of a migration.
  package func sessionForWriting() throws -> Session { try source.session(writing: id) }

  /// Returns whether a session can link to the object, or to its new object in a migration.
  package func isLinkable(in session: Session) -> Bool { source.home === session.home }

  /// Returns whether a session shows the object: it may be one of another session of the same file.
  package func isShown(in session: Session) -> Bool {
    if isLinkable(in: session) { return true }
    return session.file.isSame(as: (source.home as? Session)?.file)
  }

  package var classID: ClassID { source.resolved.id }

  func position(_ name: String) throws -> Int { try source.resolved.requiredPosition(of: name) }
}

// MARK: - Values

extension DynamicObject {
  /// The value of a property of any type.
  ///
  /// The subscript does not throw. An unknown name or a value that the property cannot hold is a
  /// deferred error: the migration or the write fails with it when the block returns.
  /// ``value(_:)-(String)`` and ``set(_:to:)-(String,PropertyValue)`` throw it at once.
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

  /// Unavailable. Gives the subscript and the function in the compiler's message.
  @available(
    *, unavailable,
    message: """
      Read a value with 'try old["name", as: String.self]', and set one with \
      'try new.set("name", to: value)'.
      """
  )
  @_disfavoredOverload
  public subscript<Value: Persistable>(name: String) -> Value {
    // Safe: the compiler refuses each call.
    get { fatalError() }
    nonmutating set {}
  }

  // Without it, the compiler fails to explain `new?["a"] = old?["a"]`.
  /// Unavailable. Says in the compiler's message how to assign the value of an optional object.
  @available(
    *, unavailable,
    message: "Unwrap the objects first, with 'guard let old, let new else { return }'."
  )
  @_disfavoredOverload
  public subscript(name: String) -> PropertyValue? {
    get { nil }
    nonmutating set {}
  }

  /// The value of a property as a Swift type.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or with `wrongType` if the property has
  ///   another type, or is nil and `Value` is not optional.
  @inlinable
  public subscript<Value: Persistable>(name: String, as type: Value.Type) -> Value {
    get throws {
      if let result = Value(propertyValue: try value(name)) { return result }
      throw wrongType(name, Value.self)
    }
  }

  /// The value of a property as a Swift type.
  ///
  /// - Throws: ``StoreError`` with the same codes as the subscript by name.
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

  /// Returns the value of a property of any type.
  ///
  /// A collection is read as a whole. Use ``list(_:)``, ``set(_:)`` or ``map(_:)`` to read single
  /// elements.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`.
  public func value(_ name: String) throws -> PropertyValue {
    try source.value(position(name), of: id)
  }

  /// Returns the value of a property of any type.
  ///
  /// - Throws: ``StoreError`` with the same codes as ``value(_:)-(String)``.
  public func value(_ property: Property) throws -> PropertyValue {
    try source.value(property, of: id)
  }

  /// Sets the value of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, `wrongType`, `outOfRange` or `missingValue`,
  ///   with `primaryKeyIsFixed` for the primary key of an object of a store, with `objectDeleted`,
  ///   with `notInWrite`, and with `oldObjectIsReadOnly` for an old object.
  public func set(_ name: String, to value: PropertyValue) throws {
    try source.set(position(name), of: id, to: value)
  }

  /// Sets the value of a property.
  ///
  /// - Throws: ``StoreError`` with the same codes as ``set(_:to:)-(String,PropertyValue)``.
  public func set(_ property: Property, to value: PropertyValue) throws {
    try source.set(property, of: id, to: value)
  }

  /// Sets the value of a property.
  ///
  /// - Throws: ``StoreError`` with the same codes as ``set(_:to:)-(String,PropertyValue)``.
  @inlinable
  public func set(_ name: String, to value: some Persistable) throws {
    try set(name, to: value.propertyValue)
  }

  /// Sets the value of a property.
  ///
  /// - Throws: ``StoreError`` with the same codes as ``set(_:to:)-(String,PropertyValue)``.
  @inlinable
  public func set(_ property: Property, to value: some Persistable) throws {
    try set(property, to: value.propertyValue)
  }

  // Disfavored so that a bare `nil` is taken as a `PropertyValue` and is not ambiguous.
  /// Makes a property link to an object, or to nothing.
  ///
  /// In a migration, an old object stands for its new one.
  ///
  /// - Throws: ``StoreError`` with the same codes as ``set(_:to:)-(String,PropertyValue)``, and with
  ///   `objectOfOtherStore`.
  @_disfavoredOverload
  public func set(_ name: String, to object: DynamicObject?) throws {
    guard let object else { return try set(name, to: .null) }
    try set(name, to: checkedLink(to: object, from: name))
  }

  private func checkedLink(to object: DynamicObject, from name: String) throws -> PropertyValue {
    let property = source.resolved.properties[try position(name)]
    guard object.source.home === source.home else {
      throw StoreError.objectOfOtherStore(
        class: object.className, objectID: object.id, primaryKey: object.knownPrimaryKey
      ).linked(from: name, of: className)
    }
    // Another class may have the name of its class now.
    _ = try (object.source as? StoredObjects)?.table(of: object.id)
    if let target = property.type.linkTarget, try source.name(of: object.classID) != target {
      throw StoreError.wrongType(
        class: className, property: name, expected: property.type, isOptional: property.isOptional,
        got: "\(PropertyType.link(to: object.className))")
    }
    return object.link
  }
}

// MARK: - Links and collections

extension DynamicObject {
  /// Returns the object that a property links to, or nil.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or with `wrongType` if the value is not a
  ///   link.
  public func object(_ name: String) throws -> DynamicObject? {
    let position = try position(name)
    let value = try source.value(position, of: id)
    return try source.object(value, of: source.resolved.properties[position], class: className)
  }

  /// Returns the objects of a class that link to this one through a property: by a link, a
  /// collection of links, or a value of any type. Each object appears once, in the order of the
  /// object IDs.
  ///
  /// In a migration, an old object is linked from old objects, and a new object from new objects in
  /// their current state.
  ///
  /// - Throws: ``StoreError`` with `unknownClass` or `unknownProperty`, or with `wrongType` if the
  ///   property cannot link to this object's class.
  /// - Complexity: O(*k* + log *n*) for *k* objects. If a migration has changed objects of the
  ///   class, the first call for a new object builds a table of all links of the property.
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

  /// Returns the list of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or with `wrongType` if the property is not a
  ///   list.
  public func list(_ name: String) throws -> DynamicList {
    DynamicList(base: try DynamicCollection(name, of: self, .list))
  }

  /// Returns the set of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or with `wrongType` if the property is not a
  ///   set.
  public func set(_ name: String) throws -> DynamicSet {
    DynamicSet(base: try DynamicCollection(name, of: self, .set))
  }

  /// Returns the map of a property.
  ///
  /// - Throws: ``StoreError`` with `unknownProperty`, or with `wrongType` if the property is not a
  ///   map.
  public func map(_ name: String) throws -> DynamicMap {
    DynamicMap(base: try DynamicCollection(name, of: self, .map))
  }
}

extension DynamicSource {
  /// Returns the object that a value links to, or nil if the value is nil.
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
