import Whimbrel

class Country {
  var name = ""
}

@Model final class Zone {
  @PrimaryKey var name: String
  @Indexed var area: Int = 0
  var country: Country?
  var next: Zone?
  var zones: StoredList<Zone>
}

func make(_ store: Store) throws {
  let zone = Zone(name: "Oslo", country: Country())
  try store.add(zone)
  print(zone.country?.name ?? "", zone.next?.area ?? 0)
}
