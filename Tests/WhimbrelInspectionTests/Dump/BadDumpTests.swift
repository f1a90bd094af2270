import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct BadDumpTests {
  let folder: TestFolder
  let lines: [String]

  init() throws {
    folder = try TestFolder()
    let scratch = try TestFolder()
    try Sample.make(at: scratch.path("a.whimbrel"))
    lines = try dump(scratch.path("a.whimbrel")).split(separator: "\n").map(String.init)
  }

  /// Loads lines and returns what was thrown; nothing may be left of it.
  private func failure(_ lines: [String]) throws -> InspectionError? {
    do {
      try load(lines.joined(separator: "\n"), into: folder.path("b.whimbrel"))
    } catch let error as InspectionError {
      #expect(try folder.names() == [])
      return error
    }
    return nil
  }

  @Test func `each line cut at each byte is an error that names the line`() throws {
    for (index, line) in lines.enumerated() {
      for length in 0..<line.utf8.count {
        var cut = lines
        cut[index] = String(decoding: Array(line.utf8).prefix(length), as: UTF8.self)
        let error = try #require(try failure(cut), "line \(index + 1) cut to \(length) bytes")
        // An empty line of an object counts as none.
        if length > 0 { #expect(error.line == index + 1) }
        // Without the country, the link to it is wrong before the end is reached.
        if length == 0, index > 0 {
          #expect(error.code == (line.contains(#""class":"Country""#) ? .badDump : .incompleteDump))
        }
      }
    }
  }

  @Test func `a dump cut between lines is an error`() throws {
    for count in 0..<lines.count {
      #expect(try failure(Array(lines.prefix(count))) != nil)
    }
  }

  @Test(arguments: seeds(150, long: 3_000))
  func `a dump with a changed byte is an error or a whole store`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = Array(lines.joined(separator: "\n").utf8)
    let place = Int.random(in: 0..<bytes.count, using: &random)
    bytes[place] = Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : 0x22
    let path = folder.path("b.whimbrel")
    do {
      try StoreLoad(.data(Data(bytes)), into: path).run()
    } catch is InspectionError {
      #expect(try folder.names() == [])
      return
    }
    #expect(try integrityFindings(path) == [])
    try expectRoundTrip(of: path, in: folder)
  }

  /// Lines that are wrong: what replaces which text, where the error is, and what
  /// it says.
  static let mistakes: [(line: Int, old: String, new: String, column: Int?, reason: String)] = [
    (1, #""dump""#, #""store""#, 1, #"the first line does not begin with {"whimbrel":"dump""#),
    (
      1, #""version":2"#, #""version":3"#, 1,
      "its version is 3, but this version of Whimbrel reads dumps up to version 2"
    ),
    (1, #""version":2"#, #""version":0"#, 1, "dumps have no version 0"),
    (1, #""history":[]"#, #""histery":[]"#, 665, "unknown member 'histery' in the header"),
    (1, #""type":"double""#, #""type":"number""#, 1, "'number' is not the type of a property"),
    (
      1, #""primaryKey":true"#, #""primarykey":true"#, 1,
      "the key 'primarykey' is unknown (perhaps 'primaryKey' is meant)"
    ),
    (1, #""type":"<Country>""#, #""type":"<County>""#, nil, "links to class 'County'"),
    (1, #""class":"Zone","#, #""class":"Zones","#, 1, "'objectIDs' has the class 'Zones'"),
    (
      1, #"{"class":"Zone","#, #"{"areKeys":true,"class":"Zone","#, 1,
      "the class has no integer primary key"
    ),
    (
      1, #""created":"2026-01-01T00:00:00Z""#, #""created":"2026-02-30T00:00:00Z""#, 1,
      "This is not a date"
    ),
    (2, #""Country""#, #""County""#, 10, "the first line does not declare this class"),
    (2, #""id":1"#, #""id":-1"#, 25, "'id' must be a whole number"),
    (2, #""id":1"#, #""id":1.5"#, 25, "'id' must be a whole number"),
    (2, #""name":"Andorra""#, #""nome":"Andorra""#, 36, "'name' is required and has no value"),
    (
      2, #","name":"Andorra""#, #","name":"x","size":4"#, 60,
      "class 'Country' has no property 'size'"
    ),
    (2, #","name":"Andorra""#, #","name":"x","name":"y""#, nil, "'name' occurs twice"),
    (2, #""Andorra""#, "4", 56, "it holds 'string', but the value is a number, in 'Country.name'"),
    (2, #""Andorra""#, "null", 56, "it is required, but the value is null, in 'Country.name'"),
    (2, #""Andorra""#, #""\ud800""#, 59, "half of a surrogate pair is not valid text"),
    (2, #""class":"Country","#, "", 1, "'class' is missing"),
    (2, #"}}"#, #"}} x"#, 68, "unexpected text after the end of the value"),
    (3, "42.5", "1e999", nil, "1e999 is too large, in 'Zone.latitude'"),
    (
      3, "42.5", "9007199254740993", nil,
      "9007199254740993 would be rounded to 9007199254740992.0"
    ),
    // It was loaded as 0.
    (3, "42.5", "-1E-400", nil, "-1E-400 would be rounded to -0.0, in 'Zone.latitude'"),
    (3, "42.5", "042.5", nil, "a number must not have a leading zero"),
    (
      3, #"{"key":"AD"}"#, #"{"key":"AE"}"#, nil,
      "no object of 'Country' has the primary key 'AE'"
    ),
    (
      3, #"{"key":"AD"}"#, #"{"link":2}"#, nil,
      "'country' of object 'Europe/Andorra' of class 'Zone' leads to object 2 of class 'Country'"
    ),
    (3, #"{"key":"AD"}"#, "1", nil, "it holds '<Country>', but the value is a number"),
    (3, #"{"key":"AD"}"#, #"{"lonk":1}"#, nil, "write a link as"),
    (4, #""id":2"#, #""id":1"#, 22, "object 1 of 'Zone' occurs twice"),
    (
      4, "Asia/Kathmandu", "Europe/Andorra", nil,
      "another object of 'Zone' has the same primary key"
    ),
  ]

  @Test(arguments: mistakes)
  func `a mistake is told with its line and column`(
    line: Int, old: String, new: String, column: Int?, reason: String
  ) throws {
    var wrong = lines
    try #require(wrong[line - 1].contains(old))
    wrong[line - 1] = wrong[line - 1].replacing(old, with: new, maxReplacements: 1)
    let error = try #require(try failure(wrong))
    #expect(error.code == .badDump)
    #expect(error.line == line)
    #expect(error.message.contains(reason), "\(error.message)")
    if let column { #expect(error.column == column) }
  }

  // The header of the second was taken for an unconverted object of an online migration.
  @Test func `two dumps in one file are an error at the second`() throws {
    let error = try #require(try failure(lines + lines))
    #expect(error.message.contains("another dump begins here"))
    #expect(error.line == lines.count + 1)
  }

  @Test func `an existing file is not touched`() throws {
    let path = folder.path("b.whimbrel")
    try Data("mine".utf8).write(to: URL(filePath: path))
    #expect(throws: InspectionError.fileExists(path, "load a dump into")) {
      try load(lines.joined(separator: "\n"), into: path)
    }
    #expect(folder.contents("b.whimbrel") == Data("mine".utf8))
    #expect(try folder.names() == ["b.whimbrel"])
  }

  @Test func `lines may stand in any order and be counted by nobody`() throws {
    var shuffled = lines
    shuffled[0].replace(#","objects":1"#, with: "")
    shuffled[0].replace(#","objects":2"#, with: "")
    shuffled = [shuffled[0], shuffled[3], "", shuffled[2], shuffled[1], ""]
    try load(shuffled.joined(separator: "\r\n"), into: folder.path("b.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == lines.joined(separator: "\n") + "\n")
  }

  @Test func `a value that is left out is the default`() throws {
    var short = lines
    short[3].replace(#","comments":"a \"b\"""#, with: "")
    short[3].replace(#""country":null,"#, with: "")
    try load(short.joined(separator: "\n"), into: folder.path("b.whimbrel"))
    let text = try dump(folder.path("b.whimbrel"))
    #expect(text.contains(#""country":null,"area":"asia","comments":"""#))
  }

  @Test func `an ID that an object has is not given out again, whatever the first line says`()
    throws
  {
    var wrong = lines
    wrong[0].replace(#""class":"Zone","next":3"#, with: #""class":"Zone","next":1"#)
    try #require(wrong[0] != lines[0])
    try load(wrong.joined(separator: "\n"), into: folder.path("b.whimbrel"))
    #expect(try dump(folder.path("b.whimbrel")) == lines.joined(separator: "\n") + "\n")
  }
}
