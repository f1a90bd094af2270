import Whimbrel
import Zones

/// The app's `Zone` of version 3, by somebody who has forgotten that `name` became `identifier`.
enum ForgottenRename {
  @Model("Zone")
  final class Zone {
    @PrimaryKey var identifier: String
    var countryCodes: String
    var coordinates: String
    var comments: String?
  }
}

/// The app's `Zone` of version 2, with a property that no old object has a value for.
enum MissingDefault {
  @Model("Zone")
  final class Zone {
    @PrimaryKey var name: String
    var countryCodes: String
    var coordinates: String
    var comments: String?
    var population: Int
  }
}

/// The app's `Zone` of version 1, with one property more.
enum ChangedModel {
  @Model("Zone")
  final class Zone {
    @PrimaryKey var name: String
    var countryCodes: String
    var coordinates: String
    var comments: String?
    var isPopular: Bool = false
  }
}
