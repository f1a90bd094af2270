import Foundation
import Testing
import WhimbrelInspectionTestSupport

struct StatsVerbTests {
  @Test func `the sample store has its statistics as text and as JSON`() throws {
    let folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let text = try ToolRun(["stats", "a.whimbrel", "Zone"], in: folder).output
    try Recording.expect(text, at: "WhimbrelToolTests/Tool/Pages/stats.Zones.v4.txt")
    let run = try ToolRun(["stats", "a.whimbrel", "--json"], in: folder)
    #expect(run.exitCode == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 10)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let members = try #require(object as? [String: Any])
      #expect(members["class"] is String)
      #expect(members["distinctIsExact"] as? Bool == true)
      #expect(members["top"] is [Any])
    }
    let north = try ToolRun(["stats", "a.whimbrel", "Zone where latitude > 60"], in: folder)
    #expect(north.output.hasPrefix("Zone: 20 objects\n"))
    let none = try ToolRun(["stats", "a.whimbrel", "Zome"], in: folder)
    #expect(none.exitCode == 1)
    #expect(none.errors.contains("Did you mean 'Zone'?"))
  }

  @Test func `statistics are of some properties and the first objects on request`() throws {
    let folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let arguments = ["stats", "a.whimbrel", "Zone", "--properties", "area, latitude"]
    let text = try ToolRun(arguments + ["--limit", "20"], in: folder).output
    #expect(text.hasPrefix("Zone: the first 20 objects\n"))
    #expect(text.split(separator: "\n").count == 4)
    let lines = try ToolRun(arguments + ["--limit", "312", "--json"], in: folder).output
    #expect(lines.split(separator: "\n").count == 2 && !lines.contains("isComplete"))
    let alone = try ToolRun(["stats", "a.whimbrel", "--properties", "area"], in: folder)
    #expect(alone.exitCode == 64)
    let unknown = try ToolRun(["stats", "a.whimbrel", "Zone", "--properties", "x"], in: folder)
    #expect(unknown.exitCode == 1 && unknown.errors.contains("'Zone' has no property 'x'"))
  }

  @Test func `sizes are part of what a store is`() throws {
    let folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let text = try ToolRun(["info", "a.whimbrel", "--sizes"], in: folder).output
    #expect(text.contains("\nbytes of    objects  records  overflow  links  indexes"))
    for flags in [["--sizes"], ["--sizes", "--layouts"]] {
      let json = try ToolRun(["info", "a.whimbrel", "--json"] + flags, in: folder).output
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
      let members = try #require(object as? [String: Any])
      #expect(members["sizes"] is [String: Any])
    }
    #expect(try !ToolRun(["info", "a.whimbrel", "--json"], in: folder).output.contains("sizes"))
  }
}
