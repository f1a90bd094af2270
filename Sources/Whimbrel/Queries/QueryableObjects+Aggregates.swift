public import WhimbrelEngine

extension QueryableObjects {
  /// The smallest value of a property, or nil when no object has one.
  ///
  /// ```swift
  /// let southernmost = country.zones.min(of: \.latitude)
  /// ```
  ///
  /// Nil and NaN are passed over. No objects are made.
  ///
  /// - Parameter keyPath: a property with an order, or a way to one: through links, and
  ///   through collections to the values of all elements.
  /// - Complexity: O(*n*); O(log *n*) for an indexed property of all objects of a model.
  public func min<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped? where Value._$Kind: QueryKind.Ordered, Value._$Wrapped: Persistable {
    Value._$Wrapped(
      propertyValue: results.base.aggregate(.minimum) { try QueryValue.path(keyPath) })
  }

  /// The greatest value of a property, or nil when no object has one.
  ///
  /// All else is as with ``min(of:)``.
  public func max<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped? where Value._$Kind: QueryKind.Ordered, Value._$Wrapped: Persistable {
    Value._$Wrapped(
      propertyValue: results.base.aggregate(.maximum) { try QueryValue.path(keyPath) })
  }

  /// The sum of a property that is a number: `Int` of whole numbers, `Double` of those that
  /// are not, `Decimal` of decimal numbers. It is 0 when no object has one.
  ///
  /// ```swift
  /// let people = store.objects(Country.self).sum(of: \.population)
  /// ```
  ///
  /// Nil is passed over; a NaN makes the sum NaN. No objects are made. A sum of whole
  /// numbers that needs more than 64 bits reads as 0, and the next call that can throw
  /// says why.
  ///
  /// - Complexity: O(*n*).
  public func sum<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped.Sum where Value._$Wrapped: SummableValue {
    let sum = results.base.aggregate(.sum) { try QueryValue.path(keyPath) }
    return Value._$Wrapped.Sum(propertyValue: sum) ?? ._$placeholder
  }

  /// The average of a property that is a number, or nil when no object has one: `Decimal`
  /// of decimal numbers, else `Double`.
  ///
  /// Nil is passed over. No objects are made.
  ///
  /// - Complexity: O(*n*).
  public func average<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped.Average? where Value._$Wrapped: SummableValue {
    Value._$Wrapped.Average(
      propertyValue: results.base.aggregate(.average) { try QueryValue.path(keyPath) })
  }
}
