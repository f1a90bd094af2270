import Foundation
import Testing
import WhimbrelEngine

/// What conditions mean, case by case.
struct ConditionTests {
  private static let item = ClassSchema(
    "Item", .optional("text", .string), .optional("int", .int), .optional("double", .double),
    .optional("decimal", .decimal), .required("any", .any), .link("one", to: "Item"),
    .list("many", .link(to: "Item")), .list("numbers", .int), .map("named", .int))

  /// The numbers of those objects, beginning with 1, that meet a condition.
  private func meet(
    _ condition: QueryCondition, _ objects: [[String: PropertyValue]]
  ) throws -> [UInt64] {
    let store = try TestStore([Self.item]) { session in
      for values in objects { try session.create("Item", values) }
    }
    let session = try store.session()
    let table = try session.table("Item")
    let found = try table.objectIDs(matching: BoundCondition(condition, in: table))
    #expect(try QueryOracle(session).objectIDs("Item", matching: condition) == found)
    return found.map(\.rawValue)
  }

  private func compare(
    _ name: String, _ comparison: QueryComparison, _ value: PropertyValue,
    _ options: TextOptions = []
  ) -> QueryCondition {
    .compare(.property(QueryPath(name)), comparison, .constant(value), options)
  }

  @Test func `nil is nil and nothing else, and not is plain negation`() throws {
    let objects: [[String: PropertyValue]] = [["int": 5], ["int": .null]]
    #expect(try meet(compare("int", .equal, .null), objects) == [2])
    #expect(try meet(compare("int", .notEqual, .null), objects) == [1])
    #expect(try meet(compare("int", .notEqual, 5), objects) == [2])
    #expect(try meet(compare("int", .less, 9), objects) == [1])
    #expect(try meet(.not(compare("int", .less, 9)), objects) == [2])
    #expect(try meet(compare("int", .lessOrEqual, .null), objects) == [])
    let range = QueryCondition.isBetween(
      .property(QueryPath("int")), lower: .null, upper: 9, includesUpper: true)
    #expect(try meet(range, objects) == [])
    #expect(try meet(.isIn(.property(QueryPath("int")), [.null, 7], []), objects) == [2])
    #expect(try meet(.isIn(.property(QueryPath("int")), [], []), objects) == [])
    #expect(try meet(.and([]), objects) == [1, 2])
    #expect(try meet(.or([]), objects) == [])
  }

  @Test func `one of many values is found by its number or its bytes`() throws {
    let objects: [[String: PropertyValue]] = [
      ["int": 5, "double": 5.0, "text": "Å"], ["int": 50, "double": 2.5, "text": "A\u{30A}"],
      ["double": .double(.nan)],
    ]
    func isIn(_ name: String, _ values: [PropertyValue]) throws -> [UInt64] {
      try meet(.isIn(.property(QueryPath(name)), values, []), objects)
    }
    let numbers = (0..<20).map { PropertyValue.int($0) } + [.double(.nan), .double(2.5)]
    #expect(try isIn("int", numbers) == [1])
    #expect(try isIn("int", numbers + [.double(50), .null]) == [1, 2, 3])
    #expect(try isIn("double", numbers) == [1, 2])
    let texts = (0..<20).map { PropertyValue.string("\($0)") }
    #expect(try isIn("text", texts + ["A\u{30A}"]) == [2])
    #expect(try isIn("text", texts + [.null]) == [3])
  }

  @Test func `NaN is not even itself, and the zeros are one`() throws {
    let objects: [[String: PropertyValue]] = [
      ["double": .double(.nan)], ["double": .double(-0.0)], ["double": .double(.infinity)],
    ]
    #expect(try meet(compare("double", .equal, .double(.nan)), objects) == [])
    #expect(try meet(compare("double", .notEqual, .double(.nan)), objects) == [1, 2, 3])
    #expect(try meet(compare("double", .notEqual, 1.0), objects) == [1, 2, 3])
    #expect(try meet(compare("double", .equal, 0.0), objects) == [2])
    #expect(try meet(compare("double", .less, 0.0), objects) == [])
    #expect(try meet(compare("double", .greater, .double(.infinity)), objects) == [])
    #expect(try meet(compare("double", .greaterOrEqual, .double(.infinity)), objects) == [3])
    #expect(try meet(compare("double", .less, .double(-.infinity)), objects) == [])
    #expect(try meet(compare("double", .greaterOrEqual, .double(-.infinity)), objects) == [2, 3])
  }

  @Test func `numbers of different types compare without rounding`() throws {
    let large = Int64(1) << 53
    let objects: [[String: PropertyValue]] = [
      ["int": .int(large), "double": .double(Double(large))],
      ["int": .int(large + 1), "double": 2.5], ["int": .int(.max), "double": 0.1],
    ]
    #expect(try meet(compare("int", .equal, .double(Double(large))), objects) == [1])
    #expect(try meet(compare("double", .equal, .int(large + 1)), objects) == [])
    #expect(try meet(compare("double", .less, .int(large + 1)), objects) == [1, 2, 3])
    #expect(try meet(compare("int", .less, 0x1p63), objects) == [1, 2, 3])
    #expect(try meet(compare("int", .equal, 0x1p63), objects) == [])
    #expect(try meet(compare("double", .greater, 2), objects) == [1, 2])
    #expect(try meet(compare("int", .greater, 2.5), objects) == [1, 2, 3])
    let tenth = PropertyValue.decimal(Decimal(string: "0.1") ?? 0)
    #expect(try meet(compare("double", .equal, tenth), objects) == [3])
    #expect(try meet(compare("int", .greater, tenth), objects) == [1, 2, 3])
    let both = QueryCondition.compare(
      .property(QueryPath("int")), .equal, .property(QueryPath("double")), [])
    #expect(try meet(both, objects) == [1])
  }

  /// A text, what it is compared with, and for which options it is equal.
  static let equals: [(String, String, [TextOptions])] = [
    ("straße", "STRASSE", [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]),
    ("ẞ", "ss", [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]),
    ("Å", "A\u{30A}", [.diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]),
    ("Å", "a", [[.caseInsensitive, .diacriticInsensitive]]),
    ("İ", "i", [[.caseInsensitive, .diacriticInsensitive]]),
    ("ı", "I", []),
    ("ΣΑΣ", "σας", [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]),
    ("\u{212A}", "k", [.caseInsensitive, [.caseInsensitive, .diacriticInsensitive]]),
    ("👍🏽", "👍", []),
    ("é\u{0}x", "e\u{0}X", [[.caseInsensitive, .diacriticInsensitive]]),
  ]

  @Test(arguments: equals)
  func `case and diacritics count unless they are said not to`(
    text: String, other: String, options: [TextOptions]
  ) throws {
    let all: [TextOptions] = [
      [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]
    for option in all {
      let found = try meet(
        compare("text", .equal, .string(other), option), [["text": .string(text)]])
      #expect((found == [1]) == options.contains(option), "\(text) \(other) \(option)")
    }
  }

  /// A pattern, and the texts among all that are like it.
  static let patterns: [(String, [UInt64])] = [
    ("*", [1, 2, 3, 4, 5, 6]), ("", [1]), ("?", [3]), ("a*c", [2, 4]), ("a?c", [2]),
    ("a\\*c", [2]), ("*ß?", [5]), ("a**c", [2, 4]), ("\\?", []), ("??", [5]), ("*long*long", [6]),
    ("abbbbc?", []), ("a?c\\", []),
  ]

  @Test(arguments: patterns)
  func `a pattern stands for texts`(pattern: String, expected: [UInt64]) throws {
    let texts = ["", "a*c", "é", "abbbbc", "ß🐦", String(repeating: "long", count: 600)]
    let found = try meet(
      compare("text", .like, .string(pattern)), texts.map { ["text": .string($0)] })
    #expect(found == expected)
  }

  @Test func `long texts are compared in full`() throws {
    let long = String(repeating: "ä", count: 40_000)
    let objects: [[String: PropertyValue]] = [
      ["text": .string(long)], ["text": .string(long + "x")], ["text": "ä"],
    ]
    #expect(try meet(compare("text", .equal, .string(long)), objects) == [1])
    #expect(try meet(compare("text", .notEqual, .string(long)), objects) == [2, 3])
    #expect(try meet(compare("text", .beginsWith, .string(long)), objects) == [1, 2])
    #expect(try meet(compare("text", .endsWith, "x"), objects) == [2])
    #expect(try meet(compare("text", .contains, "AX", [.caseInsensitive]), objects) == [])
    let folded: TextOptions = [.caseInsensitive, .diacriticInsensitive]
    #expect(try meet(compare("text", .contains, "AX", folded), objects) == [2])
    #expect(try meet(compare("text", .greater, .string(long)), objects) == [2])
  }

  // A syllable of Hangul was taken apart, as if its parts were diacritics: 한 contained 하, and `?`
  // matched no syllable.
  @Test(arguments: ["한국", "한국".decomposedStringWithCanonicalMapping])
  func `a syllable of Hangul has no diacritics that could be ignored`(text: String) throws {
    let objects: [[String: PropertyValue]] = [["text": .string(text)], ["text": "하"]]
    for options in [.diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
      as [TextOptions]
    {
      #expect(try meet(compare("text", .beginsWith, "하", options), objects) == [2])
      #expect(try meet(compare("text", .contains, "하", options), objects) == [2])
      #expect(try meet(compare("text", .like, "하*", options), objects) == [2])
      #expect(try meet(compare("text", .like, "?", options), objects) == [2])
      #expect(try meet(compare("text", .like, "한?", options), objects) == [1])
      #expect(try meet(compare("text", .equal, "한국", options), objects) == [1])
      #expect(try meet(compare("text", .endsWith, "국", options), objects) == [1])
    }
  }

  @Test func `a path gives one nil behind a link, and nothing in a collection behind one`() throws {
    let objects: [[String: PropertyValue]] = [
      ["int": 1, "numbers": [1, 2]], ["int": 2, "one": .link(ObjectID(rawValue: 1))],
      ["many": [.link(ObjectID(rawValue: 1)), .link(ObjectID(rawValue: 2))]],
    ]
    func path(_ names: String..., quantifier: QueryPath.Quantifier) -> QueryExpression {
      .property(QueryPath(names.map(QueryPath.Step.property), quantifier))
    }
    func meets(
      _ path: QueryExpression, _ comparison: QueryComparison, _ value: PropertyValue
    ) throws -> [UInt64] {
      try meet(.compare(path, comparison, .constant(value), []), objects)
    }
    #expect(try meets(path("one", "int", quantifier: .any), .equal, .null) == [1, 3])
    #expect(try meets(path("one", "int", quantifier: .any), .equal, 1) == [2])
    #expect(try meets(path("one", "numbers", quantifier: .any), .equal, .null) == [])
    #expect(try meets(path("one", "numbers", quantifier: .all), .equal, 7) == [1, 3])
    #expect(try meets(path("one", "numbers", quantifier: .none), .equal, 2) == [1, 3])
    #expect(try meets(path("many", "int", quantifier: .all), .less, 3) == [1, 2, 3])
    #expect(try meets(path("many", "int", quantifier: .any), .less, 2) == [3])
    #expect(try meets(path("many", "numbers", quantifier: .any), .equal, 2) == [3])
  }

  /// The word was ignored before a path to one value, so that the opposite objects were found.
  @Test func `none of one value means that it does not satisfy the comparison`() throws {
    let objects: [[String: PropertyValue]] = [
      ["int": 1, "text": "a"],
      ["int": 5, "double": 4.0, "one": .link(ObjectID(rawValue: 1))],
      [:],
    ]
    func none(_ names: String...) -> QueryExpression {
      .property(QueryPath(names.map(QueryPath.Step.property), .none))
    }
    func meets(
      _ expression: QueryExpression, _ comparison: QueryComparison, _ other: QueryExpression
    ) throws -> [UInt64] {
      try meet(.compare(expression, comparison, other, []), objects)
    }
    #expect(try meets(none("int"), .greater, .constant(2)) == [1, 3])
    #expect(try meets(none("int"), .equal, .constant(.null)) == [1, 2])
    #expect(try meets(none("text"), .equal, .constant("a")) == [2, 3])
    #expect(try meets(none("text"), .beginsWith, .constant("a")) == [2, 3])
    #expect(try meets(none("one", "int"), .equal, .constant(1)) == [1, 3])
    #expect(try meets(.constant(2), .less, none("int")) == [1, 3])
    #expect(try meets(none("int"), .greater, .property(QueryPath("double"))) == [1, 3])
    let sum = QueryExpression.arithmetic(none("int"), .add, .constant(1))
    #expect(try meets(sum, .greater, .constant(5)) == [1, 3])
    #expect(try meet(.isIn(none("int"), [1, 7], []), objects) == [2, 3])
    let range = QueryCondition.isBetween(none("int"), lower: 0, upper: 3, includesUpper: true)
    #expect(try meet(range, objects) == [2, 3])
    #expect(try meet(.not(range), objects) == [1])
  }

  @Test func `conditions take counts, aggregates, inverses, maps and values of any type`() throws {
    let objects: [[String: PropertyValue]] = [
      ["int": 1, "numbers": [1, 2], "named": ["a": 1], "any": ["a": "x", "b": 2]],
      ["int": 2, "one": .link(ObjectID(rawValue: 1)), "any": 2.0],
      ["many": [.link(ObjectID(rawValue: 1)), .link(ObjectID(rawValue: 2))]],
    ]
    let numbers = QueryPath("numbers")
    let many = QueryPath("many")
    let inverse = QueryPath([.inverse(class: "Item", property: "many")])
    func meets(_ expression: QueryExpression, _ value: PropertyValue) throws -> [UInt64] {
      try meet(.compare(expression, .equal, .constant(value), []), objects)
    }
    #expect(try meets(.count(numbers), 2) == [1])
    #expect(try meets(.count(QueryPath("one")), 0) == [1, 3])
    #expect(try meets(.aggregate(.sum, numbers), 0) == [2, 3])
    #expect(try meets(.aggregate(.average, numbers), 1.5) == [1])
    #expect(try meets(.aggregate(.maximum, numbers), .null) == [2, 3])
    #expect(try meets(.matches(many, compare("int", .greater, 1)), 1) == [3])
    #expect(try meets(.count(inverse), 1) == [1, 2])
    #expect(try meets(.property(QueryPath([.property("named"), .name("a")])), 1) == [1])
    #expect(try meets(.property(QueryPath([.property("named"), .names])), "a") == [1])
    #expect(try meets(.property(QueryPath([.property("any"), .name("a")])), "x") == [1])
    #expect(try meets(.property(QueryPath("any")), 2) == [2])
    #expect(try meets(.property(QueryPath("any")), .null) == [3])
    #expect(try meets(.property(QueryPath([])), .link(ObjectID(rawValue: 2))) == [2])
    let sum = QueryExpression.arithmetic(
      .property(QueryPath("int")), .divide, .constant(2))
    #expect(try meets(sum, 0) == [1])
    #expect(try meets(.arithmetic(.constant(1), .divide, .constant(0)), .null) == [1, 2, 3])
  }

  @Test func `a reference equals a link to the same object, and one to another class nothing`()
    throws
  {
    let other = ClassSchema("Other", .required("number", .int))
    let store = try TestStore([Self.item, other]) { session in
      try session.create("Item", [:])
      try session.create("Item", ["one": .link(ObjectID(rawValue: 1))])
      try session.create("Other", ["number": 1])
    }
    let session = try store.session()
    let table = try session.table("Item")
    func meets(_ classID: ClassID, _ comparison: QueryComparison) throws -> [UInt64] {
      let reference = ObjectReference(classID: classID, id: ObjectID(rawValue: 1))
      let bound = try BoundCondition(compare("one", comparison, .object(reference)), in: table)
      return try table.objectIDs(matching: bound).map(\.rawValue)
    }
    #expect(try meets(table.resolved.id, .equal) == [2])
    #expect(try meets(table.resolved.id, .notEqual) == [1])
    let unknown = ClassID(rawValue: 77)
    #expect(try meets(unknown, .equal) == [])
    #expect(try meets(unknown, .notEqual) == [1, 2])
  }
}
