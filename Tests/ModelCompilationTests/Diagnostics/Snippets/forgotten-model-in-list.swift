import Whimbrel

final class Country {
  var name = ""
}

@Model final class Zone {
  var countries: List<Country>
  var byName: Map<String, Country>
  var set: MutableSet<Country>
}
