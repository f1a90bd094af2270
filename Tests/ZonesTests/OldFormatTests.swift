import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTesting
import Zones

/// Files that earlier versions of the library wrote.
@Suite struct OldFormatTests {
  /// A store of an earlier file format.
  enum OldStore: String, CaseIterable {
    /// Schema version 3. Classes have no overflow tables.
    case first = "1.Zones.v3"
    /// Schema version 6. Index entries have no checksums.
    case second = "2.Zones.v6"
    /// The same with compound, unique and full-text indexes.
    case third = "3.Zones.v6"
    /// Schema version 7. Its checksums do not tell stores apart.
    case fourth = "4.Zones.v7"
    /// Schema version 7. Its slots are wide.
    case sixth = "6.Zones.v7"

    var url: URL {
      ZonesSampleStore.folder.appending(path: "Formats/\(rawValue).whimbrel")
    }
    var format: UInt32 {
      switch self {
      case .first: 1
      case .second: 2
      case .third: 3
      case .fourth: 4
      case .sixth: 6
      }
    }
    var sample: ZonesSampleStore {
      switch self {
      case .first: .v3
      case .second, .third: .v6
      case .fourth, .sixth: .v7
      }
    }
  }

  private func format(of url: URL) throws -> UInt32 {
    var request = OpenRequest(path: url.path)
    request.isReadOnly = true
    return try Session(StoreFile.open(request)).loaded.header.formatVersion
  }

  @Test(arguments: OldStore.allCases)
  func `reading a file of an older format leaves it as it is`(_ old: OldStore) throws {
    #expect(try format(of: old.url) == old.format)
    let copy = try TemporaryStoreFile(copying: old.url)
    var configuration = old.sample.configuration(at: copy.url)
    configuration.isReadOnly = true
    do {
      let store = try Store(configuration)
      #expect(try store.dynamicObjects("Zone").count > 300)
      #expect(
        try store.dynamicObject(ofType: "Zone", forPrimaryKey: "Europe/Berlin")?[
          "countryCodes", as: String.self]
          == "DE,DK,NO,SE,SJ")
      #expect(try store.integrityFindings().isEmpty)
    }
    #expect(try format(of: copy.url) == old.format)
    #expect(try Data(contentsOf: copy.url) == Data(contentsOf: old.url))
  }

  @Test(arguments: OldStore.allCases)
  func `opening a file of an older format for writing gives its indexes checksums`(
    _ old: OldStore
  ) throws {
    let copy = try TemporaryStoreFile(copying: old.url)
    let store = try Store(old.sample.configuration(at: copy.url))
    let zone = try #require(try store.dynamicObjects("Zone").first)
    let text = String(repeating: "long ", count: 10_000)
    try store.write { try zone.set("comments", to: text) }
    #expect(try zone["comments", as: String?.self] == text)
    #expect(try store.integrityFindings().isEmpty)
    // Nothing is missing in a file of format 4: it gets a newer format as its schema changes.
    #expect(try format(of: copy.url) == (old.format < 4 ? Header.currentFormat : old.format))
    #expect(try store.dynamicObject(ofType: "Zone", forPrimaryKey: "Europe/Berlin") != nil)
  }

  @Test(arguments: OldStore.allCases)
  func `a file of an older format is migrated as any other`(_ old: OldStore) throws {
    let copy = try TemporaryStoreFile(copying: old.url)
    let store = try Store(.zones(url: copy.url))
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    #expect(try ZonesContents(of: store) == ZonesContents(expectedFrom: data, in: old.sample))
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `an index that is damaged is built anew from the records`() throws {
    let copy = try TemporaryStoreFile(copying: OldStore.second.url)
    var bytes = try Data(contentsOf: copy.url)
    // The primary key stands in the record and in the index; the index is the place without the
    // rest of the record behind it.
    let key = Data("Europe/Berlin".utf8)
    var places: [Data.Index] = []
    var start = bytes.startIndex
    while let range = bytes.range(of: key, in: start..<bytes.endIndex) {
      places.append(range.lowerBound)
      start = range.upperBound
    }
    let damaged = try #require(
      places.first { bytes[$0 + key.count] == 0 && bytes[$0 + key.count + 1] == 0 })
    // Still in order.
    bytes[damaged + key.count - 1] = UInt8(ascii: "o")
    try bytes.write(to: copy.url)
    let store = try Store(ZonesSampleStore.v6.configuration(at: copy.url))
    #expect(try store.dynamicObject(ofType: "Zone", forPrimaryKey: "Europe/Berlin") != nil)
    #expect(try store.integrityFindings().isEmpty)
  }
}
