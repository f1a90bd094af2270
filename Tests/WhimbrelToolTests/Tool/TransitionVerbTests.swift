import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// The verbs on a store whose objects an online migration has not all converted.
struct TransitionVerbTests {
  private let folder: TestFolder

  private static let unconverted =
    "Note: 4 objects of 'Reading' are not yet converted from version 1; "

  init() throws {
    folder = try TestFolder()
    try TransitionSample.make(at: folder.path("readings.whimbrel"))
  }

  private func run(_ arguments: String...) throws -> ToolRun { try ToolRun(arguments, in: folder) }

  @Test func `info and check tell of it, and succeed`() throws {
    let info = try run("info", "readings.whimbrel")
    #expect(info.exitCode == 0 && info.errors == "")
    #expect(info.output.contains("online migration under way, started "))
    let json = try run("info", "readings.whimbrel", "--json").output
    #expect(json.contains(#""transition" : {"#) && json.contains(#""waiting" : 6"#))
    let check = try run("check", "readings.whimbrel")
    #expect(check.exitCode == 0 && check.errors == "")
    #expect(check.output.hasPrefix("note: an online migration is under way: objects of class "))
    #expect(check.output.contains("readings.whimbrel: nothing is wrong (8 objects"))
  }

  @Test func `tables have empty cells and a note`() throws {
    let list = try run("ls", "readings.whimbrel", "Reading", "--columns", "key,calibrated", "--csv")
    #expect(list.exitCode == 0)
    #expect(list.output == "key,calibrated\nr1,\nr2,2.0\nr3,\nr4,4.0\nr5,\nr6,\n")
    #expect(
      list.errors == Self.unconverted
        + "columns of 'calibrated' are empty for them.\n")
    // The note named columns that were not asked for.
    let keys = try run("ls", "readings.whimbrel", "Reading", "--columns", "key,station.code")
    #expect(keys.exitCode == 0 && keys.errors == "")
    let all = try run("ls", "readings.whimbrel", "Reading", "--csv")
    #expect(
      all.errors == Self.unconverted
        + "columns of 'calibrated', 'label', 'level' are empty for them.\n")
    let lines = try run("ls", "readings.whimbrel", "Reading", "--json")
    #expect(lines.output.hasPrefix(#"{"class":"Reading","id":1,"version":1,"values":{"key":"r1""#))
    #expect(lines.errors.hasPrefix(Self.unconverted + #"their lines have "version""#))
    #expect(try run("ls", "readings.whimbrel", "Station").errors == "")
  }

  @Test func `a query leaves out what it cannot answer for, and says so`() throws {
    let note = Self.unconverted + "they have no 'calibrated', and the query leaves them out.\n"
    for arguments in [
      ["Reading where calibrated > 1", "--count"], ["Reading", "--max", "calibrated"],
      ["Reading", "--group-by", "sensor", "--sum", "calibrated"],
      ["Reading SORT(calibrated DESC) LIMIT(1)", "--columns", "key"],
    ] {
      let query = try ToolRun(["query", "readings.whimbrel"] + arguments, in: folder)
      #expect(query.exitCode == 0)
      #expect(query.errors == note, "\(arguments)")
    }
    let count = try run("query", "readings.whimbrel", "Reading where calibrated > 1", "--count")
    #expect(count.output == "2\n")
    let kept = try run("query", "readings.whimbrel", "Reading where sensor == 's1'", "--count")
    #expect(kept.output == "3\n" && kept.errors == "")
  }

  @Test func `show and dump mark what is of an earlier version`() throws {
    let show = try run("show", "readings.whimbrel", "Reading", "r1")
    #expect(show.output.hasPrefix("Reading r1 id:1 (version 1)\n") && show.errors == "")
    let dump = try run("dump", "readings.whimbrel")
    #expect(dump.output.contains(#""id":1,"version":1,"values":{"key":"r1""#))
    #expect(dump.errors.hasPrefix(Self.unconverted))
    try Data(dump.output.utf8).write(to: folder.url.appending(path: "dump.jsonl"))
    let load = try run("load", "dump.jsonl", "loaded.whimbrel")
    #expect(load.exitCode == 1)
    #expect(load.errors.contains("the object is not yet converted to the schema of the dump"))
    #expect(try run("dump", "readings.whimbrel", "Station").errors == "")
  }

  @Test func `what needs converted objects is refused`() throws {
    let reason =
      "4 objects of 'Reading' are not yet converted from version 1.\n"
      + "Hint: Open the store with its app, and let the app finish the migration.\n"
    for arguments in [
      ["export", "readings.whimbrel", "--sqlite", "x.db"],
      ["anonymize", "readings.whimbrel", "x.whimbrel", "--random-key"],
      ["rm", "readings.whimbrel", "Reading", "--where", "calibrated == 0", "--write"],
    ] {
      let run = try ToolRun(arguments, in: folder)
      #expect(run.exitCode == 1 && run.errors.hasSuffix(reason), "\(run.errors)")
    }
    let set = try run("set", "readings.whimbrel", "Reading", "r1", "calibrated=0", "--write")
    #expect(set.exitCode == 1)
    #expect(
      set.errors.contains(
        "(primary key 'r1') of 'Reading': it is not yet converted from version 1.\nHint: Open"))
  }

  @Test func `a plan says whether rules can make the changes`() throws {
    let old = folder.path("old.whimbrel")
    try makeStore(at: old, [TransitionSample.station, TransitionSample.oldReading]) { session in
      _ = try session.table("Reading").create(
        ["key": "r1", "sensor": "s1", "raw": .double(1), "level": "1"], replacing: false)
    }
    let plan = try run("plan", "old.whimbrel", "readings.whimbrel")
    #expect(plan.output.contains("\nRules can make all changes while the app runs.\n"))
    let json = try run("plan", "old.whimbrel", "readings.whimbrel", "--json").output
    #expect(json.contains(#""canRunOnline" : true"#))
    #expect(json.contains(#""onlineObstacles" : ["#))
  }

  @Test func `a diff says what it does not compare`() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("readings.whimbrel"), toPath: folder.path("copy.whimbrel"))
    let diff = try run("diff", "readings.whimbrel", "copy.whimbrel")
    #expect(diff.exitCode == 0 && diff.output == "")
    #expect(
      diff.errors.hasPrefix(
        "Note: 4 objects of 'Reading' are not yet converted from version 1 in 'readings.whimbrel'; "
      ))
  }

  @Test func `salvage says which schema it needs`() throws {
    try FileManager.default.copyItem(
      atPath: folder.path("readings.whimbrel"), toPath: folder.path("later.whimbrel"))
    _ = try TransitionSample.finish(folder.path("later.whimbrel"))
    let url = URL(filePath: folder.path("damaged.whimbrel"))
    var bytes = try Data(contentsOf: URL(filePath: folder.path("readings.whimbrel")))
    while let found = bytes.range(of: Data(#""nextClassID""#.utf8)) { bytes[found.lowerBound] = 0 }
    try bytes.write(to: url)
    let salvage = try run(
      "salvage", "damaged.whimbrel", "saved.whimbrel", "--schema-from", "later.whimbrel")
    #expect(salvage.exitCode == 1)
    #expect(
      salvage.output.contains(
        """

        4 objects of 'Reading' have a shape that the catalog lacks, and are left out.
        Use '--schema-from' with a copy of the store that was made during its migration.

        """))
    #expect(try run("query", "saved.whimbrel", "Reading", "--count").output == "2\n")
  }
}
