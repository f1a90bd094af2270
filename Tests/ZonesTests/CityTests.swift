import Testing
import Zones

struct CityTests {
  @Test(arguments: [
    ("Europe/Andorra", "Andorra"), ("America/Argentina/Buenos_Aires", "Buenos Aires"),
    ("America/North_Dakota/New_Salem", "New Salem"), ("America/Port-au-Prince", "Port-au-Prince"),
    ("Africa/Sao_Tome", "Sao Tome"), ("UTC", "UTC"), ("Europe/", ""), ("", ""),
  ])
  func `a city is the last part of the identifier, with spaces`(
    identifier: String, city: String
  ) {
    #expect(Zone.city(ofIdentifier: identifier) == city)
  }

  @Test func `every zone of the table has a city without slashes and underscores`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    for row in data.zones {
      let city = Zone.city(ofIdentifier: row.identifier)
      #expect(!city.isEmpty && !city.contains { "/_".contains($0) }, "\(row.identifier)")
    }
  }
}
