/// What to do with a key of a dictionary, of which an object is to be made, that is not a
/// property of the class.
public enum UnknownKeys: Sendable {
  /// It is an error. This is the default.
  case error
  /// The key and its value are ignored, in the dictionaries of linked objects too.
  case ignore
}
