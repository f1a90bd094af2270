import Testing
import Zones

struct AreaTests {
  @Test func `every zone of the table has an area, and every area has zones`() throws {
    let data = try SourceData(folder: ZonesSampleStore.sourceFolder)
    let areas = try data.zones.map { try Area(zoneIdentifier: $0.identifier) }
    let counts = Dictionary(areas.map { ($0, 1) }, uniquingKeysWith: +)
    let expected: [Area: Int] = [
      .africa: 19, .america: 121, .antarctica: 8, .asia: 74, .atlantic: 8, .australia: 11,
      .europe: 38, .indian: 3, .pacific: 30,
    ]
    #expect(counts == expected)
  }

  @Test(arguments: [
    "", "UTC", "Etc/UTC", "Europe", "Europe/", "europe/Andorra", "EUROPE/Andorra", "/Andorra",
    "Europe-Andorra", "Mars/Olympus", "Arctic/Longyearbyen",
  ])
  func `an identifier without an area is an error that names it`(identifier: String) throws {
    let error = try #require(throws: UnknownAreaError.self) {
      try Area(zoneIdentifier: identifier)
    }
    #expect(
      error.description
        == "Could not tell the area of '\(identifier)': it does not begin with the name of one.")
  }

  @Test func `the first part of an identifier decides the area`() throws {
    #expect(try Area(zoneIdentifier: "America/Argentina/Ushuaia") == .america)
  }
}
