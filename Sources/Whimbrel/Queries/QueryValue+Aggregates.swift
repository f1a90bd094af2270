internal import WhimbrelEngine

extension QueryPart {
  /// A value worked out of those that the path leads to.
  func aggregated(_ aggregate: QueryAggregate) -> QueryPart {
    made(.value(.aggregate(aggregate, path)))
  }
}

extension QueryValue where Value: QueryMember, Value._$Kind: QueryKind.Ordered {
  /// The least of the values that the path leads to; nil where there are none.
  public var min: QueryValue<Value._$Optional> {
    QueryValue<Value._$Optional>(part.aggregated(.minimum))
  }

  /// The greatest of the values that the path leads to; nil where there are none.
  public var max: QueryValue<Value._$Optional> {
    QueryValue<Value._$Optional>(part.aggregated(.maximum))
  }
}

extension QueryValue where Value: QueryMember, Value._$Kind == QueryKind.Number {
  /// The sum of the values that the path leads to; zero where there are none.
  public var sum: QueryValue<Value> { QueryValue(part.aggregated(.sum)) }

  /// The average of the values that the path leads to; nil where there are none.
  public var avg: QueryValue<Double?> { QueryValue<Double?>(part.aggregated(.average)) }
}

extension QueryValue
where
  Value: QueryCollection, Value._$Element: QueryMember,
  Value._$Element._$Kind: QueryKind.Ordered
{
  /// The least of the elements; nil where there are none.
  public var min: QueryValue<Value._$Element._$Optional> { any.min }

  /// The greatest of the elements; nil where there are none.
  public var max: QueryValue<Value._$Element._$Optional> { any.max }
}

extension QueryValue
where
  Value: QueryCollection, Value._$Element: QueryMember,
  Value._$Element._$Kind == QueryKind.Number
{
  /// The sum of the elements; zero where there are none.
  public var sum: QueryValue<Value._$Element> { any.sum }

  /// The average of the elements; nil where there are none.
  public var avg: QueryValue<Double?> { any.avg }
}
