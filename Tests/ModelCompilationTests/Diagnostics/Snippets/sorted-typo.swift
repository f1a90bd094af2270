import Whimbrel

@Model final class Country {
  var name: String
}

@Model final class Zone {
  var latitude: Double
  var country: Country?
}

func find(_ store: Store) {
  let zones = store.objects(Zone.self)
  _ = zones.sorted(by: \.latitud)
  _ = zones.sorted(by: \.country.nam)
  _ = zones.sorted(by: \.latitud, ascending: false)
  _ = zones.sorted(by: [.ascending(\.latitud)])
  _ = zones.distinct(by: \.latitud)
  _ = zones.min(of: \.latitud)
  _ = zones.sum(of: \.latitud)
}
