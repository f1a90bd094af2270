import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// The snapshots that keep pages from being reused.
@Suite struct PinnedTests {
  @Test func `1,000 frozen objects of one commit use one reader slot`() throws {
    let (test, store) = try TestStore.withShops()
    let other = try test.open()
    var frozen: [Frozen<Shop>] = []
    for number in 0..<1_000 { frozen.append(try store.shop(number % 100).frozen) }
    let results = try store.objects(Shop.self).frozen
    // The store shows its objects through the shared snapshot, and the other store has its own.
    #expect(try store.activeSnapshots.count == 2)
    frozen.append(try other.shop(5).frozen)
    #expect(try store.activeSnapshots.count == 2)
    #expect(frozen.count { $0.count == 1 } == 1_001)
    #expect(results.count == 100)
  }

  @Test func `frozen objects pin pages until the last one is released`() throws {
    let (_, store) = try TestStore.withShops()
    let before = Date()
    try store.setCounts(2)
    let after = Date()
    var frozen: Frozen<Shop>? = try store.shop(0).frozen
    #expect(try store.pinned.isEmpty)
    for count in 0..<100 { try store.setCounts(count) }
    let pinned = try store.pinned
    #expect(pinned.map(\.holder) == [.frozen])
    #expect(pinned.first?.commitsBehind == 100)
    let since = try #require(pinned.first?.since)
    #expect((before...after).contains(since))
    let growth = try #require(pinned.first?.fileGrowth)
    #expect(growth > 100 * 4_096)
    #expect(frozen?.count == 2)
    frozen = nil
    #expect(try store.pinned.isEmpty)
    let size = try #require(FileManager.default.byteCount(of: store.configuration.url))
    for count in 0..<100 { try store.setCounts(count) }
    // The pages that were freed since are used again.
    let grown = try #require(FileManager.default.byteCount(of: store.configuration.url)) - size
    #expect(grown < growth / 10)
  }

  @Test func `a store that has shared its snapshot holds it after the frozen objects`() throws {
    let (test, store) = try TestStore.withShops()
    let other = try test.open()
    var frozen: Frozen<Shop>? = try store.shop(0).frozen
    try other.setCounts(2)
    #expect(try other.pinned.map(\.holder) == [.frozen])
    #expect(frozen?.count == 1)
    frozen = nil
    #expect(try other.pinned.map(\.holder) == [.store])
    try store.refresh()
    #expect(try other.pinned.isEmpty)
  }

  @Test func `frozen objects stop writes where snapshots are limited`() throws {
    var (test, _) = try TestStore.withShops()
    test.configuration.snapshotLimits.maximumCommits = 12
    let store = try test.open()
    var frozen: Frozen<Shop>? = try store.shop(0).frozen
    var count = 0
    let error = try #require(
      #expect(throws: StoreError.self) {
        while count < 100 {
          try store.setCounts(count)
          count += 1
        }
      })
    #expect(error.code == .snapshotTooOld)
    #expect(frozen?.count == 1)
    frozen = nil
    try store.setCounts(5)
  }

  @Test func `a report names what holds a snapshot`() throws {
    let (test, store) = try TestStore.withShops()
    let (old, frozen) = (try test.open(), try store.shop(0).frozen)
    try store.setCounts(2)
    #expect(Set(try store.pinned.map(\.holder)) == [.store, .frozen])
    #expect(try store.activeSnapshots.map(\.holder).last == .store)
    try old.refresh()
    #expect(try store.pinned.map(\.holder) == [.frozen])
    #expect(frozen.count == 1)
    // Safe: the migration runs on this thread.
    nonisolated(unsafe) let observer = store
    let newer = try test.open([ShopAfter.self], version: 1) { migration, _ in
      try migration.enumerateObjects(ofType: "Shop") { old, new in
        try new?.set("amount", to: "few")
        guard old?["code"] == "7" else { return }
        #expect(try unsafe Set(observer.activeSnapshots.map(\.holder)).contains(.migration))
      }
    }
    #expect(newer.objects(ShopAfter.self).count == 100)
  }
}

extension FileManager {
  fileprivate func byteCount(of url: URL) -> Int? {
    (try? attributesOfItem(atPath: url.path))?[.size] as? Int
  }
}
