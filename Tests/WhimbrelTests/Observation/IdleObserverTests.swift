import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// An observed store that does nothing while others write.
@Suite(.mustEnd) struct IdleObserverTests {
  private static let pageSize = 4_096
  private static let commits = TestRun.isLong ? 20_000 : 3_000
  /// The number of commits after which the writer waits until the observer has heard of them: a machine
  /// with much else to do may let the actor wait for a second.
  private static let batch = 100

  private static func pages(_ place: TestStore) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: place.url.path)
    return try #require(attributes[.size] as? Int) / pageSize
  }

  /// Adds 1 to the size of the first harbor with each commit, and returns its size.
  private static func commit(_ count: Int, in place: TestStore) async throws -> Int {
    try await onThread {
      let store = try place.open()
      let harbor = store.object(ofType: Harbor.self, forPrimaryKey: 0)
      for _ in 0..<count { try store.write { harbor?.size += 1 } }
      return harbor?.size ?? -1
    }
  }

  /// An actor that is idle, but for its observer.
  private actor Watcher {
    private let store: Store
    private let sizes: Shared<[Int]>
    private var token: ObservationToken?

    init(_ place: TestStore, _ sizes: Shared<[Int]>) throws {
      store = try place.open()
      self.sizes = sizes
    }

    func observe() {
      token = store.objects(Harbor.self).observe { [sizes] change in
        guard case .update(let harbors, _) = change, let size = harbors.first?.size else { return }
        sizes.change { $0.append(size) }
      }
    }
  }

  /// A snapshot keeps the pages that commits replace. The observed store holds one for as long as its
  /// actor needs to hear of a commit, so that the file grows by two batches at most.
  @Test(.takesLong) func `the file stays small while an observed store is idle`() async throws {
    let place = try HarborStore().place
    _ = try await Self.commit(Self.batch, in: place)

    // A store that shows an old state keeps all pages that commits replace.
    let before = try Self.pages(place)
    var holder: Store? = try place.open()
    _ = holder?.objects(Harbor.self).first?.name
    _ = try await Self.commit(Self.batch, in: place)
    let pagesPerBatch = try Self.pages(place) - before
    holder = nil
    #expect(pagesPerBatch >= 2 * Self.batch)

    let start = try Self.pages(place)
    let sizes = Shared<[Int]>([])
    let watcher = try Watcher(place, sizes)
    await watcher.observe()
    for _ in 0..<Self.commits / Self.batch {
      let size = try await Self.commit(Self.batch, in: place)
      for _ in 0..<60_000 where sizes.value.last != size {
        try await Task.sleep(for: .milliseconds(2))
      }
      try #require(sizes.value.last == size)
    }
    let growth = try Self.pages(place) - start
    print(
      "idle observer: \(growth) more pages after \(Self.commits) commits, \(sizes.value.count) calls; "
        + "\(pagesPerBatch) pages for each \(Self.batch) commits with an old snapshot")
    #expect(growth < 2 * pagesPerBatch)
    withExtendedLifetime(watcher) {}
  }
}
