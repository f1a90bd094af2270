/// A condition that an object of a class meets or does not.
///
/// It is what typed queries, `#Predicate` and query texts are all made into. It names
/// properties; ``BoundCondition`` finds them in a class.
package indirect enum QueryCondition: Hashable, Sendable {
  /// Every object meets it, or none.
  case always(Bool)
  /// All conditions are met; every object meets none at all.
  case and([QueryCondition])
  /// At least one condition is met; no object meets none at all.
  case or([QueryCondition])
  case not(QueryCondition)
  /// Two values compare like this.
  ///
  /// Where the path of a value leads through a collection, there are several: its
  /// quantifier says how many of them have to.
  case compare(QueryExpression, QueryComparison, QueryExpression, TextOptions)
  /// A value equals one of these.
  case isIn(QueryExpression, [PropertyValue], TextOptions)
  /// A value is not less than one and not greater than another, or less than that.
  case isBetween(
    QueryExpression, lower: PropertyValue, upper: PropertyValue, includesUpper: Bool)
  /// A text with a full-text index has the words that a search asks for.
  case hasWords(QueryPath, search: String)
}

/// How two values are compared.
package enum QueryComparison: String, CaseIterable, Hashable, Sendable {
  case equal
  case notEqual
  case less
  case lessOrEqual
  case greater
  case greaterOrEqual
  // Of text and data:
  case contains
  case beginsWith
  case endsWith
  /// Of text: `*` stands for any characters, and `?` for one.
  case like
}

/// What does not count when texts are compared.
///
/// Texts are otherwise equal when their UTF-8 is.
public struct TextOptions: OptionSet, Hashable, Sendable {
  /// The options as bits.
  public let rawValue: UInt8
  /// Makes options of bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Whether letters are upper or lower case does not count: Unicode's case folding.
  public static let caseInsensitive = TextOptions(rawValue: 1)
  /// Accents and other marks do not count.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

/// A value that a condition asks for.
package indirect enum QueryExpression: Hashable, Sendable {
  case constant(PropertyValue)
  /// The value, or the values, at the end of a path.
  case property(QueryPath)
  /// How many elements a path leads to: 0 where a link on the way is nil.
  case count(QueryPath)
  /// A number, date or text worked out of the values that a path leads to; nil when there
  /// are none, but for a sum.
  case aggregate(QueryAggregate, QueryPath)
  /// How many of the objects that a path leads to meet a condition.
  case matches(QueryPath, QueryCondition)
  case arithmetic(QueryExpression, QueryArithmetic, QueryExpression)
}

package enum QueryAggregate: String, CaseIterable, Hashable, Sendable {
  case minimum, maximum, sum, average
}

package enum QueryArithmetic: String, CaseIterable, Hashable, Sendable {
  case add, subtract, multiply, divide
}
