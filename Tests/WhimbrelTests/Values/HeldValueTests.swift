import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// Values that an `AnyValue`, a `PropertyValue` or a `DynamicObject` holds.
@Suite struct HeldValueTests {
  @Test func `none is nil for every optional property, and an empty collection`() throws {
    let (test, store) = try townStore()
    let town = Town(code: "a", note: "n", land: Land(code: "F", name: "France"))
    town.tags.append("t")
    town.neighbors.append(town)
    town.place = TownPlace(latitude: 1)
    try store.write {
      try store.add(town)
      for key in ["note", "land", "tags", "neighbors", "place", "extra"] {
        try town.setValue(AnyValue.none, forKey: key)
      }
      try town.setValue([1, .none] as AnyValue, forKey: "maybe")
      try expectError(.missingValue) { try town.setValue(AnyValue.none, forKey: "name") }
    }
    #expect(town.note == nil && town.land == nil && town.place == nil && town.extra == .none)
    #expect(town.tags.isEmpty && town.neighbors.isEmpty && Array(town.maybe) == [1, nil])
    try test.expectWhole()
  }

  @Test func `a map or a list changes the existing embedded object`() throws {
    let (test, store) = try townStore()
    let town = Town(code: "a", place: TownPlace(latitude: 1, longitude: 2, label: "x"))
    try store.write {
      try store.add(town)
      let place = town.place
      let any: AnyValue = ["code": "a", "place": ["latitude": 3.0]]
      try store.create(Town.self, value: any, update: .modified)
      #expect(place == town.place && place?.latitude == 3 && place?.longitude == 2)
      let stored = PropertyValue.list([.double(4), .double(5)])
      try store.create(Town.self, value: ["code": "a", "place": stored], update: .all)
      #expect(place == town.place && place?.latitude == 4 && place?.longitude == 5)
      #expect(place?.label == "x")
    }
    try test.expectWhole()
  }

  @Test func `an object of a dynamic value is linked to`() throws {
    let (test, store) = try townStore()
    let france = Land(code: "F", name: "France")
    try store.write {
      try store.add([Town(code: "a", extra: .object(france)), Town(code: "b")])
      let value = try #require(try store.dynamicObjects("Town").first).value("extra")
      let town = try store.create(
        Town.self, value: ["code": "c", "land": value, "lands": [value], "extra": [value]])
      #expect(town.land == france && Array(town.lands) == [france])
      #expect(town.extra == [.object(france)])
      try expectError(.wrongType) { try town.setValue(value, forKey: "neighbors") }
      try expectError(.wrongType) { try town.setValue([value], forKey: "neighbors") }
    }
    try test.expectWhole()
  }

  @Test func `an 'AnyValue' takes a dynamic object`() throws {
    let (test, store) = try townStore()
    let (_, other) = try townStore()
    try other.write { try other.add(Land(code: "E", name: "Spain")) }
    let foreign = try #require(try other.dynamicObjects("Land").first)
    let town = Town(code: "a")
    let france = Land(code: "F", name: "France")
    try store.write {
      try store.add(town)
      try store.add(france)
      let object = try #require(try store.dynamicObjects("Land").first)
      try town.setValue(object, forKey: "extra")
      #expect(town.extra == .object(france))
      try town.setValue([1, object] as [Any], forKey: "extra")
      #expect(town.extra == [1, .object(france)])
      try expectError(.objectOfOtherStore) { try town.setValue(foreign, forKey: "extra") }
      try store.delete(france)
      try expectError(.objectDeleted) { try town.setValue(object, forKey: "extra") }
    }
    #expect(town.extra == [1, .none])
    try test.expectWhole()
  }

  @Test(arguments: [false, true])
  func `a migration moves objects from an 'AnyValue' to links`(_ isGone: Bool) throws {
    let test = try TestStore([Held1.Owner.self, Held1.Thing.self], version: 1)
    let old = try test.open()
    try old.write {
      let thing = Held1.Thing(key: 7)
      try old.add([
        Held1.Owner(key: 1, value: .object(thing)), Held1.Owner(key: 2, value: .object(thing)),
        Held1.Owner(key: 3, value: .none),
      ])
    }
    try old.close()
    let store = try test.open([Held2.Owner.self, Held2.Thing.self], version: 2) { migration, _ in
      if isGone, let thing = try migration.object(ofType: Held2.Thing.self, forPrimaryKey: 7) {
        try migration.delete(thing)
      }
      try migration.enumerate(Held1.Owner.self, Held2.Owner.self) { old, new in
        if case .unknownObject(let name, _) = old.value { #expect(name == "Thing") }
        #expect(old.value.isNone == (old.key == 3) && old.value.object(Held1.Thing.self) == nil)
        try new.setValue(old.value, forKey: "thing")
        try new.setValue(old.value, forKey: "other")
      }
      try migration.enumerateObjects(ofType: "Owner") { old, new in
        guard let old, let new, try old.value("key") != .int(1) else { return }
        try new.set("thing", value: old.value("value"))
        try new.set("other", value: new.object("thing"))
      }
    }
    let owners = store.objects(Held2.Owner.self)
    #expect(owners.map { $0.thing?.key } == (isGone ? [nil, nil, nil] : [7, 7, nil]))
    #expect(owners.map(\.other.isNone) == (isGone ? [true, true, true] : [false, false, true]))
    #expect(try store.integrityFindings().isEmpty)
  }
}

private enum Held1 {
  @Model final class Thing {
    @PrimaryKey var key: Int
  }

  @Model final class Owner {
    @PrimaryKey var key: Int
    var value: AnyValue
  }
}

private enum Held2 {
  @Model final class Thing {
    @PrimaryKey var key: Int
  }

  @Model final class Owner {
    @PrimaryKey var key: Int
    var thing: Held2.Thing?
    var other: AnyValue
  }
}
