/// What becomes of objects that are to be loaded into a store and are in it already.
///
/// An object is in the store already when one of its class has the same primary key. Classes
/// without one have no such objects: theirs are always added.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// The object of the store stays as it is.
  case keep
  /// The object gets all values of the one that is loaded, and defaults where that has none.
  case replace
  /// The object gets those values that are given, and keeps all others.
  case update
  /// It is an error, and nothing is loaded.
  case fail
}
