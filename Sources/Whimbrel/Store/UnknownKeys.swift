/// The response to a dictionary key that is not a property of the class.
public enum UnknownKeys: Sendable {
  /// Throws an error. This is the default.
  case error
  /// Ignores the key and its value, also in the dictionaries of linked objects.
  case ignore
}
