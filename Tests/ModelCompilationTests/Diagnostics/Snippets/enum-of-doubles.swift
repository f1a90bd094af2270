import Whimbrel

enum Scale: Double, PersistableEnum {
  case half = 0.5
  case whole = 1
}

@Model final class Zone {
  var scale: Scale
}
