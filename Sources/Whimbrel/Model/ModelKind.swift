/// What the objects of a model are to each other: the argument of `@Model(.embedded)`.
public enum ModelKind: Sendable {
  /// The objects stand for themselves, and links lead to them.
  ///
  /// This is the default.
  case topLevel

  /// Each object belongs to one property of one other object, and is deleted
  /// with it.
  ///
  /// Such a class has no primary key, and its objects are found only by way of
  /// those that they belong to.
  case embedded
}
