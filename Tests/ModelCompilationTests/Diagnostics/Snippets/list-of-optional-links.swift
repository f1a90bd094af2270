import Whimbrel

@Model final class Country {
  var name: String
}

@Model final class Zone {
  var countries: StoredList<Country?>
}
