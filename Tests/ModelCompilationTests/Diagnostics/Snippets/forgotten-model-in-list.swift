import Whimbrel

final class Country {
  var name = ""
}

@Model final class Zone {
  var countries: StoredList<Country>
  var byName: StoredMap<String, Country>
  var set: StoredSet<Country>
}
