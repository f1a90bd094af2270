import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

struct MakingSampleStoresTests {
  /// The bytes of a page depend on the machine: its page size, its byte order.
  static let makesSampleStores: Bool = {
    #if os(Linux) && arch(x86_64)
      true
    #else
      false
    #endif
  }()

  @Test(.enabled(if: makesSampleStores))
  func `fresh sample stores equal the checked-in ones to the byte`() throws {
    let place = try TemporaryStoreFile()
    let folder = place.url.deletingLastPathComponent()
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let manifest = try SampleStoreManifest(
      making: ZonesSampleStore.allCases, from: data, in: folder)
    for sample in ZonesSampleStore.allCases {
      let fresh = try Data(contentsOf: folder.appending(path: sample.fileName))
      let found = try Data(contentsOf: sample.url)
      #expect(fresh == found, "\(sample.fileName)")
    }
    try ZonesSampleStore.makeInTransition(from: data, in: folder)
    let fresh = try Data(
      contentsOf: folder.appending(path: ZonesSampleStore.transitionFileName))
    #expect(fresh == (try Data(contentsOf: ZonesSampleStore.transitionURL)))
    let page = ZonesSampleStore.folder.appending(path: SampleStoreManifest.fileName)
    #expect(try String(contentsOf: page, encoding: .utf8) == manifest.text)
  }

  @Test func `two runs give the same bytes`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    for sample in ZonesSampleStore.allCases {
      let places = [
        try TemporaryStoreFile(named: sample.fileName),
        try TemporaryStoreFile(named: sample.fileName),
      ]
      for place in places { try sample.make(from: data, in: place.url.deletingLastPathComponent()) }
      let bytes = try places.map { try Data(contentsOf: $0.url) }
      #expect(bytes[0] == bytes[1], "\(sample.fileName)")
    }
  }

  @Test func `many runs leave the same bytes of a store in transition`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let name = ZonesSampleStore.transitionFileName
    let places = try (0..<10).map { _ in try TemporaryStoreFile(named: name) }
    for place in places {
      try ZonesSampleStore.makeInTransition(
        from: data, in: place.url.deletingLastPathComponent())
    }
    #expect(try Set(places.map { try Data(contentsOf: $0.url) }).count == 1)
  }

  @Test func `a sample store is never written over`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let place = try TemporaryStoreFile(named: ZonesSampleStore.v1.fileName)
    try Data("mine".utf8).write(to: place.url)
    #expect(throws: CocoaError.self) {
      try ZonesSampleStore.v1.make(from: data, in: place.url.deletingLastPathComponent())
    }
    #expect(try Data(contentsOf: place.url) == Data("mine".utf8))
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `a sample store opens with its own models, and as its own version`(
    sample: ZonesSampleStore
  ) throws {
    let copy = try TemporaryStoreFile(copying: sample.url)
    let store = try Store(sample.configuration(at: copy.url))
    #expect(store.schemaVersion == sample.version)
    let classes =
      switch sample {
      case .v1, .v2: ["Zone"]
      case .v3, .v4: ["Country", "Zone"]
      case .v5: ["Country", "Region", "Transition", "Zone"]
      case .v6, .v7: ["ClockChange", "Country", "Region", "Zone"]
      }
    #expect(store.schema.classes.map(\.name) == classes)
  }

  @Test func `version 1 holds the rows of the table as they are`() throws {
    let copy = try TemporaryStoreFile(copying: ZonesSampleStore.v1.url)
    let store = try Store(ZonesSampleStore.v1.configuration(at: copy.url))
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    #expect(store.objects(SchemaV1.Zone.self).count == data.zones.count)
    for row in data.zones {
      let zone = try #require(
        store.object(ofType: SchemaV1.Zone.self, forPrimaryKey: row.identifier))
      #expect(zone.countryCodes == row.joinedCountryCodes)
      #expect(zone.coordinates == row.coordinates)
      #expect(zone.comments == row.comments)
    }
  }
}
