import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// Verbs that write, killed at random moments: 200 times each with `WHIMBREL_LONG=1`.
@Suite(.serialized) struct KillMomentTests {
  struct Verb: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    /// The file or folder that the verb makes, or nil if it changes the store.
    let output: String?

    init(_ line: String, output: String? = nil) {
      arguments = line.split(separator: " ").map(String.init)
      self.output = output
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let verbs = [
    Verb("compact a.whimbrel --in-place"),
    Verb("prune a.whimbrel --in-place --per-class 300"),
    Verb("set a.whimbrel Item --where number<500 text=new --write"),
    Verb("set a.whimbrel Item 7 text=new --write --backup b.whimbrel"),
    Verb("add a.whimbrel Item number=100000 text=new --write"),
    Verb("rm a.whimbrel Item --where number>=500 --write"),
    Verb("migrate a.whimbrel wider.json --to-version 2 --write --allow-loss"),
    Verb("load more.jsonl a.whimbrel --merge update"),
    Verb("compact a.whimbrel b.whimbrel", output: "b.whimbrel"),
    Verb("prune a.whimbrel b.whimbrel --per-class 300", output: "b.whimbrel"),
    Verb("anonymize a.whimbrel b.whimbrel --key secret", output: "b.whimbrel"),
    Verb("load a.jsonl b.whimbrel", output: "b.whimbrel"),
    Verb("salvage a.whimbrel b.whimbrel", output: "b.whimbrel"),
    Verb("dump a.whimbrel --output b.jsonl", output: "b.jsonl"),
    Verb("dump a.whimbrel --folder b", output: "b"),
    Verb("export a.whimbrel --sqlite b.db", output: "b.db"),
  ]

  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Self.make(at: folder.path("whole.whimbrel"), [Self.item()])
    try Self.make(at: folder.path("wider.whimbrel"), [Self.item(isWider: true)])
    try Self.make(at: folder.path("more.whimbrel"), [Self.item()], numbers: 900..<1_100)
    _ = try folder.run("dump", "whole.whimbrel", "--output", "a.jsonl")
    _ = try folder.run("dump", "more.whimbrel", "--output", "more.jsonl")
    let schema = try folder.run("schema", "wider.whimbrel", "--json")
    try Data(schema.utf8).write(to: folder.url.appending(path: "wider.json"))
    for name in ["wider.whimbrel", "more.whimbrel"] { remove(name) }
  }

  private static func item(isWider: Bool = false) -> ClassSchema {
    ClassSchema(
      name: "Item",
      properties: [
        PropertySchema(name: "number", type: .int, isPrimaryKey: true),
        PropertySchema(name: "text", type: .string, isIndexed: true),
      ] + (isWider ? [PropertySchema(name: "note", type: .string, isOptional: true)] : []))
  }

  private static func make(
    at path: String, _ classes: [ClassSchema], numbers: Range<Int> = 0..<1_000
  ) throws {
    try makeStore(at: path, classes) { session in
      let items = try session.table("Item")
      for number in numbers {
        _ = try items.create(
          ["number": .int(Int64(number)), "text": .string("text \(number * 7_919 % 4_000)")],
          replacing: false)
      }
    }
  }

  private func remove(_ name: String) {
    for name in [name, name + "-lock"] {
      try? FileManager.default.removeItem(atPath: folder.path(name))
    }
  }

  /// Puts the whole store back, and takes away what a run has made.
  private func prepare() throws {
    for name in try folder.names() where name.hasPrefix("a.whimbrel") || name.hasPrefix("b") {
      try FileManager.default.removeItem(atPath: folder.path(name))
    }
    try FileManager.default.copyItem(
      atPath: folder.path("whole.whimbrel"), toPath: folder.path("a.whimbrel"))
  }

  /// Starts a verb, and returns whether it was killed before its end.
  private func run(_ verb: Verb, killedAfter delay: UInt32? = nil) throws -> Bool {
    let process = Process()
    process.executableURL = ToolRun.executable
    process.arguments = verb.arguments
    process.currentDirectoryURL = folder.url
    process.environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.url.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    if let delay {
      usleep(delay)
      Foundation.kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal { return true }
    #expect(process.terminationStatus == 0, "\(verb)")
    return false
  }

  /// What is in a store, a text file or a folder, or nil if there is none.
  private func contents(_ name: String) throws -> String? {
    guard let type = try? FileManager.default.attributesOfItem(atPath: folder.path(name))[.type]
    else { return nil }
    if name.hasSuffix(".whimbrel") {
      _ = try folder.run("check", name)
      return try folder.run("dump", name)
        // Its first line has the dates of migrations.
        .split(separator: "\n").dropFirst().joined(separator: "\n")
    }
    if type as? FileAttributeType == .typeDirectory {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path(name)).sorted()
        .map { "\($0): \(folder.contents("\(name)/\($0)")?.base64EncodedString() ?? "")" }
        .joined(separator: "\n")
    }
    return folder.contents(name).map { $0.base64EncodedString() }
  }

  @Test(.takesLong, arguments: verbs)
  func `a verb that is killed at any moment has done all or nothing`(
    _ verb: Verb
  ) throws {
    try prepare()
    let before = try #require(try contents("a.whimbrel"))
    let names = Set(try folder.names())
    let start = ContinuousClock.now
    _ = try run(verb)
    let time = (ContinuousClock.now - start) / .microseconds(1)
    let after = try #require(try contents(verb.output ?? "a.whimbrel"))
    let namesAfter = Set(try folder.names())
    #expect(verb.output != nil || verb.arguments[0] == "compact" || after != before)
    var random = SeededGenerator(seed: 1)
    var (attempt, kills, done) = (0, 0, 0)
    let wanted = TestRun.isLong ? 200 : 2
    // A run may be over before it is killed: the first one was perhaps slow, on a busy machine.
    var latest = time * 1.1
    while kills < wanted, attempt < wanted * 10 {
      attempt += 1
      try prepare()
      let delay = UInt32.random(in: 0...UInt32(latest), using: &random)
      let wasKilled = try run(verb, killedAfter: delay)
      if wasKilled { kills += 1 } else { latest *= 0.7 }
      let store = try contents("a.whimbrel")
      if let output = verb.output {
        #expect(store == before, "\(verb), attempt \(attempt)")
        let made = try contents(output)
        if made != nil { done += 1 }
        #expect(made == after || (made == nil && wasKilled), "\(verb), attempt \(attempt)")
        remove(output)
      } else {
        if store == after { done += 1 }
        #expect(store == after || (store == before && wasKilled), "\(verb), attempt \(attempt)")
        remove("b.whimbrel")
        if store != before {
          // The verb has nothing to do any more, or would be refused.
          try prepareKeepingLeftovers()
        }
      }
      _ = try run(verb)
      #expect(try contents(verb.output ?? "a.whimbrel") == after, "\(verb), attempt \(attempt)")
      let left = Set(try folder.names()).subtracting(names).subtracting(namesAfter)
        .filter { !$0.hasSuffix("-lock") }
      #expect(left == [], "\(verb), attempt \(attempt)")
    }
    #expect(kills >= wanted, "\(verb)")
    print("killed \(kills) times, done \(done) times: \(verb.testDescription)")
  }

  /// Puts the contents of the whole store back without touching what a killed run left.
  private func prepareKeepingLeftovers() throws {
    remove("a.whimbrel")
    try FileManager.default.copyItem(
      atPath: folder.path("whole.whimbrel"), toPath: folder.path("a.whimbrel"))
  }
}
