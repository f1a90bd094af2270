import Testing
import Whimbrel

@Suite struct MigrationHistoryTests {
  @Test func `a store tells what migrations it has been through`() throws {
    let place = try TestStore([EarlierPlace.self, EarlierVisit.self])
    do {
      let store = try place.open()
      #expect(store.migrationHistory == [])
      try store.write {
        let place = EarlierPlace(name: "a")
        try store.add(place)
        try store.add(EarlierVisit(place: place))
      }
      try store.close()
    }
    let store = try place.open([LaterPlace.self, LaterVisit.self], version: 2) { migration, _ in
      try migration.renameClass(from: "EarlierPlace", to: "LaterPlace")
      try migration.renameClass(from: "EarlierVisit", to: "LaterVisit")
      migration.report("renamed")
    }
    let entry = try #require(store.migrationHistory.last)
    #expect(store.migrationHistory.count == 1 && entry.from == 0 && entry.to == 2)
    #expect(entry.marks.map(\.text) == ["renamed"])
    #expect(entry.objects == 0)
    #expect(
      entry.changes == [
        "Class 'EarlierPlace' has been renamed to 'LaterPlace'.",
        "Class 'EarlierVisit' has been renamed to 'LaterVisit'.",
      ])
    let lines = "\(entry)".split(separator: "\n")
    #expect(lines[0].hasPrefix("From version 0 to 2 on 2") && lines[0].contains("Z by Whimbrel "))
    #expect(lines[0].contains(": 0 objects rewritten in ") && lines[0].hasSuffix(" s"))
    #expect(lines.dropFirst().map(String.init) == (entry.changes + ["renamed"]).map { "  \($0)" })
    #expect(store.objects(LaterVisit.self).first?.place?.name == "a")
    let found = try store.dynamicObjects("LaterPlace").first?
      .linkingObjects(ofType: "LaterVisit", property: "place")
    #expect(found?.count == 1)
    #expect {
      _ = try store.dynamicObjects("LaterPlace").first?.linkingObjects(
        ofType: "LaterPlace", property: "name")
    } throws: { StoreError.Code.wrongType ~= $0 }
  }
}

@Model
private final class EarlierPlace {
  var name: String
}

@Model
private final class EarlierVisit {
  var place: EarlierPlace?
}

@Model
private final class LaterPlace {
  var name: String
}

@Model
private final class LaterVisit {
  var place: LaterPlace?
}
