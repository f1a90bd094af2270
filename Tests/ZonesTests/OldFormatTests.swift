import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTesting
import Zones

/// Files that earlier versions of the library wrote.
@Suite struct OldFormatTests {
  /// A store of schema version 3, in file format 1.
  private static let first = ZonesSampleStore.folder
    .appending(path: "Formats/1.Zones.v3.whimbrel")

  private func format(of url: URL) throws -> UInt32 {
    var request = OpenRequest(path: url.path)
    request.isReadOnly = true
    return try Session(StoreFile.open(request)).loaded.header.formatVersion
  }

  @Test func `reading a file of format 1 leaves it as it is`() throws {
    let copy = try TemporaryStoreFile(copying: Self.first)
    var configuration = ZonesSampleStore.v3.configuration(at: copy.url)
    configuration.isReadOnly = true
    do {
      let store = try Store(configuration)
      #expect(try store.dynamicObjects("Zone").count > 300)
      #expect(try store.integrityFindings().isEmpty)
    }
    #expect(try format(of: copy.url) == 1)
    #expect(try Data(contentsOf: copy.url) == Data(contentsOf: Self.first))
  }

  @Test func `writing to a file of format 1 brings it to the next`() throws {
    let copy = try TemporaryStoreFile(copying: Self.first)
    let store = try Store(ZonesSampleStore.v3.configuration(at: copy.url))
    let zone = try #require(try store.dynamicObjects("Zone").first)
    let text = String(repeating: "long ", count: 10_000)
    try store.write { try zone.set("comments", to: text) }
    #expect(try zone["comments", as: String?.self] == text)
    #expect(try store.integrityFindings().isEmpty)
    #expect(try format(of: copy.url) == 2)
  }

  @Test func `a file of format 1 is migrated as any other`() throws {
    let copy = try TemporaryStoreFile(copying: Self.first)
    let store = try Store(.zones(url: copy.url))
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    #expect(try ZonesContents(of: store) == ZonesContents(expectedFrom: data, in: .v3))
    #expect(try store.integrityFindings().isEmpty)
  }
}
