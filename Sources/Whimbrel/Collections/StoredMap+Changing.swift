extension StoredMap {
  /// The value for a key, or nil. Setting it to nil removes the key.
  ///
  /// - Complexity: O(log *n*).
  public subscript(key: Key) -> Value? {
    get {
      isManaged ? storage.element(named: key._$name, as: Value.self) : local[key._$name]
    }
    set {
      if let newValue { set(newValue, for: key) } else { remove(key) }
    }
  }

  /// The value for a key, or a default if there is none. Setting it sets the value for the key.
  ///
  /// - Complexity: O(log *n*).
  public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
    get { self[key] ?? defaultValue() }
    set { set(newValue, for: key) }
  }

  private func set(_ value: Value, for key: Key) {
    guard isManaged else { return local[key._$name] = value }
    storage.edit(adding: CollectionOfOne(value), keepsPlaces: true, else: ()) { values, editor in
      // The new value is a link to an object that the migration has deleted.
      if Value._$isMissing(values[0]) { return try Self.remove(key, from: &editor) }
      try editor.set(values[0], forName: key._$name)
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

  /// Sets the value for a key.
  ///
  /// - Returns: The previous value, or nil. A previous embedded object is deleted, so it is
  ///   invalidated.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let old = self[key]
    set(value, for: key)
    return old
  }

  /// Removes a key and its value.
  ///
  /// - Returns: The previous value, or nil: see ``updateValue(_:forKey:)``.
  /// - Complexity: O(log *n*).
  @discardableResult
  public func removeValue(forKey key: Key) -> Value? {
    let old = self[key]
    remove(key)
    return old
  }

  /// Removes a key and its value.
  ///
  /// - Complexity: O(log *n*).
  public func removeObject(for key: Key) { remove(key) }

  /// Removes all entries.
  public func removeAll() {
    guard isManaged else { return local = [:] }
    storage.edit(else: ()) { try $0.removeSubrange(0..<$0.count()) }
  }

  /// Adds entries. If the map already has a key, `combine` returns its value from the current value
  /// and the new one.
  ///
  /// - Complexity: O(*m* log *n*) for *m* entries.
  public func merge(
    _ others: some Sequence<(Key, Value)>,
    uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    let wasEmpty = isEmpty
    var merged: [Key: Value] = [:]
    for (key, value) in Array(others) {
      let old = merged.removeValue(forKey: key) ?? (wasEmpty ? nil : self[key])
      merged[key] = try old.map { try combine($0, value) } ?? value
    }
    set(Array(merged))
  }

  private func set(_ entries: [(key: Key, value: Value)]) {
    guard isManaged else {
      return entries.forEach { local[$0.key._$name] = $0.value }
    }
    storage.edit(adding: entries.lazy.map(\.value), keepsPlaces: true, else: ()) {
      values, editor in
      var new: [(name: String, value: PropertyValue)] = []
      for (entry, value) in zip(entries, values) {
        // The new value is a link to an object that the migration has deleted.
        if Value._$isMissing(value) {
          try Self.remove(entry.key, from: &editor)
        } else {
          new.append((entry.key._$name, value))
        }
      }
      try editor.set(new)
    }
  }

  /// Adds the entries of a dictionary. If the map already has a key, `combine` returns its value
  /// from the current value and the new one.
  public func merge(
    _ others: [Key: Value], uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(others.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }

  /// Adds the entries of another map. If the map already has a key, `combine` returns its value
  /// from the current value and the new one.
  public func merge(
    _ others: StoredMap, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(others.map { ($0.key, $0.value) }, uniquingKeysWith: combine)
  }
}
