public import WhimbrelEngine

extension QueryableObjects {
  /// Returns the smallest value of a property, or nil if there are no values.
  ///
  /// ```swift
  /// let southernmost = country.zones.min(of: \.latitude)
  /// ```
  ///
  /// Nil and NaN are ignored. No objects are made.
  ///
  /// - Parameter keyPath: A property whose values have an order, or a path to one. The path may
  ///   lead through links, and through collections to the values of all elements.
  /// - Complexity: O(*n*); O(log *n*) for an indexed property of all objects of a model.
  public func min<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped? where Value._$Kind: QueryKind.Ordered, Value._$Wrapped: Persistable {
    Value._$Wrapped(
      propertyValue: results.base.aggregate(.minimum) { try QueryValue.path(keyPath) })
  }

  /// Returns the greatest value of a property, or nil if there are no values.
  ///
  /// In everything else it behaves as ``min(of:)``.
  public func max<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped? where Value._$Kind: QueryKind.Ordered, Value._$Wrapped: Persistable {
    Value._$Wrapped(
      propertyValue: results.base.aggregate(.maximum) { try QueryValue.path(keyPath) })
  }

  /// Returns the sum of a numeric property, or 0 if there are no values. The sum is an `Int` for
  /// integers, a `Double` for floating-point numbers and a `Decimal` for decimal numbers.
  ///
  /// ```swift
  /// let people = store.objects(Country.self).sum(of: \.population)
  /// ```
  ///
  /// Nil is ignored, and a NaN makes the sum NaN. No objects are made. If a sum of integers needs
  /// more than 64 bits, it is 0, and the next throwing call rethrows the deferred error.
  ///
  /// - Complexity: O(*n*).
  public func sum<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped.Sum where Value._$Wrapped: SummableValue {
    let sum = results.base.aggregate(.sum) { try QueryValue.path(keyPath) }
    return Value._$Wrapped.Sum(propertyValue: sum) ?? ._$placeholder
  }

  /// Returns the average of a numeric property, or nil if there are no values. It is a `Decimal`
  /// for decimal numbers, and a `Double` otherwise.
  ///
  /// Nil is ignored. No objects are made.
  ///
  /// - Complexity: O(*n*).
  public func average<Value: QueryMember>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value._$Wrapped.Average? where Value._$Wrapped: SummableValue {
    Value._$Wrapped.Average(
      propertyValue: results.base.aggregate(.average) { try QueryValue.path(keyPath) })
  }
}

// MARK: - Values without an order or a sum

// The compiler chooses these overloads if nothing else fits.
extension QueryableObjects {
  /// Unavailable. Explains in the compiler's message which values have an order.
  @available(
    *, unavailable,
    message: """
      Values of this type have no order. Use a property that is a number, a String or a date.
      """
  )
  @_disfavoredOverload
  public func min<Value>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value? { nil }

  /// Unavailable. Explains in the compiler's message which values have an order.
  @available(
    *, unavailable,
    message: """
      Values of this type have no order. Use a property that is a number, a String or a date.
      """
  )
  @_disfavoredOverload
  public func max<Value>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value? { nil }

  /// Unavailable. Explains in the compiler's message which values have a sum.
  @available(
    *, unavailable,
    message: "Values of this type have no sum. Use a property that is a number."
  )
  @_disfavoredOverload
  public func sum<Value>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value? { nil }

  /// Unavailable. Explains in the compiler's message which values have an average.
  @available(
    *, unavailable,
    message: "Values of this type have no average. Use a property that is a number."
  )
  @_disfavoredOverload
  public func average<Value>(
    of keyPath: KeyPath<QueryValue<Element>, QueryValue<Value>>
  ) -> Value? { nil }
}
