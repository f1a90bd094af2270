import Whimbrel

@Model final class Zone {
  var name: String
  var latitude: Double
}

@Model final class Country {
  var code: String
  var name: String
  init(code: String, name: String) {
    self.code = code
    self.name = name
  }
  convenience init(_ code: String) { self.init(code: code, name: code) }
}

@Model final class City {
  var name: String = "unnamed"
}

@Model final class Flag {
  var color: String
  var width: Double
  convenience init() { self.init(color: "red", width: 1) }
}

func add(to store: Store) throws {
  try store.write {
    let zone = Zone()
    zone.name = "UTC"
    try store.add(zone)
    try store.add(Country())
    try store.add(City())
    try store.add(Flag())
  }
}

func add(_ name: String, to store: Store) throws {
  try store.write { try store.add(Zone(name: name)) }
}
