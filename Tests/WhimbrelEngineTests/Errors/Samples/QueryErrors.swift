import WhimbrelEngine

/// The errors of queries: of conditions, of orders, typed and as text.
let queryErrors: [StoreError] = [
  .notComparable(
    class: "Person", property: "age", type: "int", other: "string",
    remedy: "Compare it with a number."),
  .wrongComparison(class: "Person", property: "age", type: "int", comparison: "CONTAINS[c]"),
  .pathEnds(class: "Person", property: "name", type: "string", next: "length"),
  .notAnInverse(class: "Dog", property: "age", target: "Person"),
  .severalValues(class: "Person", property: "tags", other: "codes"),
  .severalValues(class: "Person", property: nil, other: nil),
  .notCalculable(class: "Person", property: "name", type: "string", verb: "sum"),
  .notObjects(class: "Person", property: "tags", type: "string"),
  .noFullTextIndex(class: "Person", property: "name"),
  .sumTooLarge(class: "Person", property: "age"),
  .notCalculable(class: "Person", property: nil, type: "string", verb: "sum"),
  .notQueryable(class: "Zone"),
  .foreignObject(class: "Zone", of: "Country", isManaged: false),
  .foreignObject(class: "Zone", of: "Country", isManaged: true),
  .severalCollections(class: "Country", collections: []),
  .severalCollections(class: "Country", collections: ["", "zones"]),
  .severalQuantifiers(class: "Country"),
  .noPath(class: "Country"),
  .deepCondition(class: "Zone"),
  .untranslatablePredicate(class: "Zone", part: "IntRemainder"),
  .noOrder(class: "Zone", property: "tags", type: "[string]", isSorting: true),
  .noOrder(class: "Zone", property: "tags", type: "[string]", isSorting: false),
  .notAnOrder(class: "Zone", isSorting: true),
  .notAnOrder(class: "Zone", isSorting: false),
  .invalidQueryArgument(class: "Zone", number: 1, got: "Range<Int>"),
  textError("latitude >"),
]

/// The error of a query in text that cannot be read.
private func textError(_ text: String) -> StoreError {
  do {
    _ = try QueryText(parsing: text)
    return .nestedWrite()
  } catch {
    return .invalidQuery(error, class: "Zone")
  }
}
