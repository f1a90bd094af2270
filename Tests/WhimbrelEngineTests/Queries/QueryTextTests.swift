import Foundation
import Testing
import WhimbrelEngine

/// What the texts of queries say.
struct QueryTextTests {
  @Test(arguments: comparisonTexts + textComparisonTexts)
  func `a comparison is read`(text: String, expected: QueryCondition) throws {
    #expect(try condition(text) == expected)
  }

  @Test(arguments: logicTexts)
  func `conditions are combined`(text: String, expected: QueryCondition) throws {
    #expect(try condition(text) == expected)
  }

  @Test(arguments: pathTexts)
  func `a path is read`(text: String, expected: QueryExpression) throws {
    let expected = QueryCondition.compare(expected, .greater, .constant(2), [])
    #expect(try condition(text + " > 2") == expected)
  }

  @Test(arguments: calculationTexts)
  func `values are calculated`(text: String, expected: QueryExpression) throws {
    let expected = QueryCondition.compare(.property(QueryPath("x")), .equal, expected, [])
    #expect(try condition("x == " + text) == expected)
  }

  @Test(arguments: stageTexts)
  func `stages are read`(text: String, expected: [QueryStage]) throws {
    #expect(try QueryText(parsing: text).stages == expected)
  }

  @Test func `a sub-query counts the objects that meet a condition`() throws {
    let age = QueryCondition.compare(
      .property(QueryPath("age")), .greater, .constant(3), [])
    let isMe = QueryCondition.compare(.property(QueryPath([])), .equal, .constant(5), [])
    #expect(
      try condition("SUBQUERY(dogs, $dog, $dog.age > 3 AND $dog == 5).@count >= 2")
        == .compare(
          .matches(QueryPath("dogs"), .and([age, isMe])), .greaterOrEqual, .constant(2), []))
    #expect(
      try condition("subquery(a, $x, subquery($x.b, $y, $y.age > 3).@size == 0).@count > 1")
        == .compare(
          .matches(
            QueryPath("a"),
            .compare(.matches(QueryPath("b"), age), .equal, .constant(0), [])),
          .greater, .constant(1), []))
  }

  @Test func `arguments stand for constants`() throws {
    let link = PropertyValue.link(ObjectID(rawValue: 7))
    let text = "a == $1 AND b IN $0 AND c BETWEEN $0 AND d['x'] IN {$1, 3} AND e[$2] == %@"
    let arguments: [PropertyValue] = [[1, 2], link, "name"]
    let expected = QueryCondition.and([
      .compare(.property(QueryPath("a")), .equal, .constant(link), []),
      .isIn(.property(QueryPath("b")), [1, 2], []),
      .isBetween(.property(QueryPath("c")), lower: 1, upper: 2, includesUpper: true),
      .isIn(.property(QueryPath([.property("d"), .name("x")])), [link, 3], []),
      .compare(
        .property(QueryPath([.property("e"), .name("name")])), .equal, .constant([1, 2]), []),
    ])
    #expect(try condition(text, arguments) == expected)
    #expect(
      try QueryText(parsing: "OFFSET($0) LIMIT(%@)", arguments: [3]).stages
        == [.offset(3), .limit(3)])
  }

  @Test func `percent signs take one argument after the other`() throws {
    #expect(
      try condition("a == %@ OR b == %@", [1, "x"])
        == .or([
          .compare(.property(QueryPath("a")), .equal, .constant(1), []),
          .compare(.property(QueryPath("b")), .equal, .constant("x"), []),
        ]))
  }

  @Test func `a long chain of conditions is not deep`() throws {
    let text = Array(repeating: "a == 1", count: 10_000).joined(separator: " && ")
    guard case .and(let parts) = try condition(text) else {
      Issue.record("The chain is not one condition.")
      return
    }
    #expect(parts.count == 10_000)
  }

  private func condition(
    _ text: String, _ arguments: [PropertyValue] = []
  ) throws -> QueryCondition? {
    guard
      case .filter(let condition) = try QueryText(parsing: text, arguments: arguments)
        .stages.first
    else { return nil }
    return condition
  }
}

private func property(_ names: String...) -> QueryExpression {
  .property(QueryPath(names.map(QueryPath.Step.property)))
}

private func compare(
  _ comparison: QueryComparison, _ value: PropertyValue, _ options: TextOptions = []
) -> QueryCondition {
  .compare(property("x"), comparison, .constant(value), options)
}

private let comparisonTexts: [(String, QueryCondition)] = [
  ("x == 5", compare(.equal, 5)), ("x = 5", compare(.equal, 5)),
  ("x != 5", compare(.notEqual, 5)), ("x <> 5", compare(.notEqual, 5)),
  ("x < 5", compare(.less, 5)), ("x<=5", compare(.lessOrEqual, 5)),
  ("x =< 5", compare(.lessOrEqual, 5)), ("x > 5", compare(.greater, 5)),
  ("x>=5", compare(.greaterOrEqual, 5)), ("x => 5", compare(.greaterOrEqual, 5)),
  ("x\n==\t5 ", compare(.equal, 5)), ("x\u{A0}== 5", compare(.equal, 5)),
  ("5 < x", .compare(.constant(5), .less, property("x"), [])),
  ("x == y", .compare(property("x"), .equal, property("y"), [])),
  ("x IN {1, -2, 'a', nil}", .isIn(property("x"), [1, -2, "a", nil], [])),
  ("x in {}", .isIn(property("x"), [], [])),
  ("5 IN x", .compare(.constant(5), .equal, property("x"), [])),
  ("x BETWEEN {1, 5}", .isBetween(property("x"), lower: 1, upper: 5, includesUpper: true)),
  ("x BETWEEN -1...5", .isBetween(property("x"), lower: -1, upper: 5, includesUpper: true)),
  (
    "x between 1.5 ..< 5", .isBetween(property("x"), lower: 1.5, upper: 5, includesUpper: false)
  ),
]

private let textComparisonTexts: [(String, QueryCondition)] = [
  ("x CONTAINS 'a'", compare(.contains, "a")), ("x BeginsWith \"a\"", compare(.beginsWith, "a")),
  ("x ENDSWITH 'a'", compare(.endsWith, "a")), ("x LIKE 'a*'", compare(.like, "a*")),
  ("x CONTAINS[c] 'a'", compare(.contains, "a", .caseInsensitive)),
  ("x CONTAINS[d] 'a'", compare(.contains, "a", .diacriticInsensitive)),
  ("x ==[dc] 'a'", compare(.equal, "a", [.caseInsensitive, .diacriticInsensitive])),
  ("x LIKE [ CD ] 'a'", compare(.like, "a", [.caseInsensitive, .diacriticInsensitive])),
  ("x IN[c] {'a'}", .isIn(property("x"), ["a"], .caseInsensitive)),
  ("x TEXT 'swan -lake'", .hasWords(QueryPath("x"), search: "swan -lake")),
  ("text text 'a'", .hasWords(QueryPath("text"), search: "a")),
]

private let (a, b, c) = (compare(.equal, 1), compare(.equal, 2), compare(.equal, 3))

private let logicTexts: [(String, QueryCondition)] = [
  ("x == 1 AND x == 2 AND x == 3", .and([a, b, c])),
  ("x == 1 && x == 2 || x == 3", .or([.and([a, b]), c])),
  ("x == 1 OR x == 2 AND x == 3", .or([a, .and([b, c])])),
  ("(x == 1 OR x == 2) AND x == 3", .and([.or([a, b]), c])),
  ("(x == 1 AND x == 2) AND x == 3", .and([.and([a, b]), c])),
  ("NOT x == 1 AND x == 2", .and([.not(a), b])), ("!(x == 1 or x == 2)", .not(.or([a, b]))),
  ("NOT NOT x == 1", .not(.not(a))), ("!!x == 1", .not(.not(a))), ("((x == 1))", a),
  ("TRUEPREDICATE", .always(true)), ("NOT falsepredicate", .not(.always(false))),
  ("(x) == 1", a), ("((x)) == (1)", a),
]

private let pathTexts: [(String, QueryExpression)] = [
  ("country.name", property("country", "name")), ("a . b", property("a", "b")),
  ("ANY dogs.age", property("dogs", "age")), ("SOME dogs.age", property("dogs", "age")),
  ("ALL dogs.age", .property(QueryPath([.property("dogs"), .property("age")], .all))),
  ("none dogs.age", .property(QueryPath([.property("dogs"), .property("age")], .none))),
  ("dogs.@count", .count(QueryPath("dogs"))), ("dogs.@size", .count(QueryPath("dogs"))),
  ("dogs.@sum.age", .aggregate(.sum, QueryPath("dogs", "age"))),
  ("dogs.age.@sum", .aggregate(.sum, QueryPath("dogs", "age"))),
  ("ages.@MIN", .aggregate(.minimum, QueryPath("ages"))),
  ("ages.@max", .aggregate(.maximum, QueryPath("ages"))),
  ("dogs.@avg.owner.age", .aggregate(.average, QueryPath("dogs", "owner", "age"))),
  ("map['a b']", .property(QueryPath([.property("map"), .name("a b")]))),
  ("map[\"a\"].x", .property(QueryPath([.property("map"), .name("a"), .property("x")]))),
  ("map.@keys", .property(QueryPath([.property("map"), .names]))),
  ("map.@allValues.x", property("map", "x")), ("SELF", .property(QueryPath([]))),
  (
    "@links.Dog.owner.age",
    .property(QueryPath([.inverse(class: "Dog", property: "owner"), .property("age")]))
  ),
  ("@links.Dog.owner.@count", .count(QueryPath([.inverse(class: "Dog", property: "owner")]))),
  (
    "country.@links.Zone.country.area",
    .property(
      QueryPath([
        .property("country"), .inverse(class: "Zone", property: "country"), .property("area"),
      ]))
  ),
  ("`and`.or.in", property("and", "or", "in")), ("`a b\\`c`", property("a b`c")),
  ("größe.日本", property("größe", "日本")), ("_x1", property("_x1")), ("limit", property("limit")),
  ("uuid", property("uuid")), ("text.like", property("text", "like")), ("😀", property("😀")),
]

private let calculationTexts: [(String, QueryExpression)] = [
  ("a + 1", .arithmetic(property("a"), .add, .constant(1))),
  (
    "a - b - 1",
    .arithmetic(.arithmetic(property("a"), .subtract, property("b")), .subtract, .constant(1))
  ),
  (
    "a + b * 2",
    .arithmetic(property("a"), .add, .arithmetic(property("b"), .multiply, .constant(2)))
  ),
  (
    "(a + b) / 2",
    .arithmetic(.arithmetic(property("a"), .add, property("b")), .divide, .constant(2))
  ),
  ("a -1", .arithmetic(property("a"), .subtract, .constant(1))),
  ("a - -1", .arithmetic(property("a"), .subtract, .constant(-1))),
  ("-a", .arithmetic(.constant(0), .subtract, property("a"))),
  ("-(1)", .arithmetic(.constant(0), .subtract, .constant(1))),
  ("-5", .constant(-5)), ("- 5", .constant(-5)),
]

private let stageTexts: [(String, [QueryStage])] = [
  ("", []), (" \n", []),
  ("SORT(name)", [.sort([QuerySortKey(QueryPath("name"))])]),
  (
    "x == 1 sort(a ASC, b.c DESC, d descending, asc asc)",
    [
      .filter(a),
      .sort([
        QuerySortKey(QueryPath("a")), QuerySortKey(QueryPath("b", "c"), isAscending: false),
        QuerySortKey(QueryPath("d"), isAscending: false), QuerySortKey(QueryPath("asc")),
      ]),
    ]
  ),
  (
    "x == 1 DISTINCT(a, b.c) OFFSET(2) LIMIT(10) FILTER(x == 2 OR x == 3) LIMIT ( 0 )",
    [
      .filter(a), .distinct([QueryPath("a"), QueryPath("b", "c")]), .offset(2), .limit(10),
      .filter(.or([b, c])), .limit(0),
    ]
  ),
  ("FILTER(x == 1)", [.filter(a)]),
  (
    "limit == limit LIMIT(1)",
    [.filter(.compare(property("limit"), .equal, property("limit"), [])), .limit(1)]
  ),
]
