import Foundation
import Whimbrel

/// An integer as its primary key: its objects are clustered.
@Model
final class Harbor {
  @PrimaryKey var id: Int
  @Indexed var name: String
  var size: Int = 0
  var rank: Int8 = 0
  var share: Double?
  var price: Decimal = 0
  var founded: Date?
  var coast: Coast?
}

/// Where harbors are.
@Model
final class Coast {
  @PrimaryKey var code: String
  var name: String?
  /// In an order of their own, and some several times.
  var tour: StoredList<Harbor>
  var lights: StoredSet<Harbor>
  @Inverse(of: \Harbor.coast) var harbors: LinkingObjects<Harbor>
}

/// No primary key.
@Model
final class Voyage {
  var day: Int
  var isDone: Bool = false
  var harbor: Harbor?
}

/// A store with 20 harbors in two coasts and in none.
struct HarborStore {
  let place: TestStore
  let store: Store
  let north: Coast
  let south: Coast

  static let models: [any Model.Type] = [Coast.self, Harbor.self, Voyage.self]

  init() throws {
    place = try TestStore(Self.models)
    store = try place.open()
    let north = Coast(code: "N")
    north.name = "North"
    let south = Coast(code: "S")
    try store.write { [store] in
      try store.add([north, south])
      for id in 0..<20 {
        let harbor = Harbor(id: id, name: "harbor \(id * 7 % 20)")
        harbor.size = id % 5
        harbor.rank = Int8(id - 10)
        harbor.share = id % 4 == 0 ? nil : Double(id) / 2
        harbor.price = Decimal(id) / 10
        harbor.founded = id < 10 ? nil : Date(timeIntervalSinceReferenceDate: Double(id))
        harbor.coast = [north, south, nil][id % 3]
        try store.add(harbor)
      }
    }
    self.north = north
    self.south = south
  }

  /// Opens a store that was made before.
  init(opening place: TestStore) throws {
    self.place = place
    store = try place.open()
    guard let north = store.object(ofType: Coast.self, forPrimaryKey: "N"),
      let south = store.object(ofType: Coast.self, forPrimaryKey: "S")
    else { throw RollBack() }
    self.north = north
    self.south = south
  }

  var harbors: Results<Harbor> { store.objects(Harbor.self) }

  func harbor(_ id: Int) throws -> Harbor {
    guard let harbor = store.object(ofType: Harbor.self, forPrimaryKey: id) else {
      throw RollBack()
    }
    return harbor
  }
}
