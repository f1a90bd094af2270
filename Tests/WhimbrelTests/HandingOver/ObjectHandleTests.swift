import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// References to objects that cross threads.
@Suite struct ObjectHandleTests {
  @Test func `a handle resolves in a store of another thread`() async throws {
    let (test, store) = try TestStore.withShops()
    let handle = try #require(try store.shop(42).objectHandle)
    let configuration = test.configuration
    let code = try await onOtherThread {
      let store = try Store(configuration)
      let shop = try #require(store.resolve(handle))
      try store.write { shop.count = 9 }
      return shop.code
    }
    #expect(code == "42")
    try store.refresh()
    #expect(store.resolve(handle)?.count == 9)
    #expect(try store.shop(42).frozen.objectHandle == handle)
    #expect(try store.resolve(store.shop(42).frozen) == store.shop(42))
  }

  @Test func `a handle of an embedded object resolves`() throws {
    let (test, store) = try TestStore.withShops()
    try store.write { try store.shop(1).address = ShopAddress(street: "Main Street") }
    let handle = try #require(try store.shop(1).address?.objectHandle)
    #expect(try test.open().resolve(handle)?.street == "Main Street")
  }

  @Test func `a handle of an object that is not there gives nil`() throws {
    let (test, store) = try TestStore.withShops()
    let other = try test.open()
    let added = Shop(code: "new", count: 0, season: .spring)
    #expect(added.objectHandle == nil)
    try store.write { try store.add(added) }
    let handle = try #require(added.objectHandle)
    // The other store shows an earlier commit.
    #expect(other.resolve(handle) == nil)
    try other.refresh()
    #expect(other.resolve(handle)?.code == "new")
    try other.write { try other.delete(other.objects(Shop.self)) }
    #expect(other.resolve(handle) == nil)
    // This one has not seen that.
    #expect(store.resolve(handle) == added)
    try store.refresh()
    #expect(store.resolve(handle) == nil)
  }

  @Test func `a handle of another file gives nil, also of a copy`() throws {
    let (_, store) = try TestStore.withShops()
    let (_, other) = try TestStore.withShops()
    let handle = try #require(try store.shop(1).objectHandle)
    #expect(other.resolve(handle) == nil)
    let copy = try TemporaryStoreFile()
    try store.writeCopy(to: copy.url)
    let copied = try Store(
      Store.Configuration(url: copy.url, models: TestStore.shopModels))
    #expect(copied.resolve(handle) == nil)
    #expect(try copied.shop(1).code == "1")
  }

  @Test func `a handle of an object whose write is undone gives nil`() throws {
    let (_, store) = try TestStore.withShops()
    var handle: ObjectHandle<Shop>?
    #expect(throws: RollBack.self) {
      try store.write {
        let shop = Shop(code: "new", count: 0, season: .spring)
        try store.add(shop)
        handle = shop.objectHandle
        throw RollBack()
      }
    }
    #expect(try store.resolve(#require(handle)) == nil)
  }
}
