import Whimbrel

let name = "Land"

@Model(renamedFrom: "") final class Empty {
  var name: String
}

@Model(renamedFrom: name) final class NotLiteral {
  var name: String
}

@Model(renamedFrom: "Nation", "Country") final class Country {
  var name: String
}

@Model("State", renamedFrom: "State") final class Land {
  var name: String
}

@Model final class Zone {
  @Renamed(from: "") var a: Int
  @Renamed(from: name) var b: Int
  @Renamed(from: "c") var c: Int
  @Renamed(from: "a") var d: Int
}
