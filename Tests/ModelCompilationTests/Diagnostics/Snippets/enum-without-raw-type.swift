import Whimbrel

enum Area: PersistableEnum {
  case north, south
}

@Model final class Zone {
  var name: String
  var area: Area
}
