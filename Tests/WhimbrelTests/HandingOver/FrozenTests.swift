import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTesting

/// Objects as they were at one commit.
@Suite struct FrozenTests {
  @Test func `every kind of property keeps its value`() async throws {
    let (test, store) = try TestStore.withShops(count: 4)
    try store.write {
      let shop = try store.shop(0)
      (shop.count, shop.note, shop.season) = (7, "open", .winter)
      shop.photo = Data(repeating: 9, count: 10_000)
      shop.address = ShopAddress(street: "Karl Johans gate", number: 22)
      shop.rival = try store.shop(1)
      shop.tags = ["a", "b", "a"]
      shop.marks = [3, 5]
      shop.names = ["en": "shop", "no": "butikk"]
      for number in 1...3 { shop.partners.append(try store.shop(number)) }
      shop.partners.append(try store.shop(1))
      shop.friends = [try store.shop(2)]
      shop.branches = ["north": try store.shop(3)]
      shop.extra = .list([1, .object(try store.shop(1))])
    }
    let live = try store.shop(0)
    let (frozen, rival) = (try live.frozen, try store.shop(1).frozen)
    let other = try test.open()
    for round in 0..<5 {
      try other.write {
        let shop = try other.shop(0)
        (shop.count, shop.note, shop.season, shop.photo) = (round, nil, .spring, nil)
        shop.address = round % 2 == 0 ? nil : ShopAddress(street: "elsewhere")
        shop.rival = nil
        shop.extra = .none
        for number in 1...3 {
          if let old = other.object(ofType: Shop.self, forPrimaryKey: "\(number)") {
            try other.delete(old)
          }
          try other.add(Shop(code: "\(number)", count: 100 + round, season: .winter))
        }
        shop.tags.append("later")
        shop.marks.removeAll()
        shop.names["en"] = nil
      }
    }
    try other.write { try other.deleteAll() }
    try store.refresh()
    #expect(live.isInvalidated)
    try await onOtherThread {
      #expect(frozen.code == "0")
      #expect(frozen.count == 7)
      #expect(frozen.note == "open")
      #expect(frozen.season == .winter)
      #expect(frozen.photo == Data(repeating: 9, count: 10_000))
      #expect(frozen.title == "0 (7)")
      #expect(frozen.address?.street == "Karl Johans gate")
      #expect(frozen.address?.number == 22)
      #expect(frozen.rival?.code == "1")
      #expect(frozen.rival == rival)
      #expect(frozen.rival?.rival == nil)
      #expect(frozen.tags == ["a", "b", "a"])
      #expect(frozen.marks == [3, 5])
      #expect(frozen.names == ["en": "shop", "no": "butikk"])
      #expect(frozen.partners.map(\.code) == ["1", "2", "3", "1"])
      #expect(frozen.partners.map(\.count) == [1, 1, 1, 1])
      #expect(frozen.friends.map(\.code) == ["2"])
      #expect(frozen.branches.mapValues(\.code) == ["north": "3"])
      #expect(rival.rivals.map(\.code) == ["0"])
      #expect(rival.rivals.first == frozen)
      #expect(frozen.description.contains("Karl Johans gate"))
      #expect(frozen.partners.description.contains("4 objects"), "\(frozen.partners)")
      let extra = try frozen.read { shop in
        shop.extra.listValue?.last?.object(Shop.self)?.code
      }
      #expect(extra == "1")
    }
  }

  /// LMDB gives out snapshots of the newest commit only.
  @Test func `an earlier commit can be frozen after others have written`() async throws {
    let (test, store) = try TestStore.withShops()
    let other = try test.open()
    for count in 2...6 { try other.setCounts(count) }
    let shop = try store.shop(0)
    var iterator = store.objects(Shop.self).makeIterator()
    let first = iterator.next()
    let frozen = try store.objects(Shop.self).sorted(by: \.code).frozen
    // The store still shows what it did, and what was read of it goes on.
    #expect(first?.count == 1 && iterator.next()?.count == 1)
    #expect(store.objects(Shop.self).allSatisfy { $0.count == 1 })
    #expect(shop.count == 1)
    for count in 7...12 { try other.setCounts(count) }
    #expect(shop.count == 1)
    try store.refresh()
    #expect(shop.count == 12)
    try store.write { shop.count = 13 }
    #expect(shop.count == 13)
    try await onOtherThread {
      #expect(frozen.count == 100)
      #expect(frozen.allSatisfy { $0.count == 1 })
      #expect(frozen.map(\.code) == (0..<100).map { "\($0)" }.sorted())
    }
    try test.expectWhole()
  }

  @Test func `a store that shares its snapshot can be copied and queried`() throws {
    let (test, store) = try TestStore.withShops()
    let frozen = try store.objects(Shop.self).frozen
    try test.open().setCounts(2)
    let copy = try TemporaryStoreFile()
    try store.writeCopy(to: copy.url)
    let copied = try Store(Store.Configuration(url: copy.url, models: TestStore.shopModels))
    #expect(copied.objects(Shop.self).allSatisfy { $0.count == 1 })
    #expect(store.objects(Shop.self).where { $0.count == 1 }.sorted(by: \.code).count == 100)
    #expect(store.object(ofType: Shop.self, forPrimaryKey: "5")?.count == 1)
    #expect(try store.integrityFindings().isEmpty)
    #expect(frozen.count == 100)
  }

  @Test func `four threads read frozen objects while others write`() async throws {
    let (test, store) = try TestStore.withShops()
    let frozen = try store.objects(Shop.self).frozen
    let end = End()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for thread in 0..<4 {
        group.addTask {
          try await onOtherThread {
            var wrong = 0
            for round in 0..<50 {
              let shop = frozen[(thread * 31 + round * 7) % frozen.count]
              if shop.count != 1 || frozen.reduce(0, { $0 + $1.count }) != 100 { wrong += 1 }
              if try shop.read({ $0.store == nil && $0.title.hasSuffix("(1)") }) == false {
                wrong += 1
              }
            }
            return wrong
          }
        }
      }
      let configuration = test.configuration
      group.addTask {
        try await onOtherThread {
          let store = try Store(configuration)
          var count = 2
          while !end.isReached.load(ordering: .relaxed) {
            try store.setCounts(count)
            count += 1
          }
          return 0
        }
      }
      var finished = 0
      for try await wrong in group {
        #expect(wrong == 0)
        finished += 1
        if finished == 4 { end.isReached.store(true, ordering: .relaxed) }
      }
    }
    try test.expectWhole()
  }

  @Test func `a frozen object outlives a migration`() async throws {
    let test = try TestStore([ShopBefore.self])
    let store = try test.open()
    try store.write { try store.add(ShopBefore(code: "a", count: 5)) }
    let frozen = try #require(store.objects(ShopBefore.self).first).frozen
    var migrated: Store? = try test.open([ShopAfter.self], version: 1) { migration, _ in
      try migration.enumerate(ShopBefore.self, ShopAfter.self) { old, new in
        new.amount = "\(old.count) pieces"
      }
    }
    #expect(migrated?.objects(ShopAfter.self).first?.amount == "5 pieces")
    try migrated?.write { try migrated?.deleteAll() }
    migrated = nil
    let count = try await onOtherThread { frozen.count }
    #expect(count == 5)
  }

  @Test func `a frozen object can be read after its store is closed, and keeps the file open`()
    throws
  {
    let (test, store) = try TestStore.withShops()
    var frozen: Frozen<Shop>? = try store.shop(3).frozen
    try store.close()
    #expect(frozen?.code == "3")
    #expect(frozen?.partners.isEmpty == true)
    try expectError(.storeInUse) { try Store.deleteFiles(at: test.url) }
    frozen = nil
    #expect(try Store.deleteFiles(at: test.url))
  }

  @Test func `what cannot be frozen is an error`() throws {
    let (_, store) = try TestStore.withShops()
    let shop = try store.shop(0)
    try expectError(.notInStore) { try Shop(code: "x", count: 0, season: .spring).frozen }
    try store.write {
      try expectError(.inWrite) { try shop.frozen }
      try expectError(.inWrite) { try store.objects(Shop.self).frozen }
      try store.delete(shop)
    }
    try expectError(.objectDeleted) { try shop.frozen }
    let results = store.objects(Shop.self)
    try store.close()
    try expectError(.storeClosed) { try results.frozen }
  }

  @Test func `nothing can be written through a frozen object`() throws {
    let (_, store) = try TestStore.withShops()
    let frozen = try store.shop(0).frozen
    try expectError(.notInWrite) {
      try frozen.read { try $0.setValue(5, forKey: "count") }
    }
    #expect(frozen.count == 1)
    // What is read inside can be frozen again, and is the same.
    #expect(try frozen.read { try $0.frozen } == frozen)
  }

  @Test func `equal frozen objects are the same object at the same commit`() throws {
    let (test, store) = try TestStore.withShops()
    let other = try test.open()
    let (first, second) = (try store.shop(0).frozen, try other.shop(0).frozen)
    #expect(first == second)
    #expect(Set([first, second]).count == 1)
    #expect(try first != store.shop(1).frozen)
    try store.setCounts(2)
    let later = try store.shop(0).frozen
    #expect(first != later)
    #expect(first.id == later.id)
    #expect(try first.id == store.shop(0).id)
  }
}

/// Says when a writer ends.
private final class End: Sendable {
  let isReached = Atomic(false)
}

@Model("Shop")
final class ShopBefore {
  @PrimaryKey var code: String
  var count: Int
}

@Model("Shop")
final class ShopAfter {
  @PrimaryKey var code: String
  var amount: String
}
