import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// An observed store that does nothing while others write.
@Suite(.mustEnd) struct IdleObserverTests {
  private static let pageSize = 4_096
  private static let commits = runsLong ? 20_000 : 3_000

  private static func size(_ place: TestStore) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: place.url.path)[.size] as? Int)
  }

  /// Changes a harbor's size with each commit.
  private static func commit(_ count: Int, in place: TestStore) async throws {
    try await onThread {
      let store = try place.open()
      for number in 0..<count {
        try store.write {
          store.object(ofType: Harbor.self, forPrimaryKey: number % 20)?.size += 1
        }
      }
    }
  }

  /// A snapshot keeps the pages that commits replace. The pages of two commits are always kept by LMDB,
  /// and the observed store holds the rest only for as long as its actor needs to hear of a commit.
  @Test func `the file stays small while an observed store is idle`() async throws {
    let place = try HarborStore().place
    try await Self.commit(100, in: place)
    let before = try Self.size(place)

    // A store that shows an old state keeps all pages that commits replace.
    var holder: Store? = try place.open()
    _ = holder?.objects(Harbor.self).first?.name
    try await Self.commit(100, in: place)
    let pagesPerCommit = (try Self.size(place) - before) / 100 / Self.pageSize
    holder = nil

    let start = try Self.size(place)
    let notes = FollowingTests.Notes()
    let watcher = try FollowingTests.Watcher(place.configuration, notes)
    await watcher.observe()
    try await Self.commit(Self.commits, in: place)
    let growth = (try Self.size(place) - start) / Self.pageSize
    print(
      "idle observer: \(growth) pages for \(Self.commits) commits of \(pagesPerCommit) pages each, "
        + "\(notes.all.count) calls")
    #expect(pagesPerCommit >= 2)
    // As much as 100 commits need if nothing is freed.
    #expect(growth < 100 * pagesPerCommit)
    #expect(await notes.wait { $0.count > 1 })
    await watcher.stop()
  }
}
