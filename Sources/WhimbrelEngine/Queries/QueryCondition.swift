/// A condition on the objects of a class.
///
/// Typed queries, `#Predicate` and query texts are all translated into it. It names properties;
/// ``BoundCondition`` resolves the names in a class.
package indirect enum QueryCondition: Hashable, Sendable {
  /// Every object satisfies it if true. No object satisfies it if false.
  case always(Bool)
  /// All conditions are satisfied. Without conditions, every object satisfies it.
  case and([QueryCondition])
  /// At least one condition is satisfied. Without conditions, no object satisfies it.
  case or([QueryCondition])
  case not(QueryCondition)
  /// Two values satisfy a comparison.
  ///
  /// If a path leads through a collection, it has several values. Its quantifier states how many of
  /// them must satisfy the comparison.
  case compare(QueryExpression, QueryComparison, QueryExpression, TextOptions)
  /// A value equals one of the constants.
  case isIn(QueryExpression, [PropertyValue], TextOptions)
  /// A value is at least `lower`, and at most `upper` or, if `includesUpper` is false, less than
  /// `upper`.
  case isBetween(
    QueryExpression, lower: PropertyValue, upper: PropertyValue, includesUpper: Bool)
  /// A text with a full-text index contains the words of a search.
  case hasWords(QueryPath, search: String)

  /// The limit on the nesting of conditions and calculations that users write.
  package static let depthLimit = 100
}

package enum QueryComparison: String, CaseIterable, Hashable, Sendable {
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
  // The following comparisons are for text or data:
  case contains
  case beginsWith
  case endsWith
  /// For text only: `*` matches any characters, and `?` matches one.
  case like
}

/// The differences that a comparison of texts ignores.
///
/// By default texts are equal if their UTF-8 is equal.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The options as a bit set.
  public let rawValue: UInt8
  /// Creates options from a bit set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The option to ignore upper and lower case, by Unicode case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// The option to ignore accents and other diacritical marks.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

package enum QueryExpression: Hashable, Sendable {
  case constant(PropertyValue)
  /// A value that is supplied each time the condition is used.
  case parameter(QueryParameter)
  /// The value or the values at the end of a path.
  case property(QueryPath)
  /// The number of elements that a path leads to. It is 0 if a link on the path is nil.
  case count(QueryPath)
  /// An aggregate of the values that a path leads to: a number, a date or a text. Without values, a
  /// sum is 0 and any other aggregate is nil.
  case aggregate(QueryAggregate, QueryPath)
  /// The number of objects at the end of a path that satisfy a condition.
  case matches(QueryPath, QueryCondition)
  indirect case arithmetic(QueryExpression, QueryArithmetic, QueryExpression)
}

package enum QueryAggregate: String, CaseIterable, Hashable, Sendable {
  case minimum, maximum, sum, average
}

package enum QueryArithmetic: String, CaseIterable, Hashable, Sendable {
  case add, subtract, multiply, divide
}
