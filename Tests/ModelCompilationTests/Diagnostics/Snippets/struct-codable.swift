import Whimbrel

struct Point: Codable {
  var x = 0.0
  var y = 0.0
}

@Model final class Zone {
  var center: Point
  var corner: Point?
}
