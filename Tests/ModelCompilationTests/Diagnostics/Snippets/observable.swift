import Observation
import Whimbrel

@Observable @Model final class Zone {
  var name: String
  var area: Int = 0
}
