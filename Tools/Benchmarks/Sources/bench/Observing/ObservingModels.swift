import Whimbrel

/// An object of which many are observed.
@Model
final class Resident {
  @PrimaryKey var id: Int
  var email: String
  @Indexed var rank: Int
  var score: Double
  var group: Int
  var town: Town?
}

/// The target of links.
@Model
final class Town {
  @PrimaryKey var id: Int
  var name: String
}

/// An object that nobody observes.
@Model
final class Notice {
  var text: String
}
