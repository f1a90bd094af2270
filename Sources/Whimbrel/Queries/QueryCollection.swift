/// A Swift type whose values are collections of elements: a list, a set, a map with its
/// values, or the objects that link to one.
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
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = StoredList
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = StoredList
  /// The type of an element.
  public typealias _$Element = Element
}

extension StoredSet: QueryCollection {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = StoredSet
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = StoredSet
  /// The type of an element.
  public typealias _$Element = Element
}

extension StoredMap: QueryCollection {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = StoredMap
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = StoredMap
  /// The type of an element.
  public typealias _$Element = Value
}

extension LinkingObjects: QueryCollection {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = LinkingObjects
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = LinkingObjects
  /// The type of an element.
  public typealias _$Element = Element
}
