import Whimbrel

@Model
@Index([\.countri, \.name])
@Index([\.position, \.names])
final class Zone {
  var name: String
  var country: Int
  var names: List<String>
  var position: Double
}
