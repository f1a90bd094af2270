internal import WhimbrelEngine

extension QueryValue where Value: QueryCollection {
  /// How many elements there are.
  public var count: QueryValue<Int> { QueryValue<Int>(part.made(.value(.count(part.path)))) }

  /// The condition that there are no elements.
  public var isEmpty: QueryValue<Bool> {
    QueryValue<Bool>(count.part.compared(.equal, .constant(.int(0))))
  }

  /// The elements, of which any has to meet a condition: what is meant where nothing is said.
  ///
  /// Of a map these are the values.
  public var any: QueryValue<Value._$Element> { QueryValue<Value._$Element>(part.elements()) }

  /// The elements, of which all have to meet a condition, be there any or not:
  /// `$0.zones.all.latitude > 3`.
  public var all: QueryValue<Value._$Element> { QueryValue<Value._$Element>(part.elements(.all)) }

  /// The elements, of which none may meet a condition: `$0.zones.none.latitude > 3`.
  public var none: QueryValue<Value._$Element> { QueryValue<Value._$Element>(part.elements(.none)) }

  /// The condition that an element is there.
  public func contains(_ element: Value._$Element) -> QueryValue<Bool> {
    let elements = part.elements()
    return QueryValue<Bool>(
      elements.compared(.equal, .constant(elements.stored(element: element))))
  }

  /// The condition that one of these elements is there.
  public func containsAny(in elements: some Sequence<Value._$Element>) -> QueryValue<Bool> {
    QueryValue<Bool>(part.elements().isIn(elements.map { part.stored(element: $0) }))
  }
}

extension QueryValue
where
  Value: QueryCollection, Value._$Element: ModelValue & QueryMember,
  Value._$Element._$Kind: QueryKind.Ordered, Value._$Element._$Wrapped: ModelValue & Comparable
{
  /// The condition that an element is in a range with both bounds.
  public func contains(_ range: ClosedRange<Value._$Element._$Wrapped>) -> QueryValue<Bool> {
    any.contains(range)
  }

  /// The condition that an element is in a range without its upper bound.
  public func contains(_ range: Range<Value._$Element._$Wrapped>) -> QueryValue<Bool> {
    any.contains(range)
  }
}

// MARK: - Maps

extension QueryValue where Value: QueryMap {
  /// The keys of the map, of which any has to meet a condition.
  public var keys: QueryValue<String> { QueryValue<String>(part.appending(.names).elements()) }

  /// The values of the map, of which any has to meet a condition.
  public var values: QueryValue<Value._$Element> { any }
}

extension QueryValue where Value: QueryMap, Value._$Element: QueryMember {
  /// The value that the map has for a key; nil where it has none.
  public subscript(key: String) -> QueryValue<Value._$Element._$Optional> {
    QueryValue<Value._$Element._$Optional>(part.appending(.name(key)))
  }
}

extension QueryValue where Value: QueryMap, Value._$Element: Model {
  /// The object that the map has for a key; nil where it has none.
  public subscript(key: String) -> QueryValue<Value._$Element?> {
    QueryValue<Value._$Element?>(part.appending(.name(key)))
  }
}

extension QueryValue where Value == AnyValue {
  /// The value that a map has for a key; nil where it has none, or there is no map.
  public subscript(key: String) -> QueryValue<AnyValue> {
    QueryValue<AnyValue>(part.appending(.name(key)))
  }

  /// The keys of a map, of which any has to meet a condition; none where there is no map.
  public var keys: QueryValue<String> { QueryValue<String>(part.appending(.names).elements()) }
}
