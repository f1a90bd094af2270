import Whimbrel

@Model
final class City {
  @PrimaryKey var name: String
  var population: Int
}

func read(_ store: Store, _ city: City) throws {
  let cities = store.objects(City.self)
  _ = cities.filter("population > 5")
  _ = cities.filter { $0.population > 5 }
  _ = cities.sorted(byKeyPath: "name", ascending: false)
  _ = cities.freeze()
  _ = city.freeze()
  _ = city.realm
}

/// Swift and `#Predicate` have the condition in this order.
func find(_ names: [String], in store: Store) {
  _ = store.objects(City.self).where { names.contains($0.name) }
  _ = store.objects(City.self).where { (1...5).contains($0.population) }
}

/// A model may use the names.
@Model
final class Lake {
  var realm: String = ""
  @Transient var isFrozen: Bool = false
  func freeze() { isFrozen = true }
}

func use(_ lake: Lake) {
  lake.freeze()
  print(lake.realm.count)
}
