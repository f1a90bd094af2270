internal import WhimbrelEngine

// Results have `setValue(_:forKey:)` from ``QueryableObjects``. The collections below may also be
// those of an object that is not in a store, where it needs no write.

extension StoredList where Element: Model {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: ``StoreError`` with `notInWrite` outside of a write, even if the list is empty; the
  ///   error of the first object whose property cannot be set; and errors that occurred while the
  ///   objects were read.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try changing(Element._$schema.name, in: storage.owner?.session) {
      for object in Array(self) { try object.setValue(value, forKey: key) }
    }
  }
}

extension StoredSet where Element: Model {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: ``StoreError`` with `notInWrite` outside of a write, even if the set is empty; the
  ///   error of the first object whose property cannot be set; and errors that occurred while the
  ///   objects were read.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try changing(Element._$schema.name, in: storage.owner?.session) {
      for object in Array(self) { try object.setValue(value, forKey: key) }
    }
  }
}

extension StoredMap where Value: Model {
  /// Sets a property of all objects in the map: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: ``StoreError`` with `notInWrite` outside of a write, even if the map is empty; the
  ///   error of the first object whose property cannot be set; and errors that occurred while the
  ///   objects were read.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try changing(Value._$schema.name, in: storage.owner?.session) {
      for object in values { try object.setValue(value, forKey: key) }
    }
  }
}

extension LinkingObjects {
  /// Sets a property of all objects: see `Model.setValue(_:forKey:)`.
  ///
  /// - Throws: ``StoreError`` with `notInWrite` outside of a write, even if there are no objects;
  ///   the error of the first object whose property cannot be set; and errors that occurred while
  ///   the objects were read.
  public func setValue(_ value: Any?, forKey key: String) throws {
    try changing(Element._$schema.name, in: sources.target.session) {
      for object in Array(self) { try object.setValue(value, forKey: key) }
    }
  }
}

/// Runs a closure that changes objects of a class. In a session, it has to write.
///
/// - Throws: ``StoreError`` with `notInWrite` or `storeClosed`, the error of the closure, and errors
///   that occurred in it where none can be thrown.
private func changing(
  _ className: String, in session: Session?, _ body: () throws -> Void
) throws {
  guard let session else { return try body() }
  _ = try session.requireWriting("change '\(className)'")
  try session.throwingDeferred(body)
}
