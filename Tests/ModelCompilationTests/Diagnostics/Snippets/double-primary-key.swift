import Foundation
import Whimbrel

@Model final class Zone {
  @PrimaryKey var latitude: Double
}

@Model final class Day {
  @PrimaryKey var date: Date
}

enum Area: String, PersistableEnum {
  case north, south
}

@Model final class Region {
  @PrimaryKey var area: Area
}
