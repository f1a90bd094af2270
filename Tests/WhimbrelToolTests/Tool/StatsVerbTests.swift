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
}
