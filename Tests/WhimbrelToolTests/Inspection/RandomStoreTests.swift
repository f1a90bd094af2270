import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection

struct RandomStoreTests {
  @Test(arguments: 1...24 as ClosedRange<UInt64>)
  func `a dump of a loaded dump is the dump`(seed: UInt64) throws {
    let folder = try TestFolder()
    var maker = RandomStoreMaker(seed: seed)
    try maker.make(at: folder.path("a.whimbrel"))
    try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
  }
}
