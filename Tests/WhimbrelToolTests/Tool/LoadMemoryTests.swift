import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

#if os(Linux)
  import Foundation
  import Testing

  /// A load takes as much memory for two million objects as for two thousand.
  struct LoadMemoryTests {
    @Test(.enabled(if: TestRun.isLong, "It takes long; set WHIMBREL_LONG to run it."))
    func `a load of two million objects takes less than 100 MB`() throws {
      let folder = try TestFolder()
      try makeDump(of: 2_000_000, at: folder.path("a.jsonl"))
      let process = Process()
      process.executableURL = ToolRun.executable
      process.arguments = ["load", folder.path("a.jsonl"), folder.path("a.whimbrel")]
      try process.run()
      var peak = 0
      while process.isRunning {
        // It may have ended meanwhile.
        peak = max(peak, (try? privateMemory(of: process.processIdentifier)) ?? 0)
        usleep(5_000)
      }
      #expect(process.terminationStatus == 0)
      #expect(peak > 0)
      #expect(peak < 100 << 20, "It took \(peak) bytes.")
    }

    /// A dump with a key, an index and a link each, whose values come in no order.
    private func makeDump(of count: Int, at path: String) throws {
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      let file = try #require(FileHandle(forWritingAtPath: path))
      var text =
        #"{"whimbrel":"dump","version":1,"uuid":"01020304-0506-0708-090A-0B0C0D0E0F10","#
        + #""created":"2026-01-01T00:00:00Z","schema":{"classes":[{"name":"Zone","properties":["#
        + #"{"name":"identifier","primaryKey":true,"type":"string"},"#
        + #"{"indexed":true,"name":"offset","type":"int"},{"name":"next","type":"<Zone>"}]}],"#
        + #""schemaVersion":1},"objectIDs":[{"class":"Zone","objects":\#(count)}],"history":[]}"#
        + "\n"
      var random = SeededGenerator(seed: 7)
      for id in 1...count {
        let bits = random.next()
        text +=
          #"{"class":"Zone","id":\#(id),"values":{"identifier":"Zone/\#(bits)/\#(id)","#
          + #""offset":\#(bits % 86_400),"next":{"link":\#(bits % UInt64(count) + 1)}}}"# + "\n"
        if text.utf8.count > 1 << 20 || id == count {
          try file.write(contentsOf: Data(text.utf8))
          text = ""
        }
      }
      try file.close()
    }
  }
#endif
