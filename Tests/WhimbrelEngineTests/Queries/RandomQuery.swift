import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

/// Random queries, with everything in them that text can say.
struct RandomQuery {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func stages() -> [QueryStage] {
    (0..<number(0...4)).map { _ in
      switch number(0...5) {
      case 0: .sort((0...number(0...2)).map { _ in sortKey() })
      case 1: .distinct((0...number(0...2)).map { _ in path() })
      case 2: .offset(number(0...1_000))
      case 3: .limit(number(0...1_000))
      default: .filter(condition(depth: 4))
      }
    }
  }

  private mutating func sortKey() -> QuerySortKey {
    QuerySortKey(path(), isAscending: generator.next() % 2 == 0)
  }

  mutating func condition(depth: Int) -> QueryCondition {
    guard depth > 0 else { return .always(generator.next() % 2 == 0) }
    switch number(0...9) {
    case 0: return .and(parts(depth))
    case 1: return .or(parts(depth))
    case 2: return .not(condition(depth: depth - 1))
    case 3:
      return .isIn(expression(depth), (0..<number(0...3)).map { _ in constant() }, options())
    case 4:
      return .isBetween(
        expression(depth), lower: constant(), upper: constant(),
        includesUpper: generator.next() % 2 == 0)
    case 5: return .hasWords(quantifiedPath(), search: name())
    case 6: return .always(generator.next() % 2 == 0)
    default:
      let comparison = QueryComparison.allCases.randomElement(using: &generator) ?? .equal
      return .compare(expression(depth), comparison, expression(depth), options())
    }
  }

  private mutating func parts(_ depth: Int) -> [QueryCondition] {
    (0...number(1...2)).map { _ in condition(depth: depth - 1) }
  }

  private mutating func options() -> TextOptions {
    TextOptions(rawValue: UInt8(number(0...3)))
  }

  private mutating func expression(_ depth: Int) -> QueryExpression {
    switch number(0...(depth > 0 ? 8 : 4)) {
    case 0...1: return .constant(constant())
    case 2: return .property(quantifiedPath())
    case 3: return .count(path())
    case 4:
      return .aggregate(QueryAggregate.allCases.randomElement(using: &generator) ?? .sum, path())
    case 5: return .matches(path(), condition(depth: depth - 1))
    default:
      let operation = QueryArithmetic.allCases.randomElement(using: &generator) ?? .add
      return .arithmetic(expression(depth - 1), operation, expression(depth - 1))
    }
  }

  /// A value that equals itself.
  private mutating func constant() -> PropertyValue {
    while true {
      let value = anyConstant()
      if value == value { return value }
    }
  }

  private mutating func anyConstant() -> PropertyValue {
    switch number(0...12) {
    case 0: .null
    case 1: .link(ObjectID(rawValue: generator.next()))
    case 2: [.int(1), .null]
    case 3: .double(Double(bitPattern: generator.next()))
    case 4: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: generator.next())))
    default:
      RandomValues.value(
        PropertyType.scalars.randomElement(using: &generator) ?? .int, using: &generator)
    }
  }

  private mutating func quantifiedPath() -> QueryPath {
    var path = path()
    path.quantifier = QueryPath.Quantifier.allCases.randomElement(using: &generator) ?? .any
    return path
  }

  private mutating func path() -> QueryPath {
    QueryPath(
      (0..<number(0...3)).map { _ in
        switch number(0...6) {
        case 0: .inverse(class: name(), property: name())
        case 1: .name(name())
        case 2: .names
        default: .property(name())
        }
      })
  }

  /// Names that look like something else, most of them.
  private mutating func name() -> String {
    let names = [
      "name", "and", "Limit", "self", "in", "uuid", "B64", "text", "größe", "日本", "a b", "", "1a",
      "it's", "`", "\\", "\u{0}", "\n", "$x", "@count", "’", "\u{301}", "nil", "x\u{A0}y", "👨‍👩‍👧",
    ]
    return names.randomElement(using: &generator) ?? "name"
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }
}
