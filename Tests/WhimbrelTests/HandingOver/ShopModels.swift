import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// A class with a property of each kind.
@Model
final class Shop {
  @PrimaryKey var code: String
  var count: Int
  var note: String?
  var season: Season
  var photo: Data?
  var address: ShopAddress?
  var rival: Shop?
  var tags: StoredList<String>
  var marks: StoredSet<Int>
  var names: StoredMap<String, String>
  var partners: StoredList<Shop>
  var friends: StoredSet<Shop>
  var branches: StoredMap<String, Shop>
  var extra: AnyValue
  @Inverse(of: \Shop.rival) var rivals: LinkingObjects<Shop>

  var title: String { "\(code) (\(count))" }
}

@Model(.embedded)
final class ShopAddress {
  var street: String
  var number: Int?
}

extension TestStore {
  static let shopModels: [any Model.Type] = [Shop.self, ShopAddress.self]

  /// Makes a store with shops `0` to `99`, all with one count.
  static func withShops(count: Int = 100) throws -> (TestStore, Store) {
    let test = try TestStore(shopModels)
    let store = try test.open()
    try store.write {
      for number in 0..<count {
        try store.add(Shop(code: "\(number)", count: 1, season: .spring))
      }
    }
    return (test, store)
  }
}

extension Store {
  func shop(_ code: Int) throws -> Shop {
    try #require(object(ofType: Shop.self, forPrimaryKey: "\(code)"))
  }

  /// Changes all shops, in a write of its own.
  func setCounts(_ count: Int) throws {
    try write { for shop in objects(Shop.self) { shop.count = count } }
  }
}

/// Runs on a thread of its own, and returns what `body` returns.
func onOtherThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}
