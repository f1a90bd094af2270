/// The response to adding an object whose primary key exists in the store.
public enum UpdatePolicy: Hashable, Sendable {
  /// Throws an error, and adds nothing.
  case error
  /// Writes the values that differ to the object in the store.
  case modified
  /// Writes all values to the object in the store, also those that are equal.
  case all
}
