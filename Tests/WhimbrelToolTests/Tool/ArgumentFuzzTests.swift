import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// `load --from csv` with a schema that was not there ended the tool with a signal. So every verb is
/// given what it cannot use, in place of each of its arguments.
struct ArgumentFuzzTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    try Sample.make(at: folder.path("b.whimbrel"))
    let text = try dump(folder.path("a.whimbrel"))
    try write(text, "a.jsonl")
    try write(String(text.dropLast(40)), "cut.jsonl")
    try write("identifier,latitude\nx,1\n", "a.csv")
    try write("{", "broken.json")
    try write("[1,2]", "array.json")
    try write("", "empty")
    try write("\u{0}\u{FFFE}", "odd\u{1B}[31m name")
    try write(String(repeating: "[", count: 100_000), "deep.json")
    try Data((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      .write(to: folder.url.appending(path: "noise"))
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "folder"), withIntermediateDirectories: true)
    try write("secret", "unreadable")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.path("unreadable"))
    unsafe symlink("nowhere", folder.path("dangling"))
    unsafe symlink("loop", folder.path("loop"))
    var damaged = try #require(folder.contents("a.whimbrel"))
    for offset in stride(from: 8_192, to: damaged.count, by: 97) { damaged[offset] ^= 0x55 }
    try damaged.write(to: folder.url.appending(path: "damaged.whimbrel"))
    let schema = try ToolRun(["schema", "a.whimbrel", "--json"], in: folder).output
    try write(schema, "schema.json")
  }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: folder.url.appending(path: name))
  }

  /// What the verbs are given that is wrong.
  private static let bad = [
    "missing", "broken.json", "array.json", "folder", "unreadable", "empty", "noise", "dangling",
    "loop", "deep.json", "cut.jsonl", "damaged.whimbrel", "a.csv", "a.jsonl", "a.whimbrel",
    "/dev/null",
    "missing/deeper", "", " ", "-", "--", "-1", "9223372036854775808", "1e400", "nan", "null", "#1",
    "id:", "id:99999999999999999999", "{", "{\"a\":", "[[[", "Zone", "Zone where", "Zone where ((",
    "=",
    "latitude=", "=1", "a=b=c", "latitude=null", "country={\"key\":1}", "Zone.", ".x", "..", "%s%n",
    "odd\u{1B}[31m name", "é\u{301}\u{202E}", String(repeating: "x", count: 5_000),
  ]

  /// Command lines that work, one or more for each verb.
  private static let good: [[String]] = [
    ["info", "a.whimbrel"], ["info", "a.whimbrel", "--json"], ["schema", "a.whimbrel"],
    ["schema", "a.whimbrel", "schema.json"], ["schema", "schema.json", "--swift"],
    ["ls", "a.whimbrel", "Zone"], ["ls", "a.whimbrel", "Zone", "--limit", "1"],
    ["ls", "a.whimbrel", "Zone", "--columns", "identifier"],
    ["show", "a.whimbrel", "Zone", "Europe/Andorra", "--depth", "1"],
    ["query", "a.whimbrel", "Zone where latitude > 1"],
    ["query", "a.whimbrel", "Zone", "--max", "latitude"], ["dump", "a.whimbrel"],
    ["dump", "a.whimbrel", "--csv", "Zone"], ["log", "a.whimbrel"],
    ["diff", "a.whimbrel", "b.whimbrel"], ["diff", "a.whimbrel", "b.whimbrel", "--class", "Zone"],
    ["plan", "a.whimbrel", "schema.json", "--check"], ["check", "a.whimbrel"],
    ["coverage", "a.whimbrel"], ["load", "a.jsonl", "new.whimbrel"],
    ["load", "a.jsonl", "b.whimbrel", "--merge", "update", "--dry-run"],
    [
      "load", "--from", "csv", "a.csv", "new.whimbrel", "--class", "Zone", "--schema",
      "schema.json",
    ],
    [
      "load", "--from", "csv", "a.csv", "b.whimbrel", "--class", "Zone", "--merge", "keep",
      "--dry-run",
    ],
    ["load", "--from", "realm", "broken.json", "new.whimbrel", "--schema", "schema.json"],
    ["load", "--from", "realm", "broken.json", "new.whimbrel", "--primary-key", "A.b"],
    ["prune", "a.whimbrel", "new.whimbrel"],
    ["prune", "a.whimbrel", "--dry-run", "--per-class", "2", "--max-objects", "9"],
    ["prune", "a.whimbrel", "--dry-run", "--keep", "Zone", "--drop", "Zone.comments"],
    ["anonymize", "a.whimbrel", "new.whimbrel"], ["compact", "a.whimbrel", "new.whimbrel"],
    ["salvage", "damaged.whimbrel", "new.whimbrel"],
    ["salvage", "damaged.whimbrel", "new.whimbrel", "--schema-from", "a.whimbrel"],
    ["set", "a.whimbrel", "Zone", "Europe/Andorra", "latitude=1"],
    ["set", "a.whimbrel", "Zone", "--where", "latitude > 1", "latitude=1"],
    ["add", "a.whimbrel", "Country", "code=X", "name=Y"], ["add", "a.whimbrel", "Country", "{}"],
    ["rm", "a.whimbrel", "Country", "AD"], ["completions", "bash"], ["help", "ls"],
    ["stats", "a.whimbrel"], ["stats", "a.whimbrel", "Zone"],
    ["export", "a.whimbrel", "--sqlite", "new.whimbrel"], ["migrate", "a.whimbrel", "schema.json"],
    ["query", "a.whimbrel", "Zone", "--group-by", "area"],
    ["load", "--from", "csv", "a.csv", "new.whimbrel"],
    ["load", "--from", "json", "a.jsonl", "new.whimbrel"],
    // With a port that exists, it would go on until it is stopped.
    ["studio", "a.whimbrel", "--app-schema", "schema.json", "--port", "70000"],
  ]

  /// The codes that the help names.
  private static let codes: Set<Int32> = [0, 1, 2, 64]

  @Test func `every verb is among the command lines`() {
    let given = Set(Self.good.map { $0[0] })
    #expect(ToolVerbs.all.filter { !given.contains($0) } == [])
  }

  @Test(.takesLong, arguments: good)
  func `a verb ends with an exit code of its own, whatever it is given`(arguments: [String]) throws
  {
    var generator = SeededGenerator(seed: UInt64(arguments.joined().utf8.count))
    for position in arguments.indices.dropFirst() {
      // A twelfth of them, others for each command line; all of them with WHIMBREL_LONG.
      for text in Self.bad where TestRun.isLong || generator.next() % 12 == 0 {
        var arguments = arguments
        arguments[position] = text
        try expectOrderlyEnd(arguments)
      }
      var fewer = arguments
      fewer.remove(at: position)
      try expectOrderlyEnd(fewer)
    }
  }

  private func expectOrderlyEnd(_ arguments: [String]) throws {
    let run = try ToolRun(arguments, in: folder)
    #expect(Self.codes.contains(run.exitCode), "\(arguments): \(run.exitCode) \(run.errors)")
    #expect(!run.errors.contains("Fatal error"), "\(arguments): \(run.errors)")
    if run.exitCode == 1 || run.exitCode == 64 {
      #expect(!(run.errors + run.output).isEmpty, "\(arguments) says nothing")
    }
    #expect(!(run.errors + run.output).contains("\u{1B}[31m"), "\(arguments)")
    for name in ["new.whimbrel", "new.whimbrel-lock"] {
      try? FileManager.default.removeItem(atPath: folder.path(name))
    }
  }

  @Test(arguments: [
    "missing.json", "broken.json", "array.json", "folder", "unreadable", "/dev/null",
  ])
  func `CSV is not loaded into a new store whose schema cannot be read`(schema: String) throws {
    let run = try ToolRun(
      [
        "load", "--from", "csv", "a.csv", "new.whimbrel", "--class", "Zone", "--schema", schema,
      ], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.errors.hasPrefix("Error: Could not "), "\(run.errors)")
    #expect(run.errors.contains("\nHint: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.whimbrel")))
  }
}
