import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTestSupport
import WhimbrelTesting
import Zones

/// A store that version 7 has opened and closed before all its zones had their cities.
@Suite struct TransitionStoreTests {
  private let copy: TemporaryStoreFile

  init() throws { copy = try TemporaryStoreFile(copying: ZonesSampleStore.transitionURL) }

  private var format: UInt32 {
    get throws { try StoreFile.headerWithoutOpening(copy.url.path).formatVersion }
  }

  /// The app's configuration, whose background waits.
  private var paused: Store.Configuration {
    var configuration = Store.Configuration.zones(url: copy.url)
    configuration.onlineMigration?.startsPaused = true
    return configuration
  }

  private func expectContents(_ store: Store) throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let expected = try ZonesContents(expectedFrom: data, in: .v7)
    let contents = ZonesContents(of: store)
    #expect(contents.firstDifferences(from: expected) == [])
    #expect(contents == expected)
  }

  @Test func `a store in transition reads at once as one of version 7`() async throws {
    #expect(try format == Header.transitionFormat)
    let store = try Store(paused)
    #expect(store.schemaVersion == 7)
    let query = store.objects(Zone.self).where { $0.city == "Kathmandu" }
    // The index is not complete yet, so the query converts what waits.
    let explanation = try query.explain()
    #expect(explanation.conversions == 312 - ZonesSampleStore.convertedCount)
    #expect(explanation.indexes.isEmpty)
    #expect(query.map(\.identifier) == ["Asia/Kathmandu"])
    try expectContents(store)
    var progress = store.transition.makeAsyncIterator()
    let first = try #require(await progress.next())
    #expect(first.activity == .paused && first.total == 312)
    #expect(try store.integrityFindings() == [])
    #expect(try format == Header.transitionFormat)
  }

  @Test func `a store in transition is converted and has the contents of version 7`() async throws {
    let store = try Store(.zones(url: copy.url))
    #expect(try await store.transition.finish()?.activity == .finished)
    try store.refresh()
    try expectContents(store)
    #expect(try store.integrityFindings() == [])
    #expect(try format == Header.currentFormat)
    let query = store.objects(Zone.self).where { $0.city == "Kathmandu" }
    #expect(try query.explain().indexes.map(\.name) == ["Zone.city"])
    let other = try TemporaryStoreFile(copying: ZonesSampleStore.v7.url)
    let fresh = try Store(.zones(url: other.url))
    #expect(ZonesContents(of: fresh) == ZonesContents(of: store))
    #expect(fresh.schema == store.schema)
  }

  @Test(arguments: [5, 7])
  func `a transition that an earlier format began is finished`(earlier: UInt32) async throws {
    let old = try TemporaryStoreFile(
      copying: ZonesSampleStore.folder.appending(path: "Formats/\(earlier).Zones.v7.whimbrel"))
    func format() throws -> UInt32 {
      try StoreFile.headerWithoutOpening(old.url.path).formatVersion
    }
    #expect(try format() == earlier)
    let store = try Store(.zones(url: old.url))
    try expectContents(store)
    #expect(try store.integrityFindings() == [])
    #expect(try await store.transition.finish()?.activity == .finished)
    try store.refresh()
    try expectContents(store)
    #expect(try store.integrityFindings() == [])
    #expect(try format() == Header.currentFormat)
  }

  @Test(.takesLong) func `a store in transition is a sample store as any other`() throws {
    let sample = try SampleStore(url: ZonesSampleStore.transitionURL)
    try sample.expectMigration(with: .zones(url: sample.url), after: Releases.all)
    try sample.expectSurvival(of: [.killed, .diskFull], with: .zones(url: sample.url))
  }

  @Test func `a closure of the same app takes over a store that is still in transition`() throws {
    // For example because undoing was asked for, which rules cannot do.
    var configuration = paused
    configuration.schemaVersion = 8
    configuration.keepsPreviousGeneration = true
    let store = try Store(configuration)
    #expect(store.schemaVersion == 8)
    try expectContents(store)
    #expect(try store.integrityFindings() == [])
  }
}
