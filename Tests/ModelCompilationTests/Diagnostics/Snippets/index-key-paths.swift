import Whimbrel

@Model
@Index([\.countri, \.name])
@Index([\.position, \.names])
final class Zone {
  var name: String
  var country: Int
  var names: StoredList<String>
  var position: Double
}
