/// The relation between the objects of a model: the argument of `@Model(.embedded)`.
public enum ModelKind: Sendable {
  /// The objects stand alone, and links can lead to them. This is the default.
  case topLevel

  /// Each object is owned by one property of one other object, and is deleted with it.
  ///
  /// An embedded class has no primary key. Its objects are reached only through their owners.
  case embedded
}
