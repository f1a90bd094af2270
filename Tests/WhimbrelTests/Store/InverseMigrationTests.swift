import Testing
import Whimbrel
import WhimbrelTesting

/// What was stored becomes an inverse of the same name, and back.
@Suite struct InverseMigrationTests {
  private func storedZones() throws -> TestStore {
    let test = try TestStore([StoredShape.Zone.self, StoredShape.Country.self], version: 1)
    let store = try test.open()
    try store.write {
      let france = StoredShape.Country(code: "FR", zones: StoredList())
      let italy = StoredShape.Country(code: "IT", zones: StoredList())
      let zones = [("Europe/Paris", france), ("Europe/Rome", italy), ("Indian/Mayotte", france)]
        .map { StoredShape.Zone(name: $0.0, country: $0.1) }
      for zone in zones { try store.add(zone) }
      // Stored by hand, and wrong: the list says less than the links.
      france.zones.append(zones[0])
    }
    try store.close()
    return test
  }

  @Test func `a stored list becomes an inverse, which follows the links`() throws {
    let test = try storedZones()
    var configuration = test.configuration
    configuration.models = [InverseShape.Zone.self, InverseShape.Country.self]
    try expectError(.schemaMismatch) {
      try test.open([InverseShape.Zone.self, InverseShape.Country.self], version: 1)
    }
    configuration.schemaVersion = 2
    let plan = try Store.migrationPlan(for: configuration)
    #expect(
      plan.changes.map(\.change) == [.propertyRemoved(class: "Country", property: "zones")])
    #expect(plan.changes.map(\.kind) == [.destructive])
    let store = try Store(configuration)
    let country = try #require(
      store.object(ofType: InverseShape.Country.self, forPrimaryKey: "FR"))
    #expect(Set(country.zones.map(\.name)) == ["Europe/Paris", "Indian/Mayotte"])
    #expect(store.migrationHistory.last?.objects == 0)
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `an inverse becomes a stored list, which the block fills from the links`() throws {
    let test = try storedZones()
    do {
      let store = try test.open(
        [InverseShape.Zone.self, InverseShape.Country.self], version: 2)
      try store.close()
    }
    let store = try test.open(
      [StoredShape.Zone.self, StoredShape.Country.self], version: 3
    ) { migration, _ in
      try migration.enumerateObjects(ofType: "Country") { old, new in
        let zones = try #require(old).linkingObjects(ofType: "Zone", property: "country")
        #expect(try #require(new).list("zones").count() == 0)
        try new?.list("zones").append(contentsOf: zones.map { .link($0.id) })
      }
    }
    let country = try #require(
      store.object(ofType: StoredShape.Country.self, forPrimaryKey: "FR"))
    #expect(country.zones.map(\.name) == ["Europe/Paris", "Indian/Mayotte"])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `an object that several own is copied when its model becomes embedded`() throws {
    let test = try TestStore([LooseShape.Owner.self, LooseShape.Home.self], version: 1)
    do {
      let store = try test.open()
      try store.write {
        let home = LooseShape.Home(town: "Vila")
        for name in ["a", "b"] { try store.add(LooseShape.Owner(name: name, home: home)) }
        try store.add(LooseShape.Home(town: "empty"))
      }
      try store.close()
    }
    let store = try test.open([OwnedShape.Owner.self, OwnedShape.Home.self], version: 2)
    let owners = Array(store.objects(OwnedShape.Owner.self))
    #expect(owners.map { $0.home?.town } == ["Vila", "Vila"])
    try store.write { owners[1].home?.town = "Luganville" }
    #expect(owners.map { $0.home?.town } == ["Vila", "Luganville"])
    try store.write { try store.delete(owners[0]) }
    #expect(owners[1].home?.town == "Luganville")
    #expect(try store.integrityFindings().isEmpty)
  }
}

private enum StoredShape {
  @Model("Zone") final class Zone {
    @PrimaryKey var name: String
    var country: Country?
  }

  @Model("Country") final class Country {
    @PrimaryKey var code: String
    var zones: StoredList<Zone>
  }
}

private enum InverseShape {
  @Model("Zone") final class Zone {
    @PrimaryKey var name: String
    var country: Country?
  }

  @Model("Country") final class Country {
    @PrimaryKey var code: String
    @Inverse(of: \Zone.country) var zones: LinkingObjects<Zone>
  }
}

private enum LooseShape {
  @Model("Owner") final class Owner {
    var name: String
    var home: Home?
  }

  @Model("Home") final class Home {
    var town: String
  }
}

private enum OwnedShape {
  @Model("Owner") final class Owner {
    var name: String
    var home: Home?
  }

  @Model("Home", .embedded) final class Home {
    var town: String
  }
}
