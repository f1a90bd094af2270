/// The base of the collections of dynamic objects.
struct DynamicCollection {
  /// The kinds of collections, with their names in errors.
  enum Kind: String {
    case list = "a list"
    case set = "a set"
    case map = "a map"

    func fits(_ type: PropertyType) -> Bool {
      switch (self, type) {
      case (.list, .list), (.set, .set), (.map, .map): true
      default: false
      }
    }
  }

  let source: any DynamicSource
  let id: ObjectID
  let kind: Kind
  private let property: DynamicObject.Property

  init(_ name: String, of object: DynamicObject, _ kind: Kind) throws {
    source = object.source
    id = object.id
    self.kind = kind
    property = try object.property(name)
    _ = try position()
  }

  /// Returns the position of the property. Another store of the file may have changed the class
  /// since the collection was found.
  private func position() throws -> Int {
    let resolved = source.resolved
    let position = try property.position(in: resolved)
    let present = resolved.properties[position]
    guard kind.fits(present.type) else {
      throw StoreError.wrongTypeRead(
        class: resolved.name, property: present.name, stored: present.type,
        isOptional: present.isOptional, wanted: kind.rawValue)
    }
    return position
  }

  func read<Result>(_ body: (CollectionReader) throws -> Result) throws -> Result {
    try source.read(position(), of: id, body)
  }

  func change<Result>(_ body: (inout CollectionEditor) throws -> Result) throws -> Result {
    try source.change(position(), of: id, body)
  }

  /// Returns a value as an element to store. Returns nil if the value links to an object that the
  /// migration has deleted; the element is then left out.
  func element(_ value: PropertyValue) throws -> PropertyValue? {
    try source.element(position(), value)
  }

  /// Throws unless a position is in bounds, or at the end if that is allowed.
  func require(_ element: Int, in count: Int, orEnd allowsEnd: Bool = false) throws {
    guard (0..<count).contains(element) || allowsEnd && element == count else {
      throw StoreError.positionOutOfBounds(
        class: source.resolved.name, property: property.name, position: element, count: count)
    }
  }

  func value(at element: Int) throws -> PropertyValue {
    try read { reader in
      try require(element, in: reader.count)
      return try reader.value(at: element)
    }
  }

  func object(_ value: PropertyValue) throws -> DynamicObject? {
    let resolved = source.resolved
    return try source.object(value, of: resolved.properties[position()], class: resolved.name)
  }

  func objects() throws -> [DynamicObject] {
    try read { try $0.values() }.compactMap { try object($0) }
  }

  func remove(at element: Int) throws {
    try change { editor in
      try require(element, in: editor.count())
      try editor.removeSubrange(element..<element + 1)
    }
  }

  func removeAll() throws {
    try change { editor in try editor.removeSubrange(0..<editor.count()) }
  }
}

/// A list of a ``DynamicObject``, read and changed element by element.
///
/// Every call throws ``StoreError`` with `positionOutOfBounds` if the position is out of bounds,
/// with `objectDeleted` if the object is deleted, and with `unknownProperty` or `wrongType` if
/// another store of the file has removed the property or given it another type. Calls that change
/// the list also throw the errors of ``DynamicObject/set(_:to:)-(String,PropertyValue)``. Calls
/// take O(log *n*) unless stated otherwise.
///
/// In a migration, a link to an old object whose new object is deleted is left out: it is not
/// added, and an element that it would replace is removed.
public struct DynamicList {
  let base: DynamicCollection

  /// Returns the number of elements.
  public func count() throws -> Int { try base.read { $0.count } }

  /// Returns the element at a position.
  public func value(at position: Int) throws -> PropertyValue { try base.value(at: position) }

  /// Returns the object that the element at a position links to, or nil.
  public func object(at position: Int) throws -> DynamicObject? {
    try base.object(value(at: position))
  }

  /// Returns all elements.
  ///
  /// - Complexity: O(*n*).
  public func values() throws -> [PropertyValue] { try base.read { try $0.values() } }

  /// Returns the objects that the elements link to. Other elements are left out.
  ///
  /// ```swift
  /// for zone in try country.list("zones").objects() { zone["area"] = "europe" }
  /// ```
  ///
  /// - Complexity: O(*n*).
  public func objects() throws -> [DynamicObject] { try base.objects() }

  /// Adds an element at the end.
  public func append(_ value: PropertyValue) throws { try append(contentsOf: [value]) }

  /// Adds elements at the end.
  public func append(contentsOf values: [PropertyValue]) throws {
    let elements = try values.compactMap { try base.element($0) }
    try base.change { try $0.append(contentsOf: elements) }
  }

  /// Inserts an element before the one at a position, or at the end.
  public func insert(_ value: PropertyValue, at position: Int) throws {
    let element = try base.element(value)
    try base.change { editor in
      try base.require(position, in: editor.count(), orEnd: true)
      if let element { try editor.insert(element, at: position) }
    }
  }

  /// Replaces the element at a position.
  public func replace(at position: Int, with value: PropertyValue) throws {
    let element = try base.element(value)
    try base.change { editor in
      try base.require(position, in: editor.count())
      guard let element else { return try editor.removeSubrange(position..<position + 1) }
      try editor.replace(at: position, with: element)
    }
  }

  /// Moves an element, so that it is at the target position afterwards.
  public func move(from source: Int, to target: Int) throws {
    try base.change { editor in
      try base.require(source, in: editor.count())
      try base.require(target, in: editor.count())
      try editor.move(from: source, to: target)
    }
  }

  /// Removes the element at a position.
  public func remove(at position: Int) throws { try base.remove(at: position) }

  /// Removes all elements.
  public func removeAll() throws { try base.removeAll() }
}

/// A set of a ``DynamicObject``, read and changed element by element.
///
/// Calls throw the same errors as those of ``DynamicList``. The elements are in the order of the
/// store.
public struct DynamicSet {
  let base: DynamicCollection

  /// Returns the number of elements.
  public func count() throws -> Int { try base.read { $0.count } }

  /// Returns the element at a position in the order of the store.
  public func value(at position: Int) throws -> PropertyValue { try base.value(at: position) }

  /// Returns the object that the element at a position links to, or nil.
  public func object(at position: Int) throws -> DynamicObject? {
    try base.object(value(at: position))
  }

  /// Returns all elements.
  ///
  /// - Complexity: O(*n*).
  public func values() throws -> [PropertyValue] { try base.read { try $0.values() } }

  /// Returns the objects that the elements link to. Other elements are left out.
  ///
  /// ```swift
  /// for zone in try country.set("zones").objects() { zone["area"] = "europe" }
  /// ```
  ///
  /// - Complexity: O(*n*).
  public func objects() throws -> [DynamicObject] { try base.objects() }

  /// Returns whether the set contains an element.
  ///
  /// - Complexity: O(log *n*).
  public func contains(_ value: PropertyValue) throws -> Bool {
    try base.read { try $0.place(of: value).isThere }
  }

  /// Inserts an element, and returns false if the set already contains it.
  @discardableResult
  public func insert(_ value: PropertyValue) throws -> Bool {
    guard let element = try base.element(value) else { return false }
    return try base.change { try $0.insertIntoSet(element) }
  }

  /// Removes an element, and returns false if the set does not contain it.
  @discardableResult
  public func remove(_ value: PropertyValue) throws -> Bool {
    try base.change { editor in
      let place = try editor.place(of: value)
      if place.isThere { try editor.removeSubrange(place.position..<place.position + 1) }
      return place.isThere
    }
  }

  /// Removes all elements.
  public func removeAll() throws { try base.removeAll() }
}

/// A map of a ``DynamicObject``, read and changed element by element.
///
/// Calls throw the same errors as those of ``DynamicList``. The elements are in the order of their
/// keys.
public struct DynamicMap {
  let base: DynamicCollection

  /// Returns the number of elements.
  public func count() throws -> Int { try base.read { $0.count } }

  /// Returns the key at a position.
  public func key(at position: Int) throws -> String {
    try base.read { reader in
      try base.require(position, in: reader.count)
      return try reader.name(at: position)
    }
  }

  /// Returns all keys, in their order.
  ///
  /// - Complexity: O(*n*).
  public func keys() throws -> [String] {
    try base.read { try $0.names() }
  }

  /// Returns all elements.
  ///
  /// - Complexity: O(*n*).
  public func values() throws -> [String: PropertyValue] { try base.read { try $0.map() } }

  /// Returns the value of a key, or nil if the map does not have the key.
  ///
  /// - Complexity: O(log *n*).
  public func value(forKey key: String) throws -> PropertyValue? {
    try base.read { reader in
      try reader.value(ofName: key)
    }
  }

  /// Returns the object that the value of a key links to, or nil.
  public func object(forKey key: String) throws -> DynamicObject? {
    try base.object(value(forKey: key) ?? .null)
  }

  /// Sets the value of a key.
  ///
  /// - Throws: also ``StoreError`` with `invalidMapKey` if the key is empty or too long.
  public func set(_ value: PropertyValue, forKey key: String) throws {
    guard let element = try base.element(value) else {
      try remove(forKey: key)
      return
    }
    try base.change { try $0.set(element, forName: key) }
  }

  /// Removes a key, and returns false if the map does not have it.
  @discardableResult
  public func remove(forKey key: String) throws -> Bool {
    try base.change { editor in
      let place = try editor.place(ofName: key)
      if place.isThere { try editor.removeSubrange(place.position..<place.position + 1) }
      return place.isThere
    }
  }

  /// Removes all elements.
  public func removeAll() throws { try base.removeAll() }
}
