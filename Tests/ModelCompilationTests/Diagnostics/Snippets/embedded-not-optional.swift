import Whimbrel

@Model(.embedded) final class Position {
  var latitude: Double
}

@Model final class Zone {
  var position: Position
}
