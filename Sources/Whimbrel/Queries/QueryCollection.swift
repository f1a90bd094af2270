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

extension Map: QueryMap {}

extension List: QueryCollection {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = List
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = List
  /// The type of an element.
  public typealias _$Element = Element
}

extension MutableSet: QueryCollection {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = MutableSet
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = MutableSet
  /// The type of an element.
  public typealias _$Element = Element
}

extension Map: QueryCollection {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Elements
  /// The type itself.
  public typealias _$Wrapped = Map
  /// The type itself: there are no elements where a path leads through nil.
  public typealias _$Optional = Map
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
