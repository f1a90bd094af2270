import Testing
import WhimbrelEngine

/// Conditions on objects that were written before their class changed.
struct ConditionLayoutTests {
  private static let before = ClassSchema(
    "Item", .key("number"), .required("small", .int16), .optional("ratio", .float),
    .optional("text", .string), .required("gone", .int), .required("kept", .string))
  private static let after = ClassSchema(
    "Item", .key("number"), .required("added", .int, default: 7), .required("kept", .string),
    .required("small", .int, default: 0), .optional("ratio", .double),
    .required("text", .string, default: "none"), .optional("new", .string),
    .required("word", .string, default: "plain"))

  @Test func `what records lack, or have as another type, is what the class says it is`() throws {
    let store = try TestStore([Self.before]) { session in
      for number in 0..<40 as Range<Int64> {
        try session.create(
          "Item",
          [
            "number": .int(number), "small": .int(number - 20), "gone": 1, "kept": "k\(number % 5)",
            "ratio": number % 4 == 0 ? .null : .float(Float(number) / 4),
            "text": number % 3 == 0 ? .null : .string("t\(number % 7)"),
          ])
      }
    }
    try store.open([Self.after], version: 2)
    try store.write { session in
      for number in 40..<80 as Range<Int64> {
        try session.create(
          "Item",
          [
            "number": .int(number), "added": .int(number), "kept": "k\(number % 5)",
            "small": .int(number - 60), "ratio": number % 4 == 0 ? .null : .double(Double(number)),
            "text": .string("t\(number % 7)"), "new": number % 2 == 0 ? .null : "n", "word": "w",
          ])
      }
    }
    let session = try store.session()
    let table = try session.table("Item")
    #expect(table.resolved.layouts.compactMap(\.self).count > 1)
    let oracle = try QueryOracle(session)
    let constants: [(String, [PropertyValue])] = [
      ("added", [7, 50, 7.5, .null]), ("small", [0, -5, 3.5, .double(.nan)]),
      ("ratio", [2.25, .null, 60, .float(1.5)]), ("text", ["t3", "none", .null]),
      ("new", ["n", .null]), ("word", ["plain", "w"]), ("kept", ["k1", ""]),
    ]
    for (name, values) in constants {
      let property = QueryExpression.property(QueryPath(name))
      var conditions: [QueryCondition] = [.isIn(property, values, [])]
      for value in values {
        for comparison in QueryComparison.allCases {
          let isText = ["text", "new", "word", "kept"].contains(name)
          if !isText, [.contains, .beginsWith, .endsWith, .like].contains(comparison) { continue }
          conditions.append(.compare(property, comparison, .constant(value), []))
          if isText {
            conditions.append(.compare(property, comparison, .constant(value), .caseInsensitive))
          }
        }
        conditions.append(
          .isBetween(property, lower: value, upper: values[0], includesUpper: true))
      }
      for condition in conditions {
        let expected = oracle.objectIDs("Item", matching: condition)
        let found = try table.objectIDs(matching: BoundCondition(condition, in: table))
        #expect(found == expected, "\(condition)")
      }
    }
    for (name, _) in constants where !["text", "new", "word", "kept"].contains(name) {
      for aggregate in QueryAggregate.allCases {
        let path = try BoundPath(QueryPath(name), in: table)
        let values = oracle.objects["Item"]?.sorted { $0.key < $1.key }.map { $1[name] ?? .null }
        #expect(
          try table.aggregate(aggregate, path, matching: nil)
            .isEqualNumber(to: PlainAggregate.value(aggregate, values ?? [])))
      }
    }
  }
}

extension PropertyValue {
  /// Whether both are the same number, of whatever type.
  fileprivate func isEqualNumber(to other: PropertyValue) -> Bool {
    PlainComparison.order(self, other) == 0
  }
}
