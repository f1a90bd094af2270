import Whimbrel

class Base {
  var kind = 0
}

@Model final class Zone: Base {
  var name: String
}
