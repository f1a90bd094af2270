import Whimbrel

@Model
final class City {
  @PrimaryKey var name: String
  var population: Int
  var isCapital: Bool
}

func read(_ store: Store) {
  let cities = store.objects(City.self)
  _ = cities.sum(of: \.name)
  _ = cities.average(of: \.name)
  _ = cities.max(of: \.isCapital)
  _ = cities.max(of: \.name)
  _ = cities.where { $0.name.count > 3 }
  _ = cities.where { $0.name.lowercased() == "oslo" }
}
