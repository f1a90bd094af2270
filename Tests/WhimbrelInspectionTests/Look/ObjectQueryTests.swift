import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct ObjectQueryTests {
  let folder: TestFolder
  let inspector: StoreInspector

  init() throws {
    folder = try TestFolder()
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    inspector = try StoreInspector(path: folder.path("a.whimbrel"))
  }

  private func query(_ selection: String) throws -> ObjectQuery {
    try ObjectQuery(ObjectSelection(selection), of: inspector)
  }

  @Test func `a query is counted, explained and summed up`() throws {
    let north = try query("Zone where latitude > 60")
    #expect(try north.count() == 20)
    #expect(try north.explanation().resultCount == 20)
    #expect(try north.value(.minimum, of: "latitude") == .double(60.166666666666664))
    #expect(try north.value(.maximum, of: "identifier") == "Europe/Helsinki")
    #expect(try query("Zone").value(.maximum, of: "country.name") == "Western Sahara")
    #expect(try query("Zone where latitude > 90").value(.average, of: "latitude") == .null)
    #expect(try query("Zone where latitude > 90").value(.sum, of: "latitude") == .double(0))
  }

  @Test func `what cannot be summed up is an error`() throws {
    let zones = try query("Zone")
    let mismatch = #expect(throws: StoreError.self) { try zones.value(.sum, of: "identifier") }
    #expect(mismatch?.code == .queryMismatch)
    let unknown = #expect(throws: InspectionError.self) { try zones.value(.sum, of: "latitde") }
    #expect(unknown?.code == .badArgument)
    #expect(unknown?.recovery == "Did you mean 'latitude'?")
  }

  @Test func `values have a text and JSON`() {
    #expect(PropertyValue.null.text == "nil")
    #expect(String(decoding: PropertyValue.null.json, as: UTF8.self) == "null")
    #expect(PropertyValue.string("a\n\u{1B}").text == #"a\n\u{1B}"#)
    #expect(String(decoding: PropertyValue.string("a\n").json, as: UTF8.self) == #""a\n""#)
    #expect(PropertyValue.int(5).text == "5")
  }

  @Test func `the classes are listed`() throws {
    let list = try inspector.classList()
    #expect(
      list.text() == """
        class    objects  properties  primary key
        Country      249           2  code
        Zone         312           8  identifier

        """)
    #expect(
      String(decoding: list.csv(), as: UTF8.self) == """
        name,objects,properties,primaryKey
        Country,249,2,code
        Zone,312,8,identifier

        """)
    let json = try JSONDecoder().decode([ClassList.Entry].self, from: list.json())
    #expect(json == list.classes)
    #expect(list.classes.map(\.objects) == [249, 312])
  }
}
