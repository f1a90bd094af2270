import Foundation
import Testing
import WhimbrelEngine

/// What is said of texts that are no queries, and where the mark points.
struct QueryTextErrorTests {
  @Test(arguments: mistakes)
  func `a mistake is shown where it is`(text: String, mark: String, reason: String) throws {
    let error = try #require(problem(text))
    #expect(error.reason == reason)
    #expect(error.excerpt == text + "\n" + mark)
    #expect(error.column == mark.count)
    #expect(error.line == 1)
    #expect(error.hint.hasSuffix(".") || error.hint.hasSuffix("?"))
  }

  @Test func `the description has the sentence, the place and the hint`() throws {
    let error = try #require(problem("latitude > AND x"))
    #expect(
      error.description == """
        Could not read the query: expected a value after '>'.
        latitude > AND x
                   ^
        A value is a number, a text in quotes, true, false, nil, an argument like $0, or a path.
        """)
  }

  @Test(arguments: [
    ("name BEGINWITH 'a'", "Did you mean 'BEGINSWITH'?"),
    ("name StartsWith 'a'", "Did you mean 'BEGINSWITH'?"),
    ("name IS NULL", "Write '== nil' or '!= nil'."),
    ("name MATCHES 'a.*'", "Write LIKE, where '*' matches any characters and '?' matches one."),
    ("name NOT IN {1}", "Write NOT before the whole comparison: NOT a IN {1, 2}."),
    (
      "all == 1",
      "Write a path as 'name' or 'country.name'. Put a name that is a keyword in backquotes."
    ),
    ("dogs.@cout > 1", "Did you mean '@count'?"),
    ("name == ‘a’", "Write text in straight quotes: 'Paris' or \"Paris\"."),
    ("a == $1", "Give the query its arguments; none was given."),
    ("isCapital", "Compare it with a value, as in 'area > 1000' or 'isCapital == true'."),
  ])
  func `a hint says what to do`(text: String, hint: String) {
    #expect(problem(text)?.hint == hint)
  }

  @Test func `a place in a later line is found`() throws {
    let error = try #require(problem("a == 1 AND\r\n\tb = = 'x'\nOR c == 1"))
    #expect(error.line == 2)
    #expect(error.column == 6)
    #expect(error.excerpt == " b = = 'x'\n     ^")
  }

  @Test func `columns are counted in characters`() throws {
    let error = try #require(problem("e\u{301}👨‍👩‍👧 == == 1"))
    #expect(error.column == 7)
  }

  @Test func `only a piece of a long line is shown`() throws {
    let long = String(repeating: "a == 1 AND ", count: 1_000)
    let error = try #require(problem(long + "a == = " + long))
    #expect(error.column == 11_006)
    let lines = error.excerpt.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.count <= 82 })
    #expect(lines[0].hasPrefix("…") && lines[0].hasSuffix("…"))
    #expect(Array(lines[0])[lines[1].count - 1] == "=")
  }

  @Test func `what could harm a terminal is not shown`() throws {
    let marks = String(repeating: "\u{301}", count: 1_000)
    let error = try #require(problem("'\u{1B}[31m\u{0}a\(marks)' == !"))
    #expect(error.excerpt == "'\u{FFFD}[31m\u{FFFD}\u{FFFD}' == !\n             ^")
    let turned = try #require(problem("'\u{202E}a' == !"))
    #expect(turned.excerpt == "'\u{FFFD}a' == !\n        ^")
  }

  @Test func `an app gets a store error with the facts`() throws {
    let schema = StoreSchema(classes: [zone, country])
    let error = try #require(
      storeError {
        _ = try QueryRequest("Zone", parsing: "country.nane == 'x'", in: schema)
      })
    #expect(error.code == .invalidQuery)
    #expect(error.context.className == "Country")
    #expect(error.context.propertyName == "nane")
    #expect((error.underlying as? QueryTextError)?.column == 9)
    #expect(
      error.description == """
        Could not read the query: 'Country' has no property 'nane'.
        country.nane == 'x'
                ^
        Did you mean 'name'?
        """)
    let request = try QueryRequest("Zone", parsing: "latitude > $0", arguments: [60], in: schema)
    #expect(request.text == "latitude > 60")
  }

  private func problem(_ text: String) -> QueryTextError? {
    do {
      _ = try QueryText(parsing: text)
      return nil
    } catch {
      return error
    }
  }
}

/// Names that a schema does not have.
struct QueryNameTests {
  @Test(arguments: [
    ("latitude > 1 AND lattitude < 5", 18, "'Zone' has no property 'lattitude'"),
    ("country.zones.nmae == 'x'", 15, "'Zone' has no property 'nmae'"),
    ("SORT(country.nam ASC)", 14, "'Country' has no property 'nam'"),
    ("DISTINCT(latitude, x)", 20, "'Zone' has no property 'x'"),
    ("@links.Contry.zones.name == 'x'", 8, "there is no class 'Contry'"),
    ("@links.Country.zone.name == 'x'", 16, "'Country' has no property 'zone'"),
    ("SUBQUERY(country.zones, $z, $z.lat > 1).@count > 1", 32, "'Zone' has no property 'lat'"),
    ("country.zones.@max.lat > 1", 20, "'Zone' has no property 'lat'"),
    ("latitude.x > 1", 10, "a path cannot continue from values of the type 'double'"),
    (
      "names.@keys.x == 'a'", 13,
      "a path cannot continue from values of the type '[string: string]'"
    ),
  ])
  func `an unknown name is shown where it is`(text: String, column: Int, reason: String) throws {
    let query = try QueryText(parsing: text)
    let error = #expect(throws: QueryTextError.self) {
      try query.checkNames(of: "Zone", in: StoreSchema(classes: [zone, country]))
    }
    #expect(error?.column == column)
    #expect(error?.reason == reason)
  }

  // Models name the objects that link to theirs, and queries of Realm use these names.
  @Test(arguments: [
    ("Country", "zonen.@count > 2", "Did you mean 'zones'?"),
    (
      "Country", "places.@count > 2",
      "The properties are 'name', 'zones'. The objects that link to it are '@links.Zone.country'."
    ),
    (
      "Zone", "SUBQUERY(owners, $x, $x.name == 'a').@count > 0",
      "The properties are 'latitude', 'country', 'names'. "
        + "The objects that link to it are '@links.Country.zones'."
    ),
  ])
  func `an unknown name shows how to name the objects that link here`(
    className: String, text: String, hint: String
  ) throws {
    let query = try QueryText(parsing: text)
    let error = #expect(throws: QueryTextError.self) {
      try query.checkNames(of: className, in: StoreSchema(classes: [zone, country]))
    }
    #expect(error?.hint == hint)
  }

  @Test(arguments: [
    "latitude > 1 AND country.name == names['de'] AND country.zones.names.@keys == 'x'",
    "@links.Country.zones.name == 'x' AND SELF == nil SORT(country.name)",
    "SUBQUERY(country.zones, $z, SUBQUERY($z.country.zones, $y, $y.latitude > 0).@count > 1"
      + " AND $z.latitude > 1).@count > 1",
    "country.zones.@max.latitude > country.zones.@count",
  ])
  func `known names are found`(text: String) throws {
    try QueryText(parsing: text).checkNames(of: "Zone", in: StoreSchema(classes: [zone, country]))
  }

  @Test func `an unknown class is an error`() throws {
    let query = try QueryText(parsing: "latitude > 1")
    let error = #expect(throws: QueryTextError.self) {
      try query.checkNames(of: "Zoo", in: StoreSchema(classes: [zone, country]))
    }
    #expect(error?.reason == "there is no class 'Zoo'")
  }
}

private let zone = ClassSchema(
  name: "Zone",
  properties: [
    PropertySchema(name: "latitude", type: .double),
    PropertySchema(name: "country", type: .link(to: "Country")), .map("names", .string),
  ])

private let country = ClassSchema(
  name: "Country",
  properties: [
    PropertySchema(name: "name", type: .string), .list("zones", .link(to: "Zone")),
  ])

private let mistakes: [(String, String, String)] = [
  ("latitude > AND x", "           ^", "expected a value after '>'"),
  ("latitude >", "          ^", "expected a value after '>'"),
  ("AND a == 1", "^", "expected a value at the beginning"),
  ("a", " ^", "expected an operator after 'a'"),
  ("a b == 1", "  ^", "'b' is not an operator"),
  ("a AND b == 1", "  ^", "expected an operator after 'a'"),
  ("a == 1 b", "       ^", "expected AND, OR, a stage or the end after '1'"),
  ("a == 1)", "      ^", "expected AND, OR, a stage or the end after '1'"),
  ("(a == 1", "       ^", "expected ')' after '1'"),
  ("a == 'x", "     ^", "this quote is never closed"),
  ("`a == 1", "^", "this quote is never closed"),
  ("a == $", "     ^", "expected a number or a name after '$'"),
  ("a == $0", "     ^", "there is no argument for '$0'"),
  ("a == %d", "     ^", "expected '%@'"),
  ("a == @", "     ^", "expected a name after '@'"),
  ("a == 5x", "      ^", "a number is followed directly by 'x'"),
  (
    "a == 9223372036854775808", "     ^",
    "the number '9223372036854775808' is too large for a 64-bit integer"
  ),
  (
    "a == -9223372036854775809", "     ^",
    "the number '-9223372036854775809' is too large for a 64-bit integer"
  ),
  ("a == 1e999", "     ^", "the number '1e999' is too large for a double"),
  ("a == 0x", "     ^", "expected digits after '0x'"),
  ("a == 2021-02-29", "     ^", "this date does not exist"),
  ("a == 2021-01-01T25:00", "     ^", "this date does not exist"),
  ("a == '\\q'", "      ^", "this escape sequence is not valid"),
  ("a == '\\uD800'", "      ^", "no character has this number"),
  ("a == B64'?'", "     ^", "the text is not in base 64"),
  ("a == uuid(x)", "          ^", "'x' is not a valid value of this type"),
  ("a == oid(12", "        ^", "this '(' has no matching ')'"),
  ("a ; 1", "  ^", "the character ';' has no meaning here"),
  ("a == 1 SORT(a UP)", "              ^", "expected ')' after 'a'"),
  ("SORT()", "     ^", "expected a path after '('"),
  ("LIMIT(-1)", "      ^", "expected a number of objects after '('"),
  (
    "SORT(a.@count)", "     ^",
    "expected a path to the values themselves, without a function such as '@count'"
  ),
  ("a ==[x] 'b'", "     ^", "'x' is not an option"),
  ("a IN 5", "     ^", "expected values in braces after 'IN'"),
  ("a IN {1, b}", "         ^", "expected a value after ','"),
  ("a BETWEEN {1}", "          ^", "a range has two values, but this has 1 value"),
  ("a BETWEEN 1 AND 2", "            ^", "expected '...' or '..<' after '1'"),
  ("1 TEXT 'a'", "^", "only a property can be searched for words"),
  ("a TEXT 5", "       ^", "the words to search for are not text"),
  ("a == (b == 1)", "     ^", "expected a value, not a condition"),
  ("a[1] == 1", "  ^", "the key of a map is not text"),
  ("a. == 1", "   ^", "expected a name after '.'"),
  ("@count > 1", "^", "expected a path before '@count'"),
  ("a.@sum.@max > 1", "       ^", "this path already has a function"),
  ("$x.a > 1", "^", "'$x' is not the object of the enclosing SUBQUERY"),
  (
    "SUBQUERY(a, $x, b > 1).@count > 1", "                ^",
    "a path in a SUBQUERY must begin at its object"
  ),
  ("SUBQUERY(a, $x, $x.b > 1) > 1", "                          ^", "expected '.@count' after ')'"),
]
