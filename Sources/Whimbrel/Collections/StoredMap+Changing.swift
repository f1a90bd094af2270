extension StoredMap {
  /// The value for a key, or nil; setting it to nil removes the key.
  ///
  /// - Complexity: O(log *n*).
  public subscript(key: Key) -> Value? {
    get {
      guard isManaged else { return local[key._$name] }
      guard let position = storage.position(ofName: key._$name) else { return nil }
      return storage.element(at: position, as: Value.self)
    }
    set {
      if let newValue { set(newValue, for: key) } else { remove(key) }
    }
  }

  /// The value for a key, or a default; setting it sets the value for the key.
  ///
  /// - Complexity: O(log *n*).
  public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    set { set(newValue, for: key) }
  }

  private func set(_ value: Value, for key: Key) {
    guard isManaged else { return local[key._$name] = value }
    storage.edit(adding: CollectionOfOne(value), else: ()) { values, editor in
      for value in values { try editor.set(value, forName: key._$name) }
      if values.isEmpty { try Self.remove(key, from: &editor) }
    }
  }

  private func remove(_ key: Key) {
    guard isManaged else { return local[key._$name] = nil }
    storage.edit(else: ()) { editor in try Self.remove(key, from: &editor) }
  }

  private static func remove(_ key: Key, from editor: inout CollectionEditor) throws {
    let place = try editor.place(ofName: key._$name)
    guard place.isThere else { return }
    try editor.removeSubrange(place.position..<place.position + 1)
  }

  /// Gives a key a value.
  ///
  /// - Returns: the value that it had, or nil. An embedded object has been deleted: it
  ///   is invalidated.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let old = self[key]
    set(value, for: key)
    return old
  }

  /// Removes a key.
  ///
  /// - Returns: the value that it had, or nil: see ``updateValue(_:forKey:)``.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    let old = self[key]
    remove(key)
    return old
  }

  /// Removes a key.
  ///
  /// - Complexity: O(log *n*).
  public func removeObject(for key: Key) { remove(key) }

  /// Removes all pairs.
  public func removeAll() {
    guard isManaged else { return local = [:] }
    storage.edit(else: ()) { try $0.removeSubrange(0..<$0.count()) }
  }

  /// Takes pairs over; `combine` gives the value of a key that both have, of the present
  /// one and the new one.
  ///
  /// - Complexity: O(*m* log *n*) for *m* pairs.
  public func merge(
    _ others: some Sequence<(Key, Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    for (key, value) in Array(others) {
      if let old = self[key] {
        set(try combine(old, value), for: key)
      } else {
        set(value, for: key)
      }
    }
  }

  /// Takes the pairs of a dictionary over; `combine` gives the value of a key that both
  /// have, of the present one and the new one.
  public func merge(
    _ others: [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(others.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Takes the pairs of another map over; `combine` gives the value of a key that both
  /// have, of the present one and the new one.
  public func merge(
    _ others: StoredMap, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(others.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }
}
