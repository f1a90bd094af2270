import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct CreatingTests {
  @Test func `objects nested too deep are not created`() throws {
    func nested(_ count: Int) -> [String: Any] {
      (0..<count).reduce(["text": "z"]) { inner, _ in ["text": "a", "next": inner] }
    }
    let (test, store) = try townStore()
    try store.write { try store.create(TownNote.self, value: nested(100)) }
    #expect(store.objects(TownNote.self).count == 101)
    let error = try expectError(.nestedTooDeep) {
      try store.write { try store.create(TownNote.self, value: nested(101)) }
    }
    #expect(error.context.valuePath == "next.next.next.next…")
    #expect(store.objects(TownNote.self).count == 101)
    try test.expectWhole()
  }

  // Objects nested 90 levels deep exhausted the stack of a dispatch queue, which has 512 KiB, in a
  // debug build: when they were created, and when they were decoded.
  @Test func `a hundred levels fit into the stack of any thread`() async {
    let error: String? = await withCheckedContinuation { continuation in
      let thread = Thread {
        func nested<Value>(_ last: Value, _ wrap: (Value) -> Value) -> Value {
          (0..<100).reduce(last) { inner, _ in wrap(inner) }
        }
        do {
          _ = try TownNote(nested(["text": "z"] as [String: Any]) { ["text": "a", "next": $0] })
          _ = try Town(["code": "a", "extra": nested(1 as Any) { [$0] }])
          _ = try Town(["code": "a", "extra": nested(1 as Any) { ["k": $0] }])
          let json =
            String(repeating: #"{"text":"a","next":"#, count: 100) + #"{"text":"z"}"#
            + String(repeating: "}", count: 100)
          _ = try JSONDecoder().decode(TownNote.self, from: Data(json.utf8))
          continuation.resume(returning: nil)
        } catch {
          continuation.resume(returning: "\(error)")
        }
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(error == nil)
  }

  @Test func `an object and all that it leads to are created of nested values`() throws {
    let (test, store) = try townStore()
    let known = Town(code: "k")
    try store.write {
      try store.add(known)
      let town = try store.create(
        Town.self,
        value: [
          "code": "a", "land": ["code": "AD", "name": "Andorra", "capital": ["code": "c"]],
          "tags": ["x"], "marks": [2, 1], "prices": ["p": 1],
          "neighbors": [["code": "b"], known, Town(code: "u")],
          "place": ["latitude": 1, "land": ["code": "FR", "name": "France"]],
          "border": [[1, 2], ["latitude": 3]], "twins": ["t": ["code": "t"]],
          "lands": [["code": "L", "name": "l"]], "extra": ["k": known, "n": [1, "x", nil]],
        ] as [String: Any])
      #expect(town.isManaged)
      #expect(town.land?.capital?.code == "c")
      #expect(town.neighbors.map(\.code) == ["b", "k", "u"])
      #expect(town.place?.land?.name == "France")
      #expect(town.border.map(\.longitude) == [2, 0])
      #expect(town.twins["t"]?.code == "t")
      #expect(town.lands.map(\.code) == ["L"])
      #expect(town.extra["k"]?.object(Town.self) == known)
      #expect(town.extra["n"] == [1, "x", nil])
    }
    #expect(store.objects(Town.self).count == 6)
    #expect(store.objects(Land.self).count == 3)
    try test.expectWhole()
  }

  @Test func `an array gives the values in the order of the properties`() throws {
    let (test, store) = try townStore()
    try store.write {
      let town = try store.create(Town.self, value: ["a", "A", "cold", 5])
      #expect(town.name == "A" && town.climate == .cold && town.people == 5 && town.small == 0)
      let error = try expectError(.unknownProperty) {
        try store.create(TownNote.self, value: ["t", nil, Date(), Data(), UUID(), 6] as [Any?])
      }
      #expect(
        "\(error)"
          == "Could not make an object of 'TownNote': the array has 6 values and the class has "
          + "5 properties. Give at most one value for each property, in the order of the "
          + "properties.")
      let wrong = try expectError(.wrongType) { try store.create(Land.self, value: 5) }
      #expect(
        "\(wrong)"
          == "Could not make an object of 'Land': it was given 'Int'. Give a dictionary of values by "
          + "property name, an array of values in the order of the properties, or another object "
          + "of the class.")
      try expectError(.wrongType) { try store.create(Land.self, value: town) }
      try expectError(.embeddedNeedsOwner) {
        try store.create(TownPlace.self, value: ["latitude": 1])
      }
    }
    try test.expectWhole()
  }

  @Test(arguments: [UpdatePolicy.modified, .all])
  func `an update sets what is given and keeps the rest, in linked objects too`(
    policy: UpdatePolicy
  ) throws {
    let (test, store) = try townStore()
    try store.write {
      let land = Land(code: "AD", name: "Andorra")
      let town = Town(code: "a", name: "A", people: 5, note: "n", land: land, tags: ["x"])
      town.place = TownPlace(latitude: 1, longitude: 2, label: "l")
      try store.add(town)
      let place = town.place
      let id = town.objectID
      let created = try store.create(
        Town.self,
        value: [
          "code": "a", "people": 6, "note": nil, "place": ["latitude": 9],
          "land": ["code": "AD", "capital": ["code": "new", "people": 1]],
          "neighbors": [["code": "a", "height": 3], ["code": "new", "small": 2]],
        ] as [String: Any?], update: policy)
      #expect(created.objectID == id)
      #expect(town.people == 6 && town.name == "A" && town.note == nil && town.height == 3)
      #expect(Array(town.tags) == ["x"])
      #expect(land.name == "Andorra" && land.capital?.people == 1 && land.capital?.small == 2)
      #expect(town.neighbors.map(\.code) == ["a", "new"])
      // The embedded object is the same, with another latitude.
      #expect(town.place == place && place?.latitude == 9 && place?.label == "l")
      try store.create(Town.self, value: ["code": "a", "place": nil], update: policy)
      #expect(town.place == nil)
      try expectError(.noPrimaryKey) {
        try store.create(TownNote.self, value: ["text": "x"], update: policy)
      }
    }
    #expect(store.objects(Town.self).count == 2)
    #expect(store.objects(TownPlace.self).isEmpty)
    try test.expectWhole()
  }

  // The second became the first: keys were compared as Swift compares texts.
  @Test(arguments: [UpdatePolicy.error, .modified, .all])
  func `keys that differ only in the form of an accent are of two objects`(
    policy: UpdatePolicy
  ) throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      try store.create(
        Named.self,
        value: [
          "name": "\u{E9}", "number": 1,
          "partner": ["name": "e\u{301}", "number": 2] as [String: Any],
        ] as [String: Any], update: policy)
    }
    let named = store.objects(Named.self).sorted(by: \.name)
    #expect(named.map(\.number) == [2, 1])
    #expect(named.map { Array($0.name.unicodeScalars).count } == [2, 1])
    #expect(named.last?.partner?.number == 2)
    try test.expectWhole()
  }

  @Test func `an update that gives nothing new to a link still takes an unmanaged object`()
    throws
  {
    let (test, store) = try townStore()
    try store.write {
      try store.create(Town.self, value: ["code": "a"])
      let land = Land(code: "L", name: "l")
      let value: [String: Any] = ["code": "a", "land": land, "neighbors": [Town(code: "b")]]
      let town = try store.create(Town.self, value: value, update: .modified)
      #expect(town.land == land && town.neighbors.count == 1)
      try store.create(
        Town.self, value: ["code": "a", "land": Land(code: "L", name: "m")], update: .modified)
      #expect(land.name == "m")
    }
    try test.expectWhole()
  }

  @Test func `objects of this store, of another and of none are copied`() throws {
    let (test, store) = try townStore()
    let (_, other) = try townStore()
    let source = Town(code: "a", name: "A", land: Land(code: "AD", name: "Andorra"))
    source.place = TownPlace(latitude: 5)
    source.border = [TownPlace(latitude: 6)]
    source.neighbors.append(source)
    source.land?.capital = source
    source.extra = .list([.object(source)])
    try other.write { try other.add(source) }
    try store.write {
      let copy = try store.create(Town.self, value: source)
      #expect(copy != source && copy.isManaged && copy.name == "A")
      #expect(copy.neighbors.first == copy && copy.land?.capital == copy)
      #expect(copy.place?.latitude == 5 && copy.border.first?.latitude == 6)
      #expect(copy.extra[0]?.object(Town.self) == copy)
      // Of this store: what it links to is the same, what it owns a copy.
      let twin = try Town(copy)
      twin.code = "b"
      #expect(!twin.isManaged && twin.land == copy.land && twin.place != copy.place)
      try store.add(twin)
      #expect(twin.place?.latitude == 5 && copy.place?.latitude == 5)
      let loose = Town(code: "c", place: TownPlace(latitude: 7))
      let made = try store.create(Town.self, value: loose)
      #expect(!loose.isManaged && loose.place?.isManaged == false && made.place?.latitude == 7)
    }
    #expect(source.isManaged && source.land?.name == "Andorra")
    #expect(store.objects(Town.self).map(\.code) == ["a", "b", "c"])
    #expect(store.objects(Land.self).count == 1)
    try test.expectWhole()
  }

  @Test func `a long chain is copied`() throws {
    let (test, store) = try townStore()
    let (_, other) = try townStore()
    let first = TownNote(text: "0")
    var last = first
    for number in 1..<20_000 {
      let next = TownNote(text: "\(number)")
      last.next = next
      last = next
    }
    try other.write { try other.add(first) }
    try store.write { try store.create(TownNote.self, value: first) }
    #expect(store.objects(TownNote.self).count == 20_000)
    try test.expectWhole()
  }

  @Test func `nothing remains of a failed create`() throws {
    let (test, store) = try townStore()
    let (_, other) = try townStore()
    try store.write { try store.create(Town.self, value: ["code": "a", "people": 1]) }
    let loose = Land(code: "loose", name: "l")
    try store.write {
      func expect(_ code: StoreError.Code, _ value: [String: Any?], _ update: UpdatePolicy) throws {
        try expectError(code) { try store.create(Town.self, value: value, update: update) }
      }
      try expect(.duplicatePrimaryKey, ["code": "a"], .error)
      try expect(.duplicatePrimaryKey, ["code": "b", "neighbors": [["code": "a"]]], .error)
      try expect(.duplicatePrimaryKey, ["code": "b", "neighbors": [["code": "b"]]], .error)
      try expect(.missingValue, ["name": "b"], .error)
      try expect(.missingValue, ["code": "b", "land": ["code": "AD"]], .error)
      try expect(.wrongType, ["code": "b", "land": loose, "tags": [5]], .error)
      try expect(.duplicatePrimaryKey, ["code": "a", "land": loose], .error)
      try expect(
        .wrongType, ["code": "a", "people": 2, "land": ["code": "x", "name": 5]], .modified)
      try expect(
        .unknownProperty,
        ["code": "a", "people": 2, "neighbors": [["code": "a", "height": 2], ["x": 1]]], .all)
      try expect(.invalidMapKey, ["code": "b", "prices": ["": 1]], .error)
      #expect(!loose.isManaged && loose.name == "l")
    }
    #expect(store.objects(Town.self).map(\.people) == [1])
    #expect(store.objects(Land.self).isEmpty)
    try expectError(.notInWrite) { try store.create(Town.self, value: ["code": "b"]) }
    try expectError(.unknownClass) {
      try other.write { try other.create(Tagged.self, value: [:]) }
    }
    try test.expectWhole()
  }

  @Test func `an unmanaged object is made of values`() throws {
    let town = try Town(["code": "a", "land": ["AD", "Andorra"], "tags": ["x"]])
    #expect(!town.isManaged && town.land?.name == "Andorra" && town.tags.first == "x")
    #expect(town.offset == TownOffset(minutes: 60))
    try expectError(.missingValue) { try Town(["name": "b"]) }
    try expectError(.unknownProperty) { try Town(["code": "b", "kode": 1]) }
    let land = try Land(["AD", "Andorra"])
    #expect(!land.isManaged && land.code == "AD" && land.name == "Andorra")
    let copy = try Land(land)
    #expect(copy !== land && copy.code == "AD" && copy.name == "Andorra")
    let (test, store) = try townStore()
    try store.write { try store.add(town) }
    try test.expectWhole()
  }

  @Test func `the output of a JSON reader is taken`() throws {
    let (test, store) = try townStore()
    let json = """
      {"code": "a", "people": 7, "height": 1.5, "note": null, "tags": ["x", "y"],
       "land": {"code": "AD", "name": "Andorra"}, "extra": [true, 1, 2.5, "t", null]}
      """
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    try store.write {
      let town = try store.create(Town.self, value: value)
      #expect(town.people == 7 && town.height == 1.5 && town.land?.name == "Andorra")
      #expect(town.extra == [true, 1, 2.5, "t", nil])
    }
    try test.expectWhole()
  }
}
