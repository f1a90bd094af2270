internal import WhimbrelEngine

extension QueryPart {
  func compared(
    _ comparison: QueryComparison, _ other: QueryPart, _ options: TextOptions = []
  ) -> QueryPart {
    guard let value, let otherValue = other.value else {
      return isSame(as: other, comparison == .equal)
    }
    return made(.condition(.compare(value, comparison, otherValue, options)), with: other)
  }

  func compared(
    _ comparison: QueryComparison, _ constant: QueryExpression, _ options: TextOptions = []
  ) -> QueryPart {
    guard let value else {
      return isSame(
        as: QueryPart(scope: scope, content: .value(constant), subject: .nothing),
        comparison == .equal)
    }
    return made(.condition(.compare(value, comparison, constant, options)), height: height + 1)
  }

  /// Returns the condition that this part and another are both true or both false, or its negation.
  private func isSame(as other: QueryPart, _ isSame: Bool) -> QueryPart {
    func isFalse(_ part: QueryPart) -> QueryPart {
      part.value == nil ? part.negated : part.compared(.equal, .constant(.bool(false)))
    }
    let same = joined(.and, other).joined(.or, isFalse(self).joined(.and, isFalse(other)))
    return isSame ? same : same.negated
  }

  /// Returns the condition that the value is one of these.
  func isIn(_ values: [PropertyValue], _ options: TextOptions = []) -> QueryPart {
    guard let value else {
      let parts = values.map { compared(.equal, .constant($0)) }
      return made(
        .condition(.or(parts.map(\.condition))), height: (parts.map(\.height).max() ?? 0) + 1)
    }
    return made(.condition(.isIn(value, values, options)), height: height + 1)
  }
}

// MARK: - Equality

extension QueryValue where Value: ModelValue & QueryMember, Value._$Kind: QueryKind.Equatable {
  /// Returns the condition that the value equals a constant.
  public static func == (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.equal, lhs.part.constant(rhs)))
  }

  /// Returns the condition that the value does not equal a constant.
  public static func != (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.notEqual, lhs.part.constant(rhs)))
  }

  /// Returns the condition that both values are equal.
  public static func == <Other: QueryMember>(
    lhs: QueryValue, rhs: QueryValue<Other>
  ) -> QueryValue<Bool> where Other._$Kind == Value._$Kind {
    QueryValue<Bool>(lhs.part.compared(.equal, rhs.part))
  }

  /// Returns the condition that both values are not equal.
  public static func != <Other: QueryMember>(
    lhs: QueryValue, rhs: QueryValue<Other>
  ) -> QueryValue<Bool> where Other._$Kind == Value._$Kind {
    QueryValue<Bool>(lhs.part.compared(.notEqual, rhs.part))
  }

  /// Returns the condition that the value is one of these.
  public func `in`(_ values: some Sequence<Value>) -> QueryValue<Bool> {
    QueryValue<Bool>(part.isIn(values.map { part.stored($0) }))
  }
}

extension QueryValue {
  /// Returns the condition that the value is one of these, none of which is nil.
  public func `in`<Wrapped: ModelValue & QueryScalar>(
    _ values: some Sequence<Wrapped>
  ) -> QueryValue<Bool> where Value == Wrapped?, Wrapped._$Kind: QueryKind.Equatable {
    QueryValue<Bool>(part.isIn(values.map { part.stored($0) }))
  }
}

extension QueryValue where Value: Model {
  /// Returns the condition that the object is this one.
  public static func == (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.equal, .constant(lhs.part.stored(element: rhs))))
  }

  /// Returns the condition that the object is not this one.
  public static func != (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.notEqual, .constant(lhs.part.stored(element: rhs))))
  }

  /// Returns the condition that the object is one of these.
  public func `in`(_ objects: some Sequence<Value>) -> QueryValue<Bool> {
    QueryValue<Bool>(part.isIn(objects.map { part.stored(element: $0) }))
  }
}

extension QueryValue {
  /// Returns the condition that the link leads to an object. For nil, the link must be nil.
  public static func == <Target: Model>(
    lhs: QueryValue, rhs: Target?
  ) -> QueryValue<Bool> where Value == Target? {
    QueryValue<Bool>(lhs.part.compared(.equal, lhs.part.constant(rhs)))
  }

  /// Returns the condition that the link does not lead to an object. For nil, the link must not be
  /// nil.
  public static func != <Target: Model>(
    lhs: QueryValue, rhs: Target?
  ) -> QueryValue<Bool> where Value == Target? {
    QueryValue<Bool>(lhs.part.compared(.notEqual, lhs.part.constant(rhs)))
  }

  /// Returns the condition that both links lead to the same object, or that both are nil.
  public static func == <Target: Model>(
    lhs: QueryValue, rhs: QueryValue
  ) -> QueryValue<Bool> where Value == Target? {
    QueryValue<Bool>(lhs.part.compared(.equal, rhs.part))
  }

  /// Returns the condition that the links do not lead to the same object.
  public static func != <Target: Model>(
    lhs: QueryValue, rhs: QueryValue
  ) -> QueryValue<Bool> where Value == Target? {
    QueryValue<Bool>(lhs.part.compared(.notEqual, rhs.part))
  }

  /// Returns the condition that the link leads to one of these objects.
  public func `in`<Target: Model>(
    _ objects: some Sequence<Target>
  ) -> QueryValue<Bool> where Value == Target? {
    QueryValue<Bool>(part.isIn(objects.map { part.stored(element: $0) }))
  }

  /// Returns the condition that the link leads to one of these objects. It may also be nil if nil
  /// is among them.
  public func `in`<Target: Model>(_ objects: [Target?]) -> QueryValue<Bool> where Value == Target? {
    QueryValue<Bool>(part.isIn(objects.map { part.stored($0) }))
  }
}

// MARK: - Stored values

extension QueryValue where Value: QueryMember, Value._$Wrapped: PersistableEnum {
  /// The stored raw value of the case.
  public var rawValue: QueryValue<Value._$Wrapped.RawValue> {
    QueryValue<Value._$Wrapped.RawValue>(part)
  }
}

extension QueryValue where Value: QueryMember, Value._$Wrapped: CustomPersistable {
  /// The stored value.
  public var persistableValue: QueryValue<Value._$Wrapped.PersistedType> {
    QueryValue<Value._$Wrapped.PersistedType>(part)
  }
}

// MARK: - Order

extension QueryValue where Value: ModelValue & QueryMember, Value._$Kind: QueryKind.Ordered {
  /// Returns the condition that the value is less than a constant.
  public static func < (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.less, lhs.part.constant(rhs)))
  }

  /// Returns the condition that the value is less than or equal to a constant.
  public static func <= (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.lessOrEqual, lhs.part.constant(rhs)))
  }

  /// Returns the condition that the value is greater than a constant.
  public static func > (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.greater, lhs.part.constant(rhs)))
  }

  /// Returns the condition that the value is greater than or equal to a constant.
  public static func >= (lhs: QueryValue, rhs: Value) -> QueryValue<Bool> {
    QueryValue<Bool>(lhs.part.compared(.greaterOrEqual, lhs.part.constant(rhs)))
  }

  /// Returns the condition that the value is less than the other.
  public static func < <Other: QueryMember>(
    lhs: QueryValue, rhs: QueryValue<Other>
  ) -> QueryValue<Bool> where Other._$Kind == Value._$Kind {
    QueryValue<Bool>(lhs.part.compared(.less, rhs.part))
  }

  /// Returns the condition that the value is less than or equal to the other.
  public static func <= <Other: QueryMember>(
    lhs: QueryValue, rhs: QueryValue<Other>
  ) -> QueryValue<Bool> where Other._$Kind == Value._$Kind {
    QueryValue<Bool>(lhs.part.compared(.lessOrEqual, rhs.part))
  }

  /// Returns the condition that the value is greater than the other.
  public static func > <Other: QueryMember>(
    lhs: QueryValue, rhs: QueryValue<Other>
  ) -> QueryValue<Bool> where Other._$Kind == Value._$Kind {
    QueryValue<Bool>(lhs.part.compared(.greater, rhs.part))
  }

  /// Returns the condition that the value is greater than or equal to the other.
  public static func >= <Other: QueryMember>(
    lhs: QueryValue, rhs: QueryValue<Other>
  ) -> QueryValue<Bool> where Other._$Kind == Value._$Kind {
    QueryValue<Bool>(lhs.part.compared(.greaterOrEqual, rhs.part))
  }
}

extension QueryValue
where
  Value: ModelValue & QueryMember, Value._$Kind: QueryKind.Ordered,
  Value._$Wrapped: ModelValue & Comparable
{
  /// Returns the condition that the value is in a range that includes its upper bound.
  public func contains(_ range: ClosedRange<Value._$Wrapped>) -> QueryValue<Bool> {
    isBetween(range.lowerBound, range.upperBound, includesUpper: true)
  }

  /// Returns the condition that the value is in a range without its upper bound.
  public func contains(_ range: Range<Value._$Wrapped>) -> QueryValue<Bool> {
    isBetween(range.lowerBound, range.upperBound, includesUpper: false)
  }

  private func isBetween(
    _ lower: Value._$Wrapped, _ upper: Value._$Wrapped, includesUpper: Bool
  ) -> QueryValue<Bool> {
    guard let value = part.value else { return QueryValue<Bool>(part) }
    return QueryValue<Bool>(
      part.made(
        .condition(
          .isBetween(
            value, lower: part.stored(lower), upper: part.stored(upper),
            includesUpper: includesUpper)),
        height: part.height + 1))
  }
}
