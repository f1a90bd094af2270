/// What queries can do with values of a type: those of one kind compare with each other.
@_documentation(visibility: internal)
public enum QueryKind {
  /// Values that are equal or not.
  public protocol Equatable {}
  /// Values of which one may be less than another.
  public protocol Ordered: Equatable {}
  /// Values that are searched for text.
  public protocol Textual: Equatable {}
  /// Values that are told from each other.
  public protocol Distinguishable {}
  /// Values by which objects are sorted.
  public protocol Sortable: Distinguishable {}

  /// `true` or `false`.
  public enum Truth: Equatable, Sortable {}
  /// Numbers of every type.
  public enum Number: Ordered, Sortable {}
  /// Text.
  public enum Text: Ordered, Textual, Sortable {}
  /// Bytes.
  public enum Bytes: Equatable, Distinguishable {}
  /// Instants.
  public enum Instant: Ordered, Sortable {}
  /// Identifiers of a type.
  public enum Identifier<Value>: Equatable, Sortable {}
  /// The cases of an enum, or values of a `CustomPersistable` type: stored as another
  /// kind, by which they compare.
  public enum Mapped<Value, Stored> {}
  /// Values of any type.
  public enum Anything: Ordered, Textual {}
  /// Collections.
  public enum Elements {}
}

extension QueryKind.Mapped: QueryKind.Equatable where Stored: QueryKind.Equatable {}
extension QueryKind.Mapped: QueryKind.Ordered where Stored: QueryKind.Ordered {}
extension QueryKind.Mapped: QueryKind.Distinguishable where Stored: QueryKind.Distinguishable {}
extension QueryKind.Mapped: QueryKind.Sortable where Stored: QueryKind.Sortable {}

/// A Swift type that a property in a query may have: all types of properties but links.
@_documentation(visibility: internal)
public protocol QueryMember {
  /// What queries can do with the values.
  associatedtype _$Kind
  /// The type of a value that is not nil.
  associatedtype _$Wrapped
  /// The type of what a path gives that may lead through nil.
  associatedtype _$Optional
}

/// A Swift type of values that are stored as they are, and never nil.
@_documentation(visibility: internal)
public protocol QueryScalar: QueryMember {
  /// The type itself.
  associatedtype _$Wrapped = Self
  /// The optional of the type.
  associatedtype _$Optional = Self?
}

extension Optional: QueryMember where Wrapped: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = Wrapped._$Kind
  /// The type of a value that is not nil.
  public typealias _$Wrapped = Wrapped
  /// The type itself: nil is one of its values already.
  public typealias _$Optional = Self
}
