internal import WhimbrelEngine

extension QueryValue where Value: QueryCollection {
  /// The number of elements.
  public var count: QueryValue<Int> { QueryValue<Int>(part.made(.value(.count(part.path)))) }

  /// The condition that the collection has no elements.
  public var isEmpty: QueryValue<Bool> {
    QueryValue<Bool>(count.part.compared(.equal, .constant(.int(0))))
  }

  /// The elements, at least one of which must meet a condition. This is the default.
  ///
  /// For a map these are the values.
  public var any: QueryValue<Value._$Element> { QueryValue<Value._$Element>(part.elements()) }

  /// The elements, all of which must meet a condition: `$0.zones.all.latitude > 3`. The condition
  /// is true if the collection is empty.
  public var all: QueryValue<Value._$Element> { QueryValue<Value._$Element>(part.elements(.all)) }

  /// The elements, none of which may meet a condition: `$0.zones.none.latitude > 3`.
  public var none: QueryValue<Value._$Element> { QueryValue<Value._$Element>(part.elements(.none)) }

  /// Returns the condition that the collection contains an element. Texts are compared by their
  /// UTF-8, also in a set.
  public func contains(_ element: Value._$Element) -> QueryValue<Bool> {
    let elements = part.elements()
    return QueryValue<Bool>(
      elements.compared(.equal, .constant(elements.stored(element: element))))
  }

  /// Returns the condition that the collection contains at least one of these elements.
  public func containsAny(in elements: some Sequence<Value._$Element>) -> QueryValue<Bool> {
    QueryValue<Bool>(part.elements().isIn(elements.map { part.stored(element: $0) }))
  }
}

extension QueryValue
where
  Value: QueryCollection, Value._$Element: ModelValue & QueryMember,
  Value._$Element._$Kind: QueryKind.Ordered, Value._$Element._$Wrapped: ModelValue & Comparable
{
  /// Returns the condition that at least one element is in a range that includes its upper bound.
  public func contains(_ range: ClosedRange<Value._$Element._$Wrapped>) -> QueryValue<Bool> {
    any.contains(range)
  }

  /// Returns the condition that at least one element is in a range without its upper bound.
  public func contains(_ range: Range<Value._$Element._$Wrapped>) -> QueryValue<Bool> {
    any.contains(range)
  }
}

// MARK: - Maps

extension QueryValue where Value: QueryMap {
  /// The keys of the map, at least one of which must meet a condition: `$0.names.keys == "de"`, or
  /// `$0.names.keys.contains("d")` for a key that contains the letter. Keys are compared by their
  /// UTF-8. A subscript finds a key that is canonically equivalent, too.
  public var keys: QueryValue<String> { QueryValue<String>(part.appending(.names).elements()) }

  /// The values of the map, at least one of which must meet a condition.
  public var values: QueryValue<Value._$Element> { any }
}

extension QueryValue where Value: QueryMap, Value._$Element: QueryMember {
  /// The value of the map for a key; nil if the map does not have the key.
  public subscript(key: String) -> QueryValue<Value._$Element._$Optional> {
    QueryValue<Value._$Element._$Optional>(part.appending(.name(key)))
  }
}

extension QueryValue where Value: QueryMap, Value._$Element: Model {
  /// The object of the map for a key; nil if the map does not have the key.
  public subscript(key: String) -> QueryValue<Value._$Element?> {
    QueryValue<Value._$Element?>(part.appending(.name(key)))
  }
}

extension QueryValue where Value == AnyValue {
  /// The value of a map for a key; nil if there is no map or if it does not have the key.
  public subscript(key: String) -> QueryValue<AnyValue> {
    QueryValue<AnyValue>(part.appending(.name(key)))
  }

  /// The keys of a map, at least one of which must meet a condition. If the value is not a map,
  /// there are no keys.
  public var keys: QueryValue<String> { QueryValue<String>(part.appending(.names).elements()) }
}
