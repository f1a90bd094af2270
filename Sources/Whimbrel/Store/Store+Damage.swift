public import WhimbrelEngine

extension Store {
  /// The objects that cannot be read, in the order of the classes and of their IDs.
  ///
  /// Reading a damaged object throws ``StoreError`` with `damaged`, one object at a time. This reads
  /// every object of the store and verifies it, whatever ``Configuration/verification`` says, and
  /// does not stop at the first fault:
  ///
  /// ```swift
  /// for damage in try store.damage { print(damage) }
  /// ```
  ///
  /// An empty array means that the values of all objects are those that were written. It does not
  /// look at indexes and links; `whimbrel check` does. `whimbrel salvage` copies all other objects
  /// into a new store.
  ///
  /// - Throws: ``StoreError`` when the store is closed.
  /// - Complexity: O(*n*), in memory for the result.
  public var damage: [ObjectDamage] {
    get throws { try session.damage() }
  }
}
