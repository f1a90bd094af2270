/// What to do when an object is added whose primary key the store has already.
public enum UpdatePolicy: Hashable, Sendable {
  /// Nothing is added, and an error is thrown.
  case error
  /// The object in the store gets those values that differ.
  case modified
  /// The object in the store gets all values, whether they differ or not.
  case all
}
