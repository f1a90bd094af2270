internal import WhimbrelEngine

extension QueryPart {
  /// Returns an aggregate of the values that the path leads to.
  func aggregated(_ aggregate: QueryAggregate) -> QueryPart {
    made(.value(.aggregate(aggregate, path)))
  }
}

extension QueryValue where Value: QueryMember, Value._$Kind: QueryKind.Ordered {
  /// The smallest of the values that the path leads to; nil if there are none. If ``AnyValue``s are
  /// of different kinds, they have the order of a set.
  public var min: QueryValue<Value._$Optional> {
    QueryValue<Value._$Optional>(part.aggregated(.minimum))
  }

  /// The greatest of the values that the path leads to; nil if there are none.
  public var max: QueryValue<Value._$Optional> {
    QueryValue<Value._$Optional>(part.aggregated(.maximum))
  }
}

extension QueryValue where Value: QueryMember, Value._$Kind == QueryKind.Number {
  /// The sum of the values that the path leads to; 0 if there are none.
  public var sum: QueryValue<Value> { QueryValue(part.aggregated(.sum)) }

  /// The average of the values that the path leads to; nil if there are none.
  public var avg: QueryValue<Double?> { QueryValue<Double?>(part.aggregated(.average)) }
}

extension QueryValue
where
  Value: QueryCollection, Value._$Element: QueryMember,
  Value._$Element._$Kind: QueryKind.Ordered
{
  /// The smallest of the elements; nil if there are none.
  public var min: QueryValue<Value._$Element._$Optional> { any.min }

  /// The greatest of the elements; nil if there are none.
  public var max: QueryValue<Value._$Element._$Optional> { any.max }
}

extension QueryValue
where
  Value: QueryCollection, Value._$Element: QueryMember,
  Value._$Element._$Kind == QueryKind.Number
{
  /// The sum of the elements; 0 if there are none.
  public var sum: QueryValue<Value._$Element> { any.sum }

  /// The average of the elements; nil if there are none.
  public var avg: QueryValue<Double?> { any.avg }
}
