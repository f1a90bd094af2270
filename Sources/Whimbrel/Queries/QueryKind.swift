/// The kinds of values in queries. Values of one kind can be compared with each other.
@_documentation(visibility: internal)
public enum QueryKind {
  /// A kind whose values can be equal.
  public protocol Equatable {}
  /// A kind whose values have an order.
  public protocol Ordered: Equatable {}
  /// A kind whose values can be searched for text.
  public protocol Textual: Equatable {}
  /// A kind whose values can distinguish objects.
  public protocol Distinguishable {}
  /// A kind whose values can sort objects.
  public protocol Sortable: Distinguishable {}

  /// The kind of Booleans.
  public enum Truth: Equatable, Sortable {}
  /// The kind of numbers of every type.
  public enum Number: Ordered, Sortable {}
  /// The kind of text.
  public enum Text: Ordered, Textual, Sortable {}
  /// The kind of data.
  public enum Bytes: Equatable, Distinguishable {}
  /// The kind of dates.
  public enum Instant: Ordered, Sortable {}
  /// The kind of identifiers of one type.
  public enum Identifier<Value>: Equatable, Sortable {}
  /// The kind of an enum or a `CustomPersistable` type. Its values compare by the kind that they
  /// are stored as.
  public enum Mapped<Value, Stored> {}
  /// The kind of values of any type.
  public enum Anything: Ordered, Textual {}
  /// The kind of collections.
  public enum Elements {}
}

extension QueryKind.Mapped: QueryKind.Equatable where Stored: QueryKind.Equatable {}
extension QueryKind.Mapped: QueryKind.Ordered where Stored: QueryKind.Ordered {}
extension QueryKind.Mapped: QueryKind.Distinguishable where Stored: QueryKind.Distinguishable {}
extension QueryKind.Mapped: QueryKind.Sortable where Stored: QueryKind.Sortable {}

/// A Swift type that a property in a query may have: every property type except links.
@_documentation(visibility: internal)
public protocol QueryMember {
  /// The kind of the values in queries.
  associatedtype _$Kind
  /// The type of a value that is not nil.
  associatedtype _$Wrapped
  /// The type of the value of a path that may contain nil links.
  associatedtype _$Optional
}

/// A Swift type of single values that are never nil: every property type except links, collections,
/// optionals and `AnyValue`.
@_documentation(visibility: internal)
public protocol QueryScalar: QueryMember {
  /// The type itself.
  associatedtype _$Wrapped = Self
  /// The optional of the type.
  associatedtype _$Optional = Self?
}

extension Optional: QueryMember where Wrapped: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = Wrapped._$Kind
  /// The type of a value that is not nil.
  public typealias _$Wrapped = Wrapped
  /// The type itself, because nil is already one of its values.
  public typealias _$Optional = Self
}
