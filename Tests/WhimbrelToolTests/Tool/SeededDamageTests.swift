import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// A change of any byte that means something is found: see ``UsedBytes`` for which do.
///
/// The tool is run as a child, so that a crash would be seen, and be no end of the tests.
struct SeededDamageTests {
  @Test(.takesLong, arguments: CheckedStores.damaged)
  func `every damage of a used byte is found`(store: String) throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    try CheckedStores.make(store, at: path)
    let healthy = try Data(contentsOf: URL(filePath: path))
    let used = UsedBytes(healthy)
    #expect(used.parts.count > 20)
    let seed = UInt64(store.utf8.reduce(7) { $0 * 31 % 1_000_003 + Int($1) })
    var random = SeededGenerator(seed: seed)
    let file = try FileHandle(forUpdating: URL(filePath: path))
    for number in 0..<TestRun.count(24, long: 120) {
      let damage = SeededDamage(of: used, in: healthy, &random)
      try file.seek(toOffset: UInt64(damage.offset))
      try file.write(contentsOf: damage.bytes)
      let run = try ToolRun(["check", "a.whimbrel"], in: folder)
      #expect(
        run.exitCode == 1 || run.exitCode == 2,
        """
        \(damage.what) at \(damage.offset), damage \(number) of seed \(seed): \(run.exitCode) \
        \(run.output)\(run.errors)
        """)
      try file.seek(toOffset: UInt64(damage.offset))
      try file.write(
        contentsOf: healthy[damage.offset..<damage.offset + damage.bytes.count])
    }
    #expect(try ToolRun(["check", "a.whimbrel"], in: folder).exitCode == 0)
  }
}
