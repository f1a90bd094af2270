import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct RandomStoreTests {
  @Test(arguments: seeds(12, long: 200))
  func `a dump of a loaded dump is the dump`(seed: UInt64) throws {
    let folder = try TestFolder()
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
  }
}
