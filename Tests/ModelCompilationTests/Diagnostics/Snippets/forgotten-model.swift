import Whimbrel

final class Country {
  var name = ""
}

@Model final class Zone {
  var name: String
  var country: Country?
}
