import Foundation
import Testing
import Whimbrel
import Zones

struct SampleStoreTests {
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
    let folder = try ScratchFolder()
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let manifest = try SampleStoreManifest(
      making: ZonesSampleStore.allCases, from: data, in: folder.url)
    for sample in ZonesSampleStore.allCases {
      let fresh = try Data(contentsOf: folder.url.appending(path: sample.fileName))
      let found = try Data(contentsOf: sample.url)
      #expect(fresh == found, "\(sample.fileName)")
    }
    let page = ZonesSampleStore.folder.appending(path: SampleStoreManifest.fileName)
    #expect(try String(contentsOf: page, encoding: .utf8) == manifest.text)
  }

  @Test func `two runs give the same bytes`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let (first, second) = (try ScratchFolder(), try ScratchFolder())
    for sample in ZonesSampleStore.allCases {
      try sample.make(from: data, in: first.url)
      try sample.make(from: data, in: second.url)
      let bytes = try [first, second].map { folder in
        try Data(contentsOf: folder.url.appending(path: sample.fileName))
      }
      #expect(bytes[0] == bytes[1], "\(sample.fileName)")
    }
  }

  @Test func `a sample store is never written over`() throws {
    let folder = try ScratchFolder()
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let file = folder.url.appending(path: "Zones.v1.whimbrel")
    try Data("mine".utf8).write(to: file)
    #expect(throws: CocoaError.self) {
      try ZonesSampleStore.v1.make(from: data, in: folder.url)
    }
    #expect(try Data(contentsOf: file) == Data("mine".utf8))
  }

  @Test(arguments: ZonesSampleStore.allCases)
  func `a sample store opens with its own models, and as its own version`(
    sample: ZonesSampleStore
  ) throws {
    let folder = try ScratchFolder()
    let store = try Store(sample.configuration(at: try folder.copy(of: sample)))
    #expect(store.schemaVersion == sample.version)
    #expect(
      store.schema.classes.map(\.name) == (sample.version < 3 ? ["Zone"] : ["Country", "Zone"]))
  }

  @Test func `version 1 holds the rows of the table as they are`() throws {
    let folder = try ScratchFolder()
    let sample = ZonesSampleStore.v1
    let store = try Store(sample.configuration(at: try folder.copy(of: sample)))
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
