import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model private final class Tariff {
  @PrimaryKey var name: String
  var price: Decimal = 0
  var count: Int = 0
  var share: Float = 0
  var steps: StoredList<Double>
  var tags: StoredSet<String>
  var rates: StoredMap<String, Decimal>
  var alternatives: StoredSet<Tariff>
  var begin: Date = Date(timeIntervalSinceReferenceDate: 1)
  var seal: Data = Data([1, 2])
  var place: String = "caf\u{E9}"
  var length: Double = 0.1
}

/// What `expectObject` takes for the same value.
@Suite struct ExpectedValuesTests {
  private static func makeStore() throws -> Store {
    let store = try Store.temporary(Tariff.self)
    try store.write {
      let night = try store.create(Tariff.self, value: ["name": "night"])
      let day = try store.create(Tariff.self, value: ["name": "day"])
      night.price = Decimal(string: "1.5")!
      night.count = 5
      night.share = 0.1
      night.steps.append(1)
      night.steps.append(2)
      night.tags.formUnion(["cheap", "old"])
      night.rates["summer"] = 2
      night.alternatives.insert(night)
      night.alternatives.insert(day)
    }
    return store
  }

  /// A failure said "expected 1.5, but found 1.5".
  @Test func `a number may be written in any type`() throws {
    let store = try Self.makeStore()
    store.expectObject(
      Tariff.self, "night",
      ["price": 1.5, "count": 5.0, "share": 0.1, "steps": [1, 2], "rates": ["summer": 2]])
  }

  /// Integers equaled their neighbors as doubles, and most pairs of types were never equal.
  @Test(
    arguments: [
      ("count", .float(5)), ("count", .decimal(5)), ("share", .decimal(Decimal(string: "0.1")!)),
      ("price", .float(1.5)), ("steps", [.float(1), .decimal(2)]),
    ] as [(String, PropertyValue)])
  func `a number may be written in every other type`(name: String, value: PropertyValue) throws {
    let store = try Self.makeStore()
    store.expectObject(Tariff.self, "night", KeyValuePairs(dictionaryLiteral: (name, value)))
  }

  @Test func `a large integer is not its neighbor`() throws {
    let store = try Self.makeStore()
    try store.write { store.objects(Tariff.self).forEach { $0.count = 9_007_199_254_740_993 } }
    expectFailure("count: expected ") {
      store.expectObject(Tariff.self, "night", ["count": .double(9_007_199_254_740_992)])
    }
  }

  /// The failure said "1 objects".
  @Test func `a failure counts one object`() throws {
    let store = try Self.makeStore()
    try store.write { try store.delete(store.objects(Tariff.self).filter { $0.name == "day" }) }
    expectFailure("The class has 1 object.") { store.expectObject(Tariff.self, "noon") }
  }

  @Test func `the elements of a set may be in any order, and those of a list may not`() throws {
    let store = try Self.makeStore()
    for tags in [["cheap", "old"], ["old", "cheap"]] as [PropertyValue] {
      store.expectObject(Tariff.self, "night", ["tags": tags])
    }
    for names in [["night", "day"], ["day", "night"]] as [PropertyValue] {
      store.expectObject(Tariff.self, "night", ["alternatives": names])
    }
    expectFailure("steps: expected [2, 1], but found [1.0, 2.0].") {
      store.expectObject(Tariff.self, "night", ["steps": [2, 1]])
    }
  }

  @Test(
    arguments: [
      ("price", 1.6), ("count", 5.5), ("steps", [1]), ("rates", ["summer": 3]),
      ("rates", ["winter": 2]), ("tags", ["old", "old"]), ("tags", ["old"]),
      ("tags", ["old", "cheap", "new"]),
    ] as [(String, PropertyValue)])
  func `another value fails and names the property`(name: String, value: PropertyValue) throws {
    let store = try Self.makeStore()
    expectFailure("Tariff 'night'", "\(name): expected ") {
      store.expectObject(Tariff.self, "night", KeyValuePairs(dictionaryLiteral: (name, value)))
    }
  }

  /// The failure said "expected 2001-01-01 00:00:01 +0000, but found 2001-01-01 00:00:01 +0000", and
  /// "expected 2 bytes, but found 2 bytes".
  @Test(
    arguments: [
      (
        "begin", .date(Date(timeIntervalSinceReferenceDate: 1.25)),
        "expected 2001-01-01T00:00:01.25Z, but found 2001-01-01T00:00:01Z."
      ),
      ("seal", .data(Data([1, 3])), "expected AQM=, but found AQI=."),
      ("place", .string("cafe\u{301}"), #"expected 'cafe\u{0301}', but found 'caf\u{00E9}'."#),
      ("length", .float(0.1), "expected float 0.1, but found double 0.1."),
    ] as [(String, PropertyValue, String)])
  func `values that look alike are shown so that they differ`(
    name: String, value: PropertyValue, sentence: String
  ) throws {
    let store = try Self.makeStore()
    expectFailure("\(name): \(sentence)") {
      store.expectObject(Tariff.self, "night", KeyValuePairs(dictionaryLiteral: (name, value)))
    }
  }
}
