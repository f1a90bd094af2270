import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct KeyValueTests {
  /// A town, managed or not, and a write around what is done with it.
  private func withTown(isManaged: Bool, _ body: (Town) throws -> Void) throws {
    let (test, store) = try townStore()
    let town = Town(code: "a")
    guard isManaged else { return try body(town) }
    try store.write {
      try store.add(town)
      try body(town)
    }
    try test.expectWhole()
  }

  @Test(arguments: [false, true])
  func `values are read by name, as the types that the properties have`(
    isManaged: Bool
  ) throws {
    try withTown(isManaged: isManaged) { town in
      town.land = Land(code: "AD", name: "Andorra")
      town.tags.append("x")
      #expect(try town.value(forKey: "code") as? String == "a")
      #expect(try town.value(forKey: "climate") as? Climate == .warm)
      #expect(try town.value(forKey: "note") == nil)
      #expect(try (town.value(forKey: "land") as? Land)?.name == "Andorra")
      #expect(try (town.value(forKey: "tags") as? StoredList<String>).map(Array.init) == ["x"])
      #expect(try town.value(forKey: "offset") as? TownOffset == TownOffset(minutes: 60))
      let error = try expectError(.unknownProperty) { try town.value(forKey: "nam") }
      #expect(
        "\(error)"
          == "Could not find the property 'nam' of 'Town': the class does not have it. "
          + "Did you mean 'name'?")
    }
  }

  @Test(arguments: [false, true])
  func `values of other types are converted`(isManaged: Bool) throws {
    try withTown(isManaged: isManaged) { town in
      try town.setValue(UInt8(7), forKey: "people")
      try town.setValue(UInt64(9), forKey: "small")
      try town.setValue(3, forKey: "height")
      try town.setValue(0.5, forKey: "ratio")
      try town.setValue(12, forKey: "price")
      try town.setValue("cold", forKey: "climate")
      try town.setValue(90, forKey: "offset")
      try town.setValue(Optional("n"), forKey: "note")
      #expect(town.people == 7 && town.small == 9 && town.height == 3 && town.ratio == 0.5)
      #expect(town.price == 12 && town.climate == .cold && town.note == "n")
      #expect(town.offset == TownOffset(minutes: 90))
      try town.setValue(Climate.warm, forKey: "climate")
      try town.setValue(TownOffset(minutes: 5), forKey: "offset")
      try town.setValue(PropertyValue.double(2.5), forKey: "height")
      try town.setValue(AnyValue.int(5), forKey: "people")
      try town.setValue(nil, forKey: "note")
      #expect(town.climate == .warm && town.offset == TownOffset(minutes: 5))
      #expect(town.height == 2.5 && town.people == 5 && town.note == nil)
      try town.setValue("m", forKey: "note")
      try town.setValue(NSNull(), forKey: "note")
      #expect(town.note == nil)
      try town.setValue(Double.nan, forKey: "ratio")
      #expect(town.ratio.isNaN)
    }
  }

  @Test(arguments: [false, true])
  func `arrays and dictionaries become collections and objects`(isManaged: Bool) throws {
    try withTown(isManaged: isManaged) { town in
      try town.setValue(["x", "y"], forKey: "tags")
      try town.setValue(Set([3, 1, 3]), forKey: "marks")
      try town.setValue(["p": 1, "q": 2], forKey: "prices")
      try town.setValue([2, TownRank.low] as [Any], forKey: "ranks")
      try town.setValue([1, nil] as [Int?], forKey: "maybe")
      try town.setValue(["code": "AD", "name": "Andorra"], forKey: "land")
      try town.setValue(["b", "B"].map { ["code": $0] }, forKey: "neighbors")
      try town.setValue(["t": ["c", "Twin", "cold"]], forKey: "twins")
      try town.setValue([1.5, 2.5], forKey: "place")
      try town.setValue([["latitude": 1], TownPlace(latitude: 2)] as [Any], forKey: "border")
      #expect(Array(town.tags) == ["x", "y"])
      #expect(Array(town.marks) == [1, 3])
      #expect(town.prices["p"] == 1 && town.prices["q"] == 2 && town.prices.count == 2)
      #expect(Array(town.ranks) == [.high, .low])
      #expect(Array(town.maybe) == [1, nil])
      #expect(town.land?.name == "Andorra")
      #expect(town.neighbors.map(\.code) == ["b", "B"])
      #expect(town.twins["t"]?.name == "Twin" && town.twins["t"]?.climate == .cold)
      #expect(town.place?.longitude == 2.5)
      #expect(town.border.map(\.latitude) == [1, 2])
      try town.setValue(StoredList(["z"]), forKey: "tags")
      try town.setValue(nil, forKey: "marks")
      #expect(Array(town.tags) == ["z"] && town.marks.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `what does not fit is an error that names the property, and changes nothing`(
    isManaged: Bool
  ) throws {
    try withTown(isManaged: isManaged) { town in
      func expect(_ code: StoreError.Code, _ key: String, _ value: Any?, _ text: String) throws {
        let error = try expectError(code) { try town.setValue(value, forKey: key) }
        #expect("\(error)".contains(text), "\(error)")
      }
      try expect(.wrongType, "name", 1, "'Town.name': it holds 'string' and was given 'int'")
      try expect(.missingValue, "name", nil, "'Town.name': nil was given, and the property is")
      try expect(.outOfRange, "small", 128, "the value of type 'int' does not fit into 'int8'")
      try expect(.outOfRange, "people", UInt64.max, "does not fit into 'int'")
      try expect(.outOfRange, "ratio", 0.1, "the value of type 'double' does not fit into 'float'")
      try expect(
        .outOfRange, "height", (1 << 53) + 1, "the value of type 'int' does not fit into 'double'")
      try expect(.wrongType, "people", 1.0, "it holds 'int' and was given 'double'")
      try expect(
        .outOfRange, "price", 1e300, "the value of type 'double' does not fit into 'decimal'")
      try expect(.outOfRange, "climate", "dry", "not one of the enum's cases: 'warm', 'cold'")
      try expect(.outOfRange, "offset", 5_000, "the value cannot be converted to 'TownOffset'")
      try expect(.wrongType, "land", 5, "it holds '<Land>?' and was given 'int'")
      try expect(.wrongType, "land", Town(code: "x"), "it holds '<Land>?' and was given 'Town'")
      try expect(.wrongType, "tags", "x", "it holds '[string]' and was given 'string'")
      try expect(.wrongType, "tags", ["x", 1] as [Any], "'Town.tags'")
      try expect(.wrongType, "prices", [1], "it holds '[string: double]'")
      try expect(.unknownProperty, "land", ["cod": "x"], "'cod' of 'Land'")
      try expect(.wrongType, "land", ["code": 1], "'Land.code'")
      try expect(.missingValue, "land", ["code": "x"], "'Land' at 'land': its property 'name'")
      let unfit = [["code": "n", "small": 200] as [String: Any]]
      try expect(.outOfRange, "neighbors", unfit, "Town.small")
      try expect(
        .unknownProperty, "land", ["a", "b", nil, "d"] as [Any?],
        "the array has 4 values and the class has 3 properties")
      #expect(town.name == "unnamed" && town.land == nil && town.neighbors.isEmpty)
    }
  }

  @Test func `what would stop the program elsewhere is an error here`() throws {
    let (_, store) = try townStore()
    let town = Town(code: "a")
    let gone = Town(code: "b")
    try store.write {
      try store.add([town, gone])
      try store.delete(gone)
      try expectError(.primaryKeyIsFixed) { try town.setValue("c", forKey: "code") }
      try expectError(.objectDeleted) { try gone.setValue("c", forKey: "name") }
      try expectError(.objectDeleted) { try town.setValue([gone], forKey: "neighbors") }
    }
    try expectError(.objectDeleted) { try gone.value(forKey: "name") }
    try expectError(.notInWrite) { try town.setValue("c", forKey: "name") }
    try store.close()
    try expectError(.storeClosed) { try town.setValue("c", forKey: "name") }
    try expectError(.storeClosed) { try town.value(forKey: "name") }
    let error = try expectError(.missingValue) {
      try TownPlace(_$row: ModelRow()).value(forKey: "latitude")
    }
    #expect(error.context.propertyName == "latitude")
  }

  @Test func `objects are added with their link, or none of them is`() throws {
    let (test, store) = try townStore()
    let (_, other) = try townStore()
    let foreign = Land(code: "F", name: "France")
    try other.write { try other.add(foreign) }
    let town = Town(code: "a")
    try store.write {
      try store.add([Town(code: "b"), town])
      try expectError(.duplicatePrimaryKey) {
        try town.setValue([["code": "n"], ["code": "b"]], forKey: "neighbors")
      }
      try expectError(.objectOfOtherStore) { try town.setValue(foreign, forKey: "land") }
      try town.setValue(Land(code: "AD", name: "Andorra"), forKey: "land")
    }
    #expect(store.objects(Town.self).map(\.code) == ["b", "a"])
    #expect(town.land?.name == "Andorra")
    try test.expectWhole()
  }
}
