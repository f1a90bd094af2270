import Whimbrel

@Model final class Zone {
  @PrimaryKey var id: ObjectId = ObjectId()
  var name: String
}
