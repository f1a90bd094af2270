import Whimbrel

@globalActor actor Storage {
  static let shared = Storage()
}

@Storage
@Model final class Zone {
  var name: String
}
