import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

@Suite(.keepsStores) struct ZonesTests {
  static let samples = Result { try SampleStore.all(in: ZonesSampleStore.folder) }

  @Test(arguments: try ZonesTests.samples.get())
  func `a store of any release opens with this one`(sample: SampleStore) throws {
    try sample.migrate(with: .zones(url: sample.url)) { store in
      store.expectCount(of: Zone.self, 312)
      store.expectObject(
        Zone.self, "Europe/Andorra",
        ["latitude": 42.5, "country": "AD", "comments": "", "area": "europe"])
    }
  }

  @Test(arguments: try ZonesTests.samples.get())
  func `an interrupted migration loses nothing`(sample: SampleStore) throws {
    try sample.expectSurvival(with: .zones(url: sample.url))
  }
}
