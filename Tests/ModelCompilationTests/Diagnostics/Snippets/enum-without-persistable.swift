import Whimbrel

enum Area: String {
  case north, south
}

@Model final class Zone {
  var name: String
  var area: Area
  var other: Area?
}
