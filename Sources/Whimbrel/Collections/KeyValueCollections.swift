extension StoredList where Element: Model {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: The error of the first object whose property cannot be set.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in Array(self) { try object.setValue(value, forKey: key) }
  }
}

extension StoredSet where Element: Model {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: The error of the first object whose property cannot be set.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in Array(self) { try object.setValue(value, forKey: key) }
  }
}

extension StoredMap where Value: Model {
  /// Sets a property of all objects in the map: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: The error of the first object whose property cannot be set.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in values { try object.setValue(value, forKey: key) }
  }
}

extension LinkingObjects {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: The error of the first object whose property cannot be set.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in Array(self) { try object.setValue(value, forKey: key) }
  }
}

extension Results {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: The error of the first object whose property cannot be set.
  public func setValue(_ value: Any?, forKey key: String) throws {
    for object in self { try object.setValue(value, forKey: key) }
  }
}
