import Whimbrel

@Model final class Country {
  var name: String
}

@Model final class Zone {
  var name: String
  var homeland: Country
}
