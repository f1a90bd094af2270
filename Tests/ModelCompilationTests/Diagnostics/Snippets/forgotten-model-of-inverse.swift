import Whimbrel

@Model final class Country {
  var name: String
  @Inverse(of: \Zone.country) var zones: LinkingObjects<Zone>
}

final class Zone {
  var country: Country?
}
