/// A condition on the objects of a class.
///
/// Typed queries, `#Predicate` and query texts are all translated into it. It names
/// properties; ``BoundCondition`` finds them in a class.
package indirect enum QueryCondition: Hashable, Sendable {
  /// Every object meets it if true, and none if false.
  case always(Bool)
  /// All conditions are met. Without conditions, every object meets it.
  case and([QueryCondition])
  /// At least one condition is met. Without conditions, no object meets it.
  case or([QueryCondition])
  case not(QueryCondition)
  /// Two values compare like this.
  ///
  /// If a path leads through a collection, it has several values; its quantifier says how
  /// many of them must meet the comparison.
  case compare(QueryExpression, QueryComparison, QueryExpression, TextOptions)
  /// A value equals one of the constants.
  case isIn(QueryExpression, [PropertyValue], TextOptions)
  /// A value is at least `lower`, and at most `upper` or, if `includesUpper` is false, less
  /// than `upper`.
  case isBetween(
    QueryExpression, lower: PropertyValue, upper: PropertyValue, includesUpper: Bool)
  /// A text with a full-text index contains the words of a search.
  case hasWords(QueryPath, search: String)
}

package enum QueryComparison: String, CaseIterable, Hashable, Sendable {
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
  // The comparisons from here on take text or data:
  case contains
  case beginsWith
  case endsWith
  /// Text only: `*` stands for any characters, and `?` for one.
  case like
}

/// Differences that a comparison of texts ignores.
///
/// By default texts are equal if their UTF-8 is equal.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The options as a bit set.
  public let rawValue: UInt8
  /// Makes options from a bit set.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The option to ignore upper and lower case, by Unicode case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// The option to ignore accents and other diacritical marks.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

package indirect enum QueryExpression: Hashable, Sendable {
  case constant(PropertyValue)
  /// A value that is given each time the condition is used.
  case parameter(QueryParameter)
  /// The value or the values at the end of a path.
  case property(QueryPath)
  /// The number of elements that a path leads to. It is 0 if a link on the way is nil.
  case count(QueryPath)
  /// An aggregate of the values that a path leads to: a number, a date or a text. Without
  /// values, a sum is 0 and any other aggregate is nil.
  case aggregate(QueryAggregate, QueryPath)
  /// The number of objects at the end of a path that meet a condition.
  case matches(QueryPath, QueryCondition)
  case arithmetic(QueryExpression, QueryArithmetic, QueryExpression)
}

package enum QueryAggregate: String, CaseIterable, Hashable, Sendable {
  case minimum, maximum, sum, average
}

package enum QueryArithmetic: String, CaseIterable, Hashable, Sendable {
  case add, subtract, multiply, divide
}
