import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

struct AnonymizeVerbTests {
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func run(_ arguments: String...) throws -> ToolRun {
    try ToolRun(["anonymize"] + arguments, in: folder)
  }

  @Test func `a store is made, and what was done is said`() throws {
    try Data("the key\n".utf8).write(to: folder.url.appending(path: "key.txt"))
    let first = try run("a.whimbrel", "b.whimbrel", "--key-file", "key.txt", "--report")
    #expect(
      first.errors == """
        Note: Numbers and dates are unchanged in Zone.latitude. See '--jitter', \
        '--jitter-numbers' and '--shift-dates'.

        """)
    #expect(first.exitCode == 0)
    #expect(
      first.output == """
        property         type    treatment  values
        Country.code     string  replaced        1
        Country.name     string  replaced        1
        Zone.identifier  string  replaced        2
        Zone.latitude    double  left            2
        Zone.area        string  replaced        2
        Zone.comments    string  replaced        2

        3 objects. Properties: 5 replaced, 0 jittered, 0 kept, 1 unchanged.

        """)
    let second = try run("a.whimbrel", "c.whimbrel", "--key", "the key")
    #expect(
      second.output == "3 objects. Properties: 5 replaced, 0 jittered, 0 kept, 1 unchanged.\n")
    #expect(folder.contents("b.whimbrel") == folder.contents("c.whimbrel"))
    let text = try dump(folder.path("b.whimbrel"))
    for word in ["Andorra", "Kathmandu", #""AD""#] { #expect(!text.contains(word)) }
    #expect(text.contains(#""latitude":42.5,"country":{"key":""#))
    #expect(text.contains(#"},"area":"europe","comments":"""#))
  }

  @Test func `what is kept is warned of, and a random key is told`() throws {
    let run = try run(
      "a.whimbrel", "b.whimbrel", "--random-key", "--keep-values", "Country.*", "--jitter",
      "Zone.latitude=5%", "--keep-order", "Zone.identifier", "--json")
    #expect(run.exitCode == 0)
    let lines = run.errors.split(separator: "\n")
    #expect(lines.first?.wholeMatch(of: /The key is [0-9a-f]{32}/) != nil)
    #expect(
      lines.dropFirst() == [
        "Warning: 1 value of 'Country.code' is unchanged.",
        "Warning: 1 value of 'Country.name' is unchanged.",
      ])
    let summary = try AnonymizationSummary(json: Data(run.output.utf8))
    #expect(
      summary.properties.map(\.treatment) == [
        .kept, .kept, .replacedInOrder, .jittered, .replaced, .replaced,
      ])
    // Not "42.5": with a random key, it may be the beginning of another number.
    #expect(!(try dump(folder.path("b.whimbrel"))).contains("\"latitude\":42.5,"))
  }

  @Test func `a store is replaced in place`() throws {
    let before = folder.contents("a.whimbrel")
    let run = try run("a.whimbrel", "--in-place", "--key", "the key")
    #expect(run.exitCode == 0 && run.errors.hasPrefix("Note: "))
    #expect(folder.contents("a.whimbrel") != before)
    #expect(!(try dump(folder.path("a.whimbrel"))).contains("Andorra"))
  }

  @Test(arguments: [
    (["--keep-values", "Zone.coments"], "Did you mean 'comments'?"),
    (["--keep-values", "Zones.comments"], "Did you mean 'Zone'?"),
    (["--keep-values", "Zone"], "Hint: Write it as 'Zone.comments', or 'Zone.*' for all."),
    (["--jitter", "Zone.comments=3d"], "values of type 'string' cannot be moved by this distance"),
    (["--jitter", "Zone.latitude=far"], "this is not a distance"),
    (["--jitter-numbers", "3d"], "this is not a distance for numbers"),
    (["--shift-dates", "5%"], "this is not a distance for dates"),
    (["--shift-dates", "1e300d"], "more than 10,000 years"),
    (["--keep-order", "Zone.latitude"], "only strings keep their order"),
    // One of two contradictory options used to win without a word.
    (
      ["--jitter", "Zone.latitude=5%", "--keep-values", "Zone.latitude"],
      "Could not understand 'Zone.latitude': two options contradict each other"
    ),
    (
      ["--keep-values", "Zone.*", "--keep-order", "Zone.identifier"],
      "Could not understand 'Zone.identifier': two options contradict each other"
    ),
    (["--jitter", "Zone.latitude=5%", "--jitter", "Zone.latitude=6%"], "two options contradict"),
  ])
  func `a wrong choice is an error, and nothing is made`(
    arguments: [String], expected: String
  ) throws {
    let run = try ToolRun(
      ["anonymize", "a.whimbrel", "b.whimbrel", "--key", "k"] + arguments, in: folder)
    #expect(run.exitCode == 1)
    #expect(run.errors.hasPrefix("Error: "))
    #expect(run.errors.contains(expected), "\(run.errors)")
    #expect(folder.contents("b.whimbrel") == nil)
  }

  @Test func `a key that is missing or cannot be read is said`() throws {
    let none = try run("a.whimbrel", "b.whimbrel")
    #expect(none.exitCode == 64)
    #expect(none.errors.contains("one of '--key-file', '--key' and '--random-key'"))
    let missing = try run("a.whimbrel", "b.whimbrel", "--key-file", "no.txt")
    #expect(missing.exitCode == 1)
    #expect(
      missing.errors == """
        Error: Could not read the key in 'no.txt': the file does not exist or is not text.
        Hint: Check the path and the permissions of the file, or use '--random-key'.

        """)
    let distance = try run("a.whimbrel", "b.whimbrel", "--key", "k", "--jitter", "Zone.latitude")
    #expect(distance.exitCode == 64)
  }
}
