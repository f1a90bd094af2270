import Foundation
import Testing
import Zones

struct TabFileTests {
  @Test func `comments and empty lines are no rows, and lines keep their numbers`() throws {
    let file = try TabFile("# a\n\nAD\tAndorra\n#b\tc\nAE\tUnited Arab Emirates\n", columns: 2...2)
    #expect(file.rows.map(\.line) == [3, 5])
    #expect(file.rows.map(\.columns) == [["AD", "Andorra"], ["AE", "United Arab Emirates"]])
  }

  @Test(arguments: ["AD\tAndorra", "AD\tAndorra\n", "AD\tAndorra\r\n", "\r\nAD\tAndorra\r\n"])
  func `any end of line will do`(text: String) throws {
    #expect(try TabFile(text, columns: 2...2).rows.map(\.columns) == [["AD", "Andorra"]])
  }

  @Test func `an empty text has no rows`() throws {
    #expect(try TabFile("", columns: 1...1).rows.isEmpty)
  }

  @Test(arguments: [
    ("AD", 2...2, "Could not read line 1: it has 1 columns and should have 2."),
    ("AD\ta\tb\tc\td", 3...4, "Could not read line 1: it has 5 columns and should have 3 to 4."),
    ("# x\nAD\t", 2...2, "Could not read line 2: column 2 is empty."),
    ("\tAndorra", 2...2, "Could not read line 1: column 1 is empty."),
  ])
  func `a bad row is an error that names the line`(
    text: String, columns: ClosedRange<Int>, message: String
  ) throws {
    let error = try #require(throws: TabFileError.self) { try TabFile(text, columns: columns) }
    #expect(error.description == message)
  }
}

struct SourceDataTests {
  let data: SourceData

  init() throws {
    data = try SourceData(folder: ZonesSampleStore.sourceFolder)
  }

  @Test func `the tables have the rows that they should`() {
    #expect(data.zones.count == 312)
    #expect(data.countries.count == 249)
    #expect(Set(data.zones.map(\.identifier)).count == data.zones.count)
    #expect(Set(data.countries.map(\.code)).count == data.countries.count)
    #expect(data.zones.count { $0.comments != nil } == 201)
  }

  @Test func `a row is read column by column`() throws {
    let zurich = try #require(data.zones.first { $0.identifier == "Europe/Zurich" })
    #expect(zurich.countryCodes == ["CH", "DE", "LI"])
    #expect(zurich.joinedCountryCodes == "CH,DE,LI")
    #expect(zurich.coordinates == "+4723+00832")
    #expect(zurich.comments == "Büsingen")
    let andorra = try #require(data.zones.first { $0.identifier == "Europe/Andorra" })
    #expect(andorra.comments == nil)
  }

  @Test func `every code of a zone names a country`() {
    let codes = Set(data.countries.map(\.code))
    let strangers = data.zones.filter { !codes.isSuperset(of: $0.countryCodes) }
    #expect(strangers.isEmpty)
    #expect(data.zones.allSatisfy { !$0.countryCodes.isEmpty })
  }

  @Test func `the names in the code are those of the table`() {
    #expect(CountryNames.all.map(\.key) == data.countries.map(\.code))
    #expect(CountryNames.all.map(\.value) == data.countries.map(\.name))
  }
}
