import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// Verbs whose process is killed half way. What they leave goes with the next run.
@Suite(.serialized) struct KilledVerbTests {
  private static let item = ClassSchema(
    name: "Item",
    properties: [
      PropertySchema(name: "number", type: .int, isPrimaryKey: true),
      PropertySchema(name: "text", type: .string, isIndexed: true),
    ])
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try makeStore(at: folder.path("a.whimbrel"), [Self.item]) { session in
      let items = try session.table("Item")
      for number in 0..<4_000 {
        _ = try items.create(
          ["number": .int(Int64(number)), "text": .string("text \(number * 7_919 % 4_000)")],
          replacing: false)
      }
    }
    _ = try folder.run("dump", "a.whimbrel", "--output", "a.jsonl")
  }

  struct Verb: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let output: String?

    init(_ arguments: String..., output: String? = nil) {
      self.arguments = arguments
      self.output = output
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let inPlace = [
    Verb("compact", "a.whimbrel", "--in-place"),
    Verb("prune", "a.whimbrel", "--in-place", "--per-class", "3000"),
  ]
  private static let verbs =
    inPlace + [
      Verb("compact", "a.whimbrel", "b.whimbrel", output: "b.whimbrel"),
      Verb("prune", "a.whimbrel", "b.whimbrel", "--per-class", "3000", output: "b.whimbrel"),
      Verb("load", "a.jsonl", "b.whimbrel", output: "b.whimbrel"),
      Verb("salvage", "a.whimbrel", "b.whimbrel", output: "b.whimbrel"),
      Verb("dump", "a.whimbrel", "--output", "b.jsonl", output: "b.jsonl"),
      Verb("dump", "a.whimbrel", "--folder", "b", output: "b"),
      Verb("diff", "a.whimbrel", "a.jsonl"),
    ]

  /// Starts the tool, and returns it when it has made a temporary file.
  private func start(_ verb: Verb) throws -> Process {
    let process = Process()
    process.executableURL = ToolRun.executable
    process.arguments = verb.arguments
    process.currentDirectoryURL = folder.url
    process.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.url.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, try temporaryNames().isEmpty { usleep(100) }
    return process
  }

  private func temporaryNames() throws -> [String] {
    try folder.names().filter { name in
      [".new-", ".old-", ".salvage-", ".spool-"].contains { name.contains($0) }
    }
  }

  /// Starts a verb and kills it when it has made a temporary file. On a busy machine the verb may be
  /// done before that, so it is tried again.
  private func kill(_ verb: Verb) throws {
    for _ in 0..<100 {
      let process = try start(verb)
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if process.terminationReason == .uncaughtSignal, try !temporaryNames().isEmpty { return }
      if let output = verb.output {
        try? FileManager.default.removeItem(atPath: folder.path(output))
      }
    }
    Issue.record("\(verb): it was always done already")
  }

  private func run(_ verb: Verb) throws {
    let process = try start(verb)
    process.waitUntilExit()
    #expect(process.terminationStatus <= 1, "\(verb)")
  }

  private func expectNoLeftovers(_ verb: Verb) throws {
    let own = [
      "a.whimbrel", "a.whimbrel-lock", "a.jsonl", verb.output, verb.output.map { $0 + "-lock" },
    ]
    #expect(Set(try folder.names()).subtracting(own.compactMap { $0 }) == [], "\(verb)")
  }

  @Test(.takesLong, arguments: verbs)
  func `the next run of the verb removes what a killed one left`(
    _ verb: Verb
  ) throws {
    try kill(verb)
    try run(verb)
    try expectNoLeftovers(verb)
  }

  @Test(arguments: inPlace) func `opening the store removes what a killed verb left`(
    _ verb: Verb
  ) throws {
    try kill(verb)
    // Reading removes nothing.
    let before = try temporaryNames()
    _ = try folder.run("info", "a.whimbrel")
    #expect(try temporaryNames() == before)
    try makeStore(at: folder.path("a.whimbrel"), [Self.item])
    try expectNoLeftovers(verb)
  }

  @Test(arguments: inPlace) func `a change removes what a killed verb left`(_ verb: Verb) throws {
    try kill(verb)
    _ = try folder.run("set", "a.whimbrel", "Item", "7", "text=new", "--write")
    try expectNoLeftovers(verb)
  }

  @Test(.takesLong, arguments: verbs) func `the files of a verb that still runs stay`(_ verb: Verb)
    throws
  {
    let process = try start(verb)
    Foundation.kill(process.processIdentifier, SIGSTOP)
    // The process runs on for a moment, and may make another file.
    var information = unsafe siginfo_t()
    unsafe waitid(P_PID, id_t(process.processIdentifier), &information, WSTOPPED | WNOWAIT)
    let before = try temporaryNames()
    #expect(!before.isEmpty && process.isRunning, "\(verb): it was done already")
    // The store is open there. It is a second opening in any case.
    try makeStore(at: folder.path("a.whimbrel"), [Self.item])
    let other = Verb("dump", "a.whimbrel", "--output", "c.jsonl")
    try run(other)
    #expect(try temporaryNames() == before)
    Foundation.kill(process.processIdentifier, SIGCONT)
    process.waitUntilExit()
    // The opening has written an empty commit, after which nothing is replaced.
    #expect(process.terminationReason == .exit)
    try FileManager.default.removeItem(atPath: folder.path("c.jsonl"))
    try expectNoLeftovers(verb)
  }
}

/// Paths that lead to no file.
struct SpecialPathTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("x"))
    try FileManager.default.createDirectory(
      atPath: folder.path("folder"), withIntermediateDirectories: false)
    #expect(unsafe mkfifo(folder.path("pipe"), 0o644) == 0)
  }

  /// Not `schema`, which may be given a schema through a pipe.
  private static let verbs = [
    ["info", "?"], ["ls", "?", "Zone"], ["check", "?"], ["dump", "?"], ["log", "?"],
    ["stats", "?"], ["compact", "?", "y"], ["compact", "?", "--in-place"],
    ["prune", "?", "y"], ["salvage", "?", "y"], ["set", "?", "Zone", "a", "latitude=1"],
    ["set", "?", "Zone", "a", "latitude=1", "--write"], ["rm", "?", "Zone", "a", "--write"],
    ["export", "?", "--sqlite", "y"], ["migrate", "?", "x"], ["plan", "?", "x"],
    ["load", "--merge", "keep", "dump", "?"],
  ]

  @Test(.takesLong, arguments: ["folder", "pipe", "/dev/null"], verbs)
  func `a store's path that leads to no file is refused at once`(
    _ path: String, _ verb: [String]
  ) throws {
    _ = try folder.run("dump", "x", "--output", "dump")
    let arguments = verb.map { $0 == "?" ? path : $0 }
    let result = try shell(
      "timeout -s KILL 600 \"$whimbrel\" " + arguments.joined(separator: " "), in: folder)
    #expect(result.exitCode != 0 && result.exitCode != 137, "\(arguments): \(result)")
    let words =
      ["folder": "it is a folder", "pipe": "it is a named pipe"][path] ?? "it is a device"
    #expect(
      result.output.contains("Error: ") && result.output.contains(words), "\(arguments): \(result)")
  }

  @Test func `a store of one character in the current folder works`() throws {
    _ = try folder.run("info", "x")
    _ = try folder.run("compact", "x", "y")
    _ = try folder.run("compact", "x", "--in-place")
    _ = try folder.run("dump", "x", "--output", "d")
    _ = try folder.run("load", "d", "z")
    _ = try folder.run("salvage", "z", "s")
    _ = try folder.run("prune", "z", "p")
    _ = try folder.run("check", "p")
    _ = try folder.run("rm", "x", "Zone", "Europe/Andorra", "--write", "--backup", "b")
    #expect(try folder.names().filter { $0.contains("-owners") || $0.contains(".new-") } == [])
  }

  @Test func `a dump comes through a pipe`() throws {
    let result = try shell(
      "\"$whimbrel\" dump x > pipe & \"$whimbrel\" diff x pipe; wait", in: folder)
    #expect(result.exitCode == 0, "\(result)")
  }
}
