import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct StoredMapTests {
  private func expectSame(
    _ start: [String: Int], _ expected: [String: Int],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ change: (StoredMap<String, Int>) -> Void
  ) throws {
    let unmanaged = StoredMap(start)
    change(unmanaged)
    let test = try CollectionStore()
    try test.store.write {
      test.sets.numbers = StoredMap(start)
      change(test.sets.numbers)
    }
    for map in [unmanaged, test.sets.numbers] {
      #expect(map.keys == expected.keys.sorted(), sourceLocation: sourceLocation)
      #expect(map.values == expected.sorted { $0.key < $1.key }.map(\.value))
      #expect(map.count == expected.count, sourceLocation: sourceLocation)
      for (key, value) in expected {
        #expect(map[key] == value && map.contains(key: key), sourceLocation: sourceLocation)
      }
    }
    #expect(unmanaged == test.sets.numbers, sourceLocation: sourceLocation)
    try test.place.expectWhole(sourceLocation: sourceLocation)
  }

  @Test func `a map changes as a dictionary does`() throws {
    let start = ["b": 2, "a": 1, "c": 3]
    try expectSame(start, start) { map in
      #expect(map[0].key == "a" && map[2].value == 3 && map.first?.value == 1)
      #expect(map["x"] == nil && !map.contains(key: "x") && map["x", default: 7] == 7)
      #expect(
        map == ["a": 1, "b": 2, "c": 3] && map != ["a": 1] && map != ["a": 1, "b": 2, "d": 3])
    }
    try expectSame(start, ["a": 9, "b": 2, "c": 3, ".$": 4]) { map in
      map["a"] = 9
      map[".$"] = 4
    }
    try expectSame(start, ["a": 1, "c": 3]) { map in
      map["b"] = nil
      map["x"] = nil
    }
    try expectSame(start, ["a": 1]) { map in
      #expect(map.removeValue(forKey: "b") == 2 && map.removeValue(forKey: "b") == nil)
      map.removeObject(for: "c")
    }
    try expectSame(start, ["a": 5, "b": 2, "c": 3, "d": 4]) { map in
      #expect(map.updateValue(5, forKey: "a") == 1 && map.updateValue(4, forKey: "d") == nil)
    }
    try expectSame(start, ["a": 2, "b": 2, "c": 3, "d": 1]) { map in
      map["a", default: 0] += 1
      map["d", default: 0] += 1
    }
    try expectSame(start, [:]) { $0.removeAll() }
    try expectSame(start, ["a": 11, "b": 2, "c": 3, "d": 4]) { map in
      map.merge(["a": 10, "d": 4]) { $0 + $1 }
    }
    try expectSame(start, ["a": 2, "b": 4, "c": 6]) { map in map.merge(map) { $0 + $1 } }
    try expectSame(start, ["a": 3, "b": 2, "c": 3]) { map in
      map.merge([("a", 1), ("a", 1)]) { $0 + $1 }
    }
  }

  @Test func `keys are any text`() throws {
    let test = try CollectionStore()
    let long = String(repeating: "k", count: 16_384)
    let unmanaged: StoredMap<String, String> = ["é": "1", "z": "2", "\u{0}": "3", " ": "4"]
    unmanaged[long] = String(repeating: "v", count: 100_000)
    unmanaged["e\u{301}"] = "5"
    try test.store.write {
      test.sets.names = unmanaged
      test.sets.names["e\u{301}"] = "6"
    }
    #expect(test.sets.names.keys == ["\u{0}", " ", long, "z", "é"])
    #expect(test.sets.names["é"] == "6" && unmanaged["é"] == "5" && unmanaged.count == 5)
    #expect(test.sets.names[long]?.count == 100_000)
    try test.place.expectWhole()
  }

  // The normal form C of Foundation does not compose a syllable with a final consonant, and
  // composes it with U+11A7 and U+11C3: keys were not found, and others were one.
  @Test func `keys of Hangul are one if they are equal`() throws {
    let test = try CollectionStore()
    let keys = [
      "\u{AC01}", "\u{AC00}\u{11A8}", "\u{1100}\u{1161}\u{11A8}", "\u{AC00}", "\u{AC1C}",
      "\u{1100}\u{1161}\u{11A7}", "\u{1100}\u{1161}\u{11C3}", "\u{AC01}\u{11A8}", "\u{1100}",
      "\u{1100}\u{301}\u{1161}", "\u{AC00}e\u{301}", "\u{1100}\u{1161}\u{E9}",
      "e\u{301}\u{1100}\u{1161}",
    ]
    var expected: [String: Int] = [:]
    try test.store.write {
      for (number, key) in keys.enumerated() {
        test.sets.numbers[key] = number
        expected[key] = number
        test.sets.texts.insert(key)
      }
    }
    #expect(expected.count == 10)
    #expect(test.sets.numbers.count == 10 && test.sets.texts.count == 10)
    for key in keys {
      #expect(test.sets.numbers[key] == expected[key], "\(Array(key.unicodeScalars))")
      #expect(test.sets.texts.contains(key), "\(Array(key.unicodeScalars))")
    }
    try test.place.expectWhole()
  }

  // The normal form C of Foundation is wrong if many marks that decompose follow each other: the
  // second key was not found, and a map contained both.
  @Test(arguments: [1, 31, 32, 300])
  func `keys with many marks are one if they are equal`(count: Int) throws {
    let test = try CollectionStore()
    for (mark, marks) in [("\u{344}", "\u{308}\u{301}"), ("\u{341}", "\u{301}")] {
      let key = "a" + String(repeating: mark, count: count)
      let other = "a" + String(repeating: marks, count: count)
      try test.store.write {
        test.sets.numbers.removeAll()
        test.sets.texts.removeAll()
        test.sets.numbers[key] = 1
        test.sets.numbers[other] = 2
        test.sets.texts.insert(key)
      }
      #expect(test.sets.numbers.count == 1 && test.sets.numbers[key] == 2)
      #expect(test.sets.texts.contains(other))
    }
    try test.place.expectWhole()
  }

  // Foundation's normal form knows neither the marks of Unicode 16 nor its letters, and it composes
  // U+10041 like A. A map lost a value, or held one key twice.
  @Test func `keys are one exactly if Swift compares them as equal`() throws {
    let keys = [
      "a\u{316}\u{897}", "a\u{897}\u{316}", "a\u{897}\u{301}", "a\u{301}\u{897}",
      "e\u{1ADD}\u{301}", "e\u{301}\u{1ADD}", "\u{E9}\u{1ADD}", "\u{E9}", "e\u{301}",
      "\u{105C9}", "\u{105D2}\u{307}", "\u{16D6A}", "\u{16D69}\u{16D67}", "\u{16D63}\u{16D68}",
      "\u{C1}", "A\u{301}", "\u{10041}\u{301}", "\u{11F41}\u{300}", "\u{1F43}",
      "\u{1112E}", "\u{11131}\u{11127}", "\u{20041}\u{301}\u{C1}", "\u{20041}\u{301}A\u{301}",
    ]
    let test = try CollectionStore()
    var expected: [String: Int] = [:]
    try test.store.write {
      for (number, key) in keys.enumerated() {
        test.sets.numbers[key] = number
        expected[key] = number
      }
    }
    #expect(expected.count == 13)
    #expect(test.sets.numbers.count == expected.count)
    for key in keys { #expect(test.sets.numbers[key] == expected[key], "\(key.unicodeScalars)") }
    try test.place.expectWhole()
  }

  @Test(arguments: ["", String(repeating: "k", count: 16_385)])
  func `a key that is not allowed makes the write fail`(key: String) throws {
    let test = try CollectionStore()
    let error = try expectError(.invalidMapKey) {
      try test.store.write { test.sets.numbers[key] = 1 }
    }
    #expect("\(error)".contains("SetHolder.numbers"))
    #expect(test.sets.numbers.isEmpty && test.sets.numbers[key] == nil)
    let unmanaged: StoredMap<String, Int> = [key: 1]
    #expect(unmanaged.count == 1)
    try expectError(.invalidMapKey) {
      try test.store.write { try test.store.add(SetHolder(id: 2, numbers: unmanaged)) }
    }
    #expect(!unmanaged.isManaged)
  }

  @Test func `a map holds optionals, objects and embedded objects`() throws {
    let test = try CollectionStore()
    let (a, b) = (Friend(name: "a"), Friend(name: "b"))
    let parts = ["x", "y", "z"].map { Part(name: $0) }
    try test.store.write {
      test.sets.optionalNumbers = ["one": 1, "none": nil]
      test.sets.friendsByName = ["a": a, "b": b, "again": a]
      test.sets.partsByName["x"] = parts[0]
      test.sets.partsByName["y"] = parts[1]
    }
    #expect(test.sets.optionalNumbers["none"] == .some(nil))
    #expect(test.sets.optionalNumbers["other"] == nil && test.sets.optionalNumbers.count == 2)
    #expect(test.sets.friendsByName["again"] == a && test.sets.friendsByName.count == 3)
    #expect(test.sets.friendsByName == ["again": a, "b": b, "a": a])
    try test.store.write {
      try test.store.delete(a)
      test.sets.optionalNumbers["none"] = nil
      test.sets.partsByName["x"] = parts[2]
      #expect(test.sets.partsByName.removeValue(forKey: "y")?.isInvalidated == true)
      test.sets.partsByName["z"] = Part(name: "w")
    }
    #expect(test.sets.optionalNumbers == ["one": 1])
    #expect(test.sets.friendsByName.keys == ["b"])
    #expect(test.sets.partsByName.map { "\($0.key)\($0.value.name)" } == ["xz", "zw"])
    #expect(parts[0].isInvalidated && parts[1].isInvalidated && !parts[2].isInvalidated)
    try test.place.expectWhole()
  }

  @Test func `a map becomes managed with its object and is copied`() throws {
    let test = try CollectionStore()
    let other = SetHolder(id: 2, numbers: ["a": 1])
    let map = other.numbers
    try test.store.write {
      try test.store.add(other)
      map["b"] = 2
      test.sets.numbers = other.numbers
      test.sets.numbers = test.sets.numbers
      test.sets.numbers["c"] = 3
    }
    #expect(map.isManaged && other.numbers == ["a": 1, "b": 2])
    #expect(test.sets.numbers == ["a": 1, "b": 2, "c": 3])
    try test.place.expectWhole()
  }

  @Test func `a large map may be changed while it is gone through`() throws {
    let test = try CollectionStore()
    let map = test.sets.numbers
    try test.store.write {
      for number in 0..<5_000 { map["key \(number)"] = number }
      for (key, value) in map where value.isMultiple(of: 2) { map[key] = value + 1 }
      #expect(map.values.allSatisfy { !$0.isMultiple(of: 2) })
      for (key, _) in map where key.hasSuffix("7") { map[key] = nil }
    }
    #expect(map.keys == map.keys.sorted() && map.count < 5_000)
    try test.place.expectWhole()
  }

  @Test func `maps are described and coded as dictionaries`() throws {
    let map: StoredMap<String, Int> = ["b": 2, "a": 1]
    #expect("\(map)" == #"["a": 1, "b": 2]"# && "\(StoredMap<String, Int>())" == "[:]")
    #expect(String(reflecting: map) == #"StoredMap<String, Int>(["a": 1, "b": 2])"#)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let coded = try encoder.encode(map)
    #expect(String(decoding: coded, as: UTF8.self) == #"{"a":1,"b":2}"#)
    #expect(try JSONDecoder().decode(StoredMap<String, Int>.self, from: coded) == map)
  }
}
