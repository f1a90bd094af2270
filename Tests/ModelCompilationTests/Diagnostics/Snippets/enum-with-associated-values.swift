import Whimbrel

enum Area {
  case north
  case named(String)
}

@Model final class Zone {
  var area: Area?
}
