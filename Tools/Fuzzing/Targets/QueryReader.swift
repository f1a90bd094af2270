internal import WhimbrelEngine

/// Parses the text of a query and runs it.
final class QueryReader: FuzzReader {
  private let folder: FuzzFolder
  private let session: Session
  private static let arguments: [PropertyValue] = [5, "thing 1", .list([1, 2]), .null]

  init() throws {
    folder = try FuzzFolder()
    let path = folder.path("a.whimbrel")
    try EveryKind.make(at: path, count: 4)
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    session = try Session(StoreFile.open(request))
  }

  var seeds: [[UInt8]] {
    let texts =
      EveryKind.scalars.map { "\($0.name) == nil OR NOT \($0.name) != nil SORT(\($0.name) DESC)" }
      + [
        "int8 > 1 AND string BEGINSWITH[cd] 'sw' SORT(int8 ASC, name DESC) LIMIT(2)",
        "int8 IN {1, 2, $0} OR int8 BETWEEN {1, 3} OR int8 BETWEEN 1 ..< 5",
        "string TEXT 'swan -lake'",
        "name == 'thing 1' || name LIKE[c] 't*g ?'",
        "link.note CONTAINS 'o' AND link.key + 2 * 3 >= -1",
        "ANY numbers > 100 AND ALL numbers < 0x1F AND NONE texts == nil", "doubles['key 1'] == 1.0",
        "doubles.@keys CONTAINS 'key'", "ANY anyMap.@values == 1",
        "numbers.@sum > 5 AND texts.@count == 3",
        "numbers.@avg >= 1e3 AND numbers.@max < inf", "SUBQUERY(links, $l, $l.key > 0).@count > 0",
        "@links.Thing.links.@count > 0",
        "date < 2020-01-31T12:00:00Z AND date > 2020-01-31@12:00:00",
        "uuid == uuid(00000000-0000-0000-0000-000000000001)",
        "objectId == oid(000000000000000100000002)",
        "decimal == decimal(0.125) AND float == float(0.5)", "data == B64\"BwcHBw==\"",
        "`int` / 2 == 0 DISTINCT(int8, uint8) OFFSET(1) FILTER(bool == true)", "TRUEPREDICATE",
        "any == 1 OR any == 'x' OR SELF == $3", "(name == %@ AND !(bool = false)) LIMIT(0)",
        "name == \"\\u{1F600}\\n\\'\" OR int8 IN $2", "part.next.next.number - 1 != uint32",
      ]
    return texts.map { Array($0.utf8) }
  }

  func read(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let schema = session.loaded.catalog.schema
    let request = try QueryRequest("Thing", parsing: text, arguments: Self.arguments, in: schema)
    let printed = request.stages.printed
    let again = attempt {
      try QueryRequest("Thing", parsing: printed.text, arguments: printed.arguments, in: schema)
    }
    // What nests nearly as deep as it may can need more parentheses when it is printed.
    if text.count(where: { $0 == "(" }) < 20 {
      require(
        again?.stages.printed.text == printed.text,
        "'\(text)' is printed as '\(printed.text)', which is read back")
    }
    let query = try BoundQuery(request, in: session)
    let ids = try query.objectIDs()
    require(try query.count() == ids.count, "as many objects are counted as found")
    require(try query.first() == ids.first, "the first object is the first of all")
    for id in ids {
      if let contains = try query.contains(id) {
        require(contains, "a query contains what it finds")
      }
    }
    _ = "\(try query.explanation())"
    if let again {
      require(
        try BoundQuery(again, in: session).objectIDs() == ids,
        "'\(text)' finds what '\(printed.text)' finds")
    }
  }
}
