/// A Swift type whose values are collections: a list, a set, a map (its values), or linking
/// objects.
@_documentation(visibility: internal)
public protocol QueryCollection: QueryMember {
  /// The type of an element.
  associatedtype _$Element: CollectionElement
}

/// A Swift type whose values are maps.
@_documentation(visibility: internal)
public protocol QueryMap: QueryCollection {}

extension StoredMap: QueryMap {}

extension StoredList: QueryCollection {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = StoredList
  /// The type itself: a path through nil gives no elements.
  public typealias _$Optional = StoredList
  /// The type of an element.
  public typealias _$Element = Element
}

extension StoredSet: QueryCollection {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = StoredSet
  /// The type itself: a path through nil gives no elements.
  public typealias _$Optional = StoredSet
  /// The type of an element.
  public typealias _$Element = Element
}

extension StoredMap: QueryCollection {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = StoredMap
  /// The type itself: a path through nil gives no elements.
  public typealias _$Optional = StoredMap
  /// The type of an element.
  public typealias _$Element = Value
}

extension LinkingObjects: QueryCollection {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = LinkingObjects
  /// The type itself: a path through nil gives no elements.
  public typealias _$Optional = LinkingObjects
  /// The type of an element.
  public typealias _$Element = Element
}
