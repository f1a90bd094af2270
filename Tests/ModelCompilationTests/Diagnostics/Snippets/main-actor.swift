import Whimbrel

@MainActor @Model final class Zone {
  var name: String
  var area: Int = 0
}
