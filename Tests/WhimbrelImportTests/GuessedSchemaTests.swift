import Foundation
import Testing
import WhimbrelEngine
import WhimbrelImport
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// Schemas that are guessed from CSV and JSON, and what is loaded with them.
struct GuessedSchemaTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func file(_ text: String) throws -> ImportFile {
    let name = UUID().uuidString
    try Data(text.utf8).write(to: folder.url.appending(path: name))
    return try ImportFile(path: folder.path(name))
  }

  /// The type that a column of these fields is found to have.
  private func type(_ fields: [String]) throws -> String {
    let text = "it,other\n" + fields.map { "\($0),x\n" }.joined()
    let guess = try GuessedSchema(csv: file(text), class: "Row")
    let property = guess.schema.classes[0].properties[0]
    return "\(property.type)\(property.isOptional ? "?" : "")"
  }

  @Test(arguments: [
    (["1", "-2", "0"], "int"), (["1", "", "3"], "int?"), (["true", "false"], "bool"),
    (["true", "1"], "string"), (["1.5", "2", "-0.25"], "double"), (["1e3", "-0"], "double"),
    (["1.5", "nan", "inf"], "double"), (["nan", "inf"], "string"),
    // What is no number though it has digits only, and what a number would lose.
    (["00123", "1"], "string"), (["+5"], "string"), (["1,5"], "string"), (["1_000"], "string"),
    (["9223372036854775807", "-9223372036854775808"], "int"),
    (["9223372036854775808"], "string"), (["9007199254740993", "0.5"], "string"),
    (["9007199254740992", "0.5"], "double"), (["0.1234567890123456789"], "string"),
    (["1e999"], "string"), (["0x10"], "string"),
    (["2024-02-29", "2023-12-31"], "date"), (["2023-02-29"], "string"),
    (["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.250Z"], "date"),
    (["2024-02-29T12:00Z"], "date"), (["2024-02-29T12:00:00+00:00"], "date"),
    // A zone, and digits that a date has no place for.
    (["2024-02-29T12:00:00+02:00"], "string"), (["2024-02-29T12:00:00"], "string"),
    (["2024-02-29T12:00:00.123456789012Z"], "string"),
    // A day is not a time.
    (["2024-02-29", "2024-02-29T12:00:00Z"], "string"), (["31.12.2024"], "string"),
    (["0D2A5D0C-9B7E-4B57-9E0D-1F7E3B5A6C01"], "uuid"),
    (["0D2A5D0C-9B7E-4B57-9E0D-1F7E3B5A6C01", "x"], "string"), (["", ""], "string?"),
    (["\"\"", "1"], "string"), (["null", "1"], "string"),
  ])
  func `a column has the narrowest type that loses nothing`(
    fields: [String], expected: String
  ) throws {
    let quoted = fields.map { $0.contains(",") ? "\"\($0)\"" : $0 }
    #expect(try type(quoted) == expected, "\(fields)")
  }

  @Test func `what is loaded comes out again`() throws {
    let text = #"""
      id,name,population,area,capital,founded,zip
      1,Bern,134591,51.62,true,1191-05-01,03000
      2,"Genève, ""GE""",203856,15.93,false,,01200
      3,,,0.1,false,1291-08-01,x

      """#
    let source = try file(text)
    let guess = try GuessedSchema(csv: source, class: "City", key: "id")
    #expect(
      guess.text == """
        property         type              missing  because
        City.id          int, primary key        0
        City.name        string?                 1  "Bern" in line 2
        City.population  int?                    1
        City.area        double                  0
        City.capital     bool                    0
        City.founded     date?                   1
        City.zip         string                  0  "03000" in line 2

        """)
    let path = folder.path("a.whimbrel")
    #expect(try CSVImport(source, guess, into: path).run().text == "City: 3 added\n")
    var csv: [UInt8] = []
    try ObjectTable(ObjectSelection("City"), of: StoreInspector(path: path))
      .writeCSV { csv += $0 }
    let expected = text.replacing("1191-05-01", with: "1191-05-01T00:00:00Z")
      .replacing("1291-08-01", with: "1291-08-01T00:00:00Z")
    #expect(String(decoding: csv, as: UTF8.self) == expected)
    #expect(try StoreCheck(path: path).run().isSound)
  }

  @Test func `columns whose names no property has get others`() throws {
    let long = String(repeating: "x", count: 100)
    let source = try file("_$a,\(long),a\n1,2,3\n")
    let guess = try GuessedSchema(csv: source, class: "Row")
    let names = guess.schema.classes[0].properties.map(\.name)
    #expect(names[0] == "a")
    #expect(names[1] == String(repeating: "x", count: 55))
    #expect(names[2] == "a_2")
    #expect(guess.notes.count == 3)
    let path = folder.path("a.whimbrel")
    try CSVImport(source, guess, into: path).run()
    #expect(try dump(path).contains(#""a":1,"#))
  }

  @Test(arguments: [
    ("a,a\n1,2\n", nil, "two columns have the name 'a'"), ("a,\n1,2\n", nil, "has no name"),
    ("", nil, "it is empty"),
    ("a,b\n1\n", nil, "line 2: the row has 1 field, but the header has 2"),
    ("a,b\n1,2\n", "c", "no such column"), ("a,b\n1,2\n,3\n", "a", "in 1 row of"),
    ("a,b\n1.5,2\n", "a", "which cannot be a primary key"), ("a,b\n1,\"2\n", nil, "not closed"),
  ])
  func `what cannot be guessed is an error`(
    text: String, key: String?, message: String
  ) throws {
    let source = try file(text)
    let error = #expect(throws: InspectionError.self) {
      try GuessedSchema(csv: source, class: "Row", key: key)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  // The error said to correct the schema, and did not name a column.
  @Test func `a column cannot be renamed to the property of another column`() throws {
    let source = try file("a,b\n1,2\n")
    for properties in [["a": "b"], ["b": "a"], ["a": "c", "b": "c"]] {
      var options = CSVImport.Options()
      options.properties = properties
      let error = #expect(throws: InspectionError.self) {
        try GuessedSchema(csv: source, class: "Row", options)
      }
      let name = properties["b"] ?? "b"
      #expect(error?.message.hasSuffix("line 1, column 3: '\(name)' occurs twice.") == true)
    }
  }

  // The hint named each of 3,000 columns.
  @Test func `a hint names 20 columns and counts the others`() throws {
    let columns = (1...23).map { "c\($0)" }
    let text = columns.joined(separator: ",") + "\n" + columns.joined(separator: ",") + "\n"
    let source = try file(text)
    let error = #expect(throws: InspectionError.self) {
      try GuessedSchema(csv: source, class: "Row", key: "identifier")
    }
    let names = columns.prefix(20).map { "'\($0)'" }.joined(separator: ", ")
    #expect(error?.recovery == "The names are \(names) and 3 more.")
  }

  @Test func `a key that is there twice fails and leaves nothing`() throws {
    let source = try file("id,b\n1,2\n1,3\n")
    let guess = try GuessedSchema(csv: source, class: "Row", key: "id")
    let error = #expect(throws: InspectionError.self) {
      try CSVImport(source, guess, into: folder.path("a.whimbrel")).run()
    }
    #expect(error?.line == 3)
    #expect(try folder.names().count == 1)
  }
}

// MARK: - JSON

extension GuessedSchemaTests {
  /// The type of the member `it` of objects that have these values.
  private func jsonType(_ values: [String]) throws -> String {
    let text = values.map { $0.isEmpty ? "{}\n" : "{\"it\":\($0)}\n" }.joined()
    let guess = try GuessedSchema(json: file(text), class: "Row")
    let property = guess.schema.classes.first { $0.name == "Row" }?.properties[0]
    let isOptional = property?.isOptional == true && property?.type.linkTarget == nil
    return property.map { "\($0.type)\(isOptional ? "?" : "")" } ?? ""
  }

  @Test(arguments: [
    (["1", "2"], "int"), (["1", "null"], "int?"), (["1", ""], "int?"), (["1", "2.5"], "double"),
    (["\"1\""], "string"), (["\"1\"", "1"], "any"), (["true"], "bool"),
    (["9223372036854775808"], "decimal"), (["9007199254740993", "0.5"], "decimal"),
    (["0.12345678901234567890"], "decimal"), (["1e999"], "string"), (["1e300", "2"], "double"),
    (["\"2024-02-29T12:00:00Z\""], "date"), (["\"x\"", "\"2024-02-29\""], "string"),
    (["[1,2]", "[]"], "[int]"), (["[1,null]"], "[int?]"), (["[1,\"a\"]"], "[any]"),
    (["[[1],[2]]"], "[any]"), (["{\"a\":1}"], "<RowIt>"), (["[{\"a\":1},{\"b\":2}]"], "[<RowIt>]"),
    (["{}"], "[string: any]"), (["null"], "any"), (["[]"], "[any]"), (["{\"a\":1}", "5"], "any"),
    (["[{\"a\":1},null]"], "[any]"),
  ])
  func `a member has the narrowest type that loses nothing`(
    values: [String], expected: String
  ) throws {
    #expect(try jsonType(values) == expected, "\(values)")
    let path = folder.path("\(UUID().uuidString).whimbrel")
    let text = values.map { $0.isEmpty ? "{}\n" : "{\"it\":\($0)}\n" }.joined()
    let source = try file(text)
    let guess = try GuessedSchema(json: source, class: "Row")
    try JSONImport(source, class: "Row", into: path, .newStore(guess.schema)).run(guess)
    #expect(try StoreCheck(path: path).run().isSound)
  }

  @Test func `many different names are those of a map`() throws {
    let members = (0...100).map { "\"key \($0)\":\($0)" }.joined(separator: ",")
    #expect(try jsonType(["{\(members)}"]) == "[string: int]")
  }

  @Test func `nested objects are embedded`() throws {
    let source = try file(
      """
      [
        {"id": "a", "mayor": {"name": "Ann", "since": "2020-01-01"}, "tags": ["x", "y"],
          "districts": [{"name": "North", "zip": 12}, {"name": "South"}]},
        {"id": "b", "mayor": null, "tags": [], "note": {"any": [1, "x", {"y": null}]}}
      ]
      """)
    let guess = try GuessedSchema(json: source, class: "City", key: "id")
    #expect(guess.schema.classes.map(\.name) == ["City", "CityDistricts", "CityMayor", "CityNote"])
    #expect(
      guess.notes == ["'City.districts' is a collection. It is empty where it is missing or null."]
    )
    let path = folder.path("a.whimbrel")
    let summary = try JSONImport(source, class: "City", into: path, .newStore(guess.schema))
      .run(guess)
    #expect(summary.text.hasPrefix("City: 2 added\n"))
    let inspector = try StoreInspector(path: path)
    let view = try inspector.view(of: "a", class: "City", depth: 1).text()
    #expect(view.contains("Ann"))
    #expect(view.contains("South"))
    #expect(try StoreCheck(path: path).run().isSound)
  }

  @Test(arguments: [
    ("[1]", "line 1: expected an object"), ("{\"a\":1}\n{\"a\":}", "line 2"),
    ("", "it contains no objects"), ("{\"a\":1,\"a\":2}", "'a' occurs twice"),
    ("[{}", "expected"),
    ("{\"a\":1}]", "line 1: expected a value, but found ']'"),
    ("[{\"a\":1},\n]", "line 2: expected a value, but found ']'"),
    ("[{\"a\":1},,{\"a\":2}]", "line 1: expected a value, but found ','"),
    ("[{\"a\":1},\n{\"a\":", "line 2: the input ends inside a value"),
  ])
  func `what is no JSON of objects is an error`(text: String, message: String) throws {
    let source = try file(text)
    let error = #expect(throws: InspectionError.self) {
      try GuessedSchema(json: source, class: "Row")
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test func `JSON is merged into a store, and links are primary keys`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let source = try file(
      #"{"identifier": "Europe/Oslo", "latitude": 59.9, "area": "europe", "country": "AD"}"#)
    let summary = try JSONImport(source, class: "Zone", into: path, .merge(.update)).run()
    #expect(summary.text == "Zone: 1 added\n")
    let wrong = try file(
      "\n" + #"{"identifier": "Europe/Rome", "latitude": 1, "area": "europe", "country": "XX"}"#)
    let error = #expect(throws: InspectionError.self) {
      try JSONImport(wrong, class: "Zone", into: path, .merge(.update)).run()
    }
    #expect(error?.line == 2)
    #expect(error?.message.contains("'XX'") == true)
  }

  /// The error was "line 1: the number is too large", for any value of any object of an array.
  @Test(arguments: [
    (#""latitude": 1e999"#, "1e999 is too large, in 'Zone.latitude'"),
    (#""latitude": 0.01e-400"#, "0.01e-400 would be rounded to 0.0, in 'Zone.latitude'"),
    (#""latitude": "north""#, "this is not a number, in 'Zone.latitude'"),
    (#""latitude": null"#, "it is required, but the value is null, in 'Zone.latitude'"),
    (#""area": true"#, "it holds 'string', but the value is true or false, in 'Zone.area'"),
    (
      #""country": "XX""#,
      "it links to object 'XX' of class 'Country', which does not exist, in 'Zone.country'"
    ),
  ])
  func `an error of a value names the object and the property`(
    value: String, reason: String
  ) throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let source = try file(#"[{"identifier": "Europe/Oslo", \#(value)}]"#)
    let error = #expect(throws: InspectionError.self) {
      try JSONImport(source, class: "Zone", into: path, .merge(.update)).run()
    }
    #expect(error?.message.hasSuffix("line 1, Zone 'Europe/Oslo': \(reason).") == true)
  }

  /// The object ID of a dump was taken as it stood, so the store got a link that leads nowhere.
  @Test func `a link by object ID is an error`() throws {
    let path = folder.path("a.whimbrel")
    try Sample.make(at: path)
    let source = try file(
      #"{"identifier": "Europe/Oslo", "latitude": 1, "area": "europe", "country": {"link": 99}}"#)
    let error = #expect(throws: InspectionError.self) {
      try JSONImport(source, class: "Zone", into: path, .merge(.update)).run()
    }
    #expect(error?.line == 1)
    #expect(error?.message.contains("is the primary key of its target") == true)
    #expect(try StoreCheck(path: path).run().isSound)
  }
}
