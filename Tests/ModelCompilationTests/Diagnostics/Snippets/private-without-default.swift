import Whimbrel

@Model final class Zone {
  var name: String
  private var secret: String
}

func makeZone() -> Zone {
  Zone(name: "Oslo")
}
