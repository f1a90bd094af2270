import Foundation
import Whimbrel

/// Where towns are.
@Model
final class Land {
  @PrimaryKey var code: String
  var name: String?
  /// In an order of their own, and some several times.
  var tour: List<Town>
  var ports: MutableSet<Town>
  @Inverse(of: \Town.land) var towns: LinkingObjects<Town>
}

/// An integer as its primary key: its objects are clustered.
@Model
final class Town {
  @PrimaryKey var id: Int
  @Indexed var name: String
  var size: Int = 0
  var rank: Int8 = 0
  var share: Double?
  var price: Decimal = 0
  var founded: Date?
  var land: Land?
}

/// No primary key.
@Model
final class Trip {
  var day: Int
  var isDone: Bool = false
  var town: Town?
}

/// A store with 20 towns in two lands and in none.
struct TownStore {
  let place: TestStore
  let store: Store
  let north: Land
  let south: Land

  static let models: [any Model.Type] = [Land.self, Town.self, Trip.self]

  init() throws {
    place = try TestStore(Self.models)
    store = try place.open()
    let north = Land(code: "N")
    north.name = "North"
    let south = Land(code: "S")
    try store.write { [store] in
      try store.add([north, south])
      for id in 0..<20 {
        let town = Town(id: id, name: "town \(id * 7 % 20)")
        town.size = id % 5
        town.rank = Int8(id - 10)
        town.share = id % 4 == 0 ? nil : Double(id) / 2
        town.price = Decimal(id) / 10
        town.founded = id < 10 ? nil : Date(timeIntervalSinceReferenceDate: Double(id))
        town.land = [north, south, nil][id % 3]
        try store.add(town)
      }
    }
    self.north = north
    self.south = south
  }

  var towns: Results<Town> { store.objects(Town.self) }

  func town(_ id: Int) throws -> Town {
    guard let town = store.object(ofType: Town.self, forPrimaryKey: id) else { throw RollBack() }
    return town
  }
}
