import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct VerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  /// Runs the tool and expects success, silence on standard error, and the store
  /// as it was.
  private func run(
    _ arguments: [String], input: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let before = folder.contents("a.whimbrel")
    let run = try ToolRun(arguments, input: input, in: folder)
    #expect(run.exitCode == 0, sourceLocation: sourceLocation)
    #expect(run.errors == "", sourceLocation: sourceLocation)
    #expect(folder.contents("a.whimbrel") == before, sourceLocation: sourceLocation)
    return run.output
  }

  @Test func `info shows what a store is`() throws {
    let description = try StoreInspector(path: folder.path("a.whimbrel")).description()
    let size = description.fileSize
    let pages = (description.usedPages, description.freePages)
    #expect(
      try run(["info", "a.whimbrel"]) == """
        a.whimbrel
          format version  \(description.formatVersion)
          schema version  4
          UUID            01020304-0506-0708-090A-0B0C0D0E0F10
          created         2026-01-01T00:00:00Z
          last writer     Whimbrel \(StoreInspector.libraryVersion)
          file size       \(size) bytes; \(pages.0) pages of 4096 bytes used, \(pages.1) free

        class    objects  bytes  layouts  properties  primary key
        Country        1   8192        1           2  code
        Zone           2  16384        1           5  identifier

        """)
    #expect(pages.0 > 8)
    #expect((pages.0 + pages.1) * 4_096 <= size)
  }

  @Test func `info as JSON reads back`() throws {
    let text = try run(["info", "a.whimbrel", "--json"])
    let description = try StoreDescription(json: Data(text.utf8))
    #expect(description.path == "a.whimbrel")
    #expect(description.classes.map(\.name) == ["Country", "Zone"])
    #expect(description.classes.map(\.objects) == [1, 2])
    #expect(description.created == Date(timeIntervalSinceReferenceDate: 788_918_400))
    #expect(text.contains(#""created" : "2026-01-01T00:00:00Z""#))
    #expect(try String(decoding: description.json(), as: UTF8.self) + "\n" == text)
  }

  @Test func `schema shows classes and properties`() throws {
    #expect(
      try run(["schema", "a.whimbrel"]) == """
        schema version 4

        class Country
          code  string  primary key
          name  string

        class Zone
          identifier  string     primary key
          latitude    double
          country     <Country>
          area        string     indexed, one of europe, asia
          comments    string     default ""

        """)
  }

  @Test func `schema as JSON is the export format`() throws {
    let text = try run(["schema", "a.whimbrel", "--json"])
    let schema = try SchemaExport(json: Data(text.utf8))
    #expect(schema.schemaVersion == 4)
    #expect(schema.classes.map(\.name) == ["Country", "Zone"])
    #expect(schema.classes[1].properties == Sample.zone.properties)
    #expect(
      text.hasPrefix(
        """
        {
          "classes" : [
            {
              "name" : "Country",
              "properties" : [
                {
                  "name" : "code",
                  "primaryKey" : true,
                  "type" : "string"
                },

        """))
  }

  @Test func `dump writes what the library writes`() throws {
    let expected = try dump(folder.path("a.whimbrel"))
    #expect(try run(["dump", "a.whimbrel"]) == expected)
    #expect(try run(["dump", "--json", "a.whimbrel"]) == expected)
  }

  @Test func `load makes the store again, from a file and from standard input`() throws {
    let text = try run(["dump", "a.whimbrel"])
    try Data(text.utf8).write(to: folder.url.appending(path: "a.jsonl"))
    #expect(try run(["load", "a.jsonl", "b.whimbrel"]) == "")
    #expect(try run(["load", "-", "c.whimbrel"], input: text) == "")
    #expect(
      try folder.names() == [
        "a.jsonl", "a.whimbrel", "a.whimbrel-lock", "b.whimbrel", "c.whimbrel",
      ])
    #expect(try run(["dump", "b.whimbrel"]) == text)
    #expect(try run(["dump", "c.whimbrel"]) == text)
  }

  @Test func `a pipe that is closed is success`() throws {
    for verb in ["info", "schema", "log", "dump", "--help"] {
      let arguments = verb == "--help" ? verb : "\(verb) a.whimbrel"
      // The shell without 'pipefail' has no way to see the tool's own code.
      let script = "{ \"$whimbrel\" \(arguments); echo $? > code; } | true; cat code"
      let result = try shell(script, in: folder)
      #expect(result.output == "0\n")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "only Linux has it"))
  func `output that cannot be written is an error`() throws {
    let result = try shell("\"$whimbrel\" dump a.whimbrel > /dev/full", in: folder)
    #expect(result.exitCode == 1)
    #expect(
      result.output == """
        Error: Could not write to 'standard output': no space left on device.
        Hint: Free some space and try again.

        """)
  }

  @Test func `a name with control characters does not reach the terminal`() throws {
    #expect(PlainText.escaped("a\u{1B}[31m\u{202E}b") == #"a\u{1B}[31m\u{202E}b"#)
    let run = try ToolRun(["info", "no\u{1B}[31m"], in: folder)
    #expect(!run.errors.contains("\u{1B}"))
  }
}
