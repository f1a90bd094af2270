public import WhimbrelEngine

extension Store {
  /// The objects that cannot be read, in the order of the classes and of their IDs.
  ///
  /// Reading a damaged object throws ``StoreError`` with `damaged`, one object at a time. This
  /// property reads and verifies every object of the store, regardless of
  /// ``Configuration/verification``, and does not stop at the first fault:
  ///
  /// ```swift
  /// for damage in try store.damage { print(damage) }
  /// ```
  ///
  /// An empty array means that all objects have the values that were written. Indexes and links are
  /// not verified; `whimbrel check` verifies them. `whimbrel salvage` copies all undamaged objects
  /// into a new store.
  ///
  /// - Throws: ``StoreError`` when the store is closed.
  /// - Complexity: O(*n*), in memory for the result.
  public var damage: [ObjectDamage] {
    get throws { try session.damage() }
  }
}
