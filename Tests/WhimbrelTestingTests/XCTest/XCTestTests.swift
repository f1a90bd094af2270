import Foundation
import Whimbrel
import WhimbrelTesting
import XCTest
import Zones

/// The same in XCTest.
final class XCTestTests: XCTestCase {
  func testAStoreOfAnyRelease() throws {
    for sample in try SampleStore.all(in: ZonesSampleStore.folder) {
      try sample.migrate(with: .zones(url: sample.url)) { store in
        store.expectCount(of: Zone.self, 312)
        store.expectObject(Zone.self, "Europe/Andorra", ["country": "AD"])
      }
    }
  }

  func testAnInterruptedMigration() throws {
    let sample = try SampleStore("Zones.v5", in: ZonesSampleStore.folder)
    try sample.expectSurvival(of: [.killed, .diskFull], with: .zones(url: sample.url), in: self)
  }
}
