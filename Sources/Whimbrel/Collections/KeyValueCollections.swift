extension StoredList where Element: Model {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: what setting the property of the first object throws that cannot have it.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in Array(self) { try object.setValue(value, forKey: key) }
  }
}

extension StoredSet where Element: Model {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: what setting the property of the first object throws that cannot have it.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in Array(self) { try object.setValue(value, forKey: key) }
  }
}

extension StoredMap where Value: Model {
  /// Sets a property of all objects that are values: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: what setting the property of the first object throws that cannot have it.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in values { try object.setValue(value, forKey: key) }
  }
}

extension LinkingObjects {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: what setting the property of the first object throws that cannot have it.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in Array(self) { try object.setValue(value, forKey: key) }
  }
}

extension Results {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: what setting the property of the first object throws that cannot have it.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in self { try object.setValue(value, forKey: key) }
  }
}
