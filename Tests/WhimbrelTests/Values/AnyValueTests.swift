import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Model
final class Holder {
  @PrimaryKey var key: Int
  var value: AnyValue = AnyValue.none
  var values: StoredList<AnyValue>
  var set: StoredSet<AnyValue>
  var map: StoredMap<String, AnyValue>
}

@Suite struct AnyValueTests {
  private static let models: [any Model.Type] = [
    Holder.self, Town.self, Land.self, TownPlace.self,
  ]

  private static func samples() throws -> [AnyValue] {
    [
      .none, true, false, 5, .int(.min), .float(1.5), 2.5, .double(-0.0), .decimal(7),
      .decimal(Decimal(string: "0.1") ?? 0), "text", "",
      .string(String(repeating: "long ", count: 900)),
      .data(Data([1, 2])), .data(Data(count: 5_000)), .date(Date(timeIntervalSince1970: 0.1)),
      .uuid(UUID()), .objectId(.generate()), [1, "two", [nil, 3.5], ["k": [:]]], [], [:],
      ["a": true, "ä": ["b": .float(.infinity)]],
    ]
  }

  @Test func `every kind is kept, in properties and in collections`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let samples = try Self.samples()
    try store.write {
      for (key, sample) in samples.enumerated() {
        let holder = Holder(key: key, value: sample)
        holder.values = [sample, .none, sample]
        holder.set = [sample, sample, 77]
        holder.map = ["m": sample]
        try store.add(holder)
        let other = Holder(key: -1 - key)
        try store.add(other)
        other.value = sample
        other.values.append(sample)
        other.set.insert(sample)
        other.map["m"] = sample
      }
    }
    let reader = try test.open()
    for (key, sample) in samples.enumerated() {
      let holder = try #require(reader.object(ofType: Holder.self, forPrimaryKey: key))
      #expect(holder.value == sample && holder.value.hashValue == sample.hashValue)
      #expect(Array(holder.values) == [sample, .none, sample] && holder.map["m"] == sample)
      #expect(holder.set.count == 2 && holder.set.contains(sample))
      let other = try #require(reader.object(ofType: Holder.self, forPrimaryKey: -1 - key))
      #expect(other.value == sample && Array(other.values) == [sample])
      #expect(other.map["m"] == sample && other.set.contains(sample))
    }
    try test.expectWhole()
  }

  // A cast to a class made an `NSSet` of it first, which overflowed the stack.
  @Test func `a Set of decimals becomes a list`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let prices: Set<Decimal> = [1]
    try store.write {
      let values: [String: Any] = ["key": 1, "value": ["prices": prices]]
      let holder = try store.create(Holder.self, value: values)
      #expect(holder.value == ["prices": [.decimal(1)]])
      try holder.setValue(prices, forKey: "value")
      #expect(holder.value == [.decimal(1)])
      #expect(throws: StoreError.self) { try holder.setValue(prices, forKey: "map") }
    }
  }

  @Test func `kinds are told apart, and equal values are equal`() {
    #expect(AnyValue.int(1) != .double(1) && AnyValue.double(1) != .float(1))
    #expect(AnyValue.double(-0.0) == 0.0 && AnyValue.double(.nan) == .double(-.nan))
    #expect(AnyValue.string("\u{E9}") == .string("e\u{301}"))
    #expect(AnyValue.none != [] && AnyValue.list([]) != .map([:]) && AnyValue.bool(true) != 1)
    let set: Set<AnyValue> = [
      .double(.nan), .double(-.nan), 0.0, .double(-0.0), .decimal(10),
      .decimal(Decimal(string: "10.00") ?? 0), "\u{E9}", "e\u{301}", .none, nil,
    ]
    #expect(set.count == 5)
    let town = Town(code: "a")
    #expect(AnyValue.object(town) == .object(town))
    #expect(AnyValue.object(town) != .object(Town(code: "a")))
    #expect(AnyValue.object(town) != .object(Land(code: "a", name: "")))
    #expect(AnyValue.object(town) != .none)
    let value: AnyValue = ["k": [1, "x"]]
    #expect(value["k"]?[1]?.stringValue == "x" && value["j"] == nil && value["k"]?[2] == nil)
    #expect(value["k"]?[0]?.intValue == 1 && value["k"]?[0]?.doubleValue == nil)
    #expect(AnyValue.none.isNone && !value.isNone)
  }

  @Test func `objects are added with the value, and are links`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let town = Town(code: "t", land: Land(code: "AD", name: "Andorra"))
    let holder = Holder(key: 1, value: ["k": [.object(town), .object(town)]])
    try store.write { try store.add(holder) }
    #expect(town.isManaged && holder.value["k"]?[1]?.object(Town.self) == town)
    #expect(holder.value["k"]?[1]?.object(Land.self) == nil)
    try store.write {
      holder.value = .object(holder)
      holder.values = [.object(Town(code: "u")), .object(town), 5]
      holder.set = [.object(town), .object(Land(code: "L", name: "l")), .object(town)]
      holder.map["t"] = .object(town)
    }
    #expect(holder.value.object(Holder.self) == holder)
    #expect(holder.values[0].object(Town.self)?.code == "u")
    #expect(holder.set.count == 2 && holder.set.contains(.object(town)))
    let later = try test.open()
    try store.write { try store.delete(town) }
    #expect(holder.values.map(\.isNone) == [false, true, false])
    #expect(holder.map["t"].map(\.isNone) ?? true)
    let old = later.object(ofType: Holder.self, forPrimaryKey: 1)
    #expect(old?.values[1].object(Town.self)?.code == "t")
    try test.expectWhole()
  }

  // Each deleted object read and wrote the whole value.
  @Test func `a value is searched once for all objects that are deleted with one call`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let count = 1_000
    let towns = (0..<count).map { Town(code: "\($0)") }
    let (holder, leaving) = (Holder(key: 1), Holder(key: 2))
    try store.write {
      try store.add(towns)
      try store.add([holder, leaving])
      holder.value = ["k": .list(towns.map(AnyValue.object)), "n": 5]
      holder.values = [.list(towns.map(AnyValue.object)), .object(towns[1])]
      leaving.value = [.object(leaving), .object(holder), .object(towns[1])]
    }
    try store.write {
      try store.delete((0..<count).filter { $0 % 3 > 0 }.map { towns[$0] })
      try store.delete(leaving)
    }
    let kept = (0..<count).map { $0 % 3 == 0 ? "\($0)" : nil }
    for list in [holder.value["k"], holder.values[0]] {
      #expect(list?.listValue?.map { $0.object(Town.self)?.code } == kept)
    }
    #expect(holder.value["n"] == 5 && holder.values[1].isNone)
    try test.expectWhole()
  }

  @Test func `an object of a class that the store does not declare is unknown, and stays`()
    throws
  {
    let test = try TestStore(Self.models)
    do {
      let store = try test.open()
      try store.write {
        try store.add(Holder(key: 1, value: [.object(Land(code: "AD", name: "Andorra")), 5]))
      }
    }
    do {
      let store = try test.open([Holder.self])
      let holder = try #require(store.objects(Holder.self).first)
      guard case .unknownObject("Land", let reference) = holder.value[0] else {
        Issue.record("\(holder.value)")
        return
      }
      #expect(reference.id == ObjectID(rawValue: 1))
      try store.write { holder.value = .list([6, holder.value[0] ?? .none]) }
    }
    let store = try test.open()
    let land = store.objects(Holder.self).first?.value[1]?.object(Land.self)
    #expect(land?.name == "Andorra")
    try test.expectWhole()
  }

  private func nested(_ depth: Int) -> AnyValue {
    (0..<depth).reduce(AnyValue.int(1)) { value, number in
      number % 2 == 0 ? .list([value]) : .map(["k": value])
    }
  }

  @Test func `values are nested 100 levels deep and not deeper`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let holder = Holder(key: 1, value: nested(100))
    try store.write { try store.add(holder) }
    #expect(holder.value == nested(100))
    try store.write {
      let error = try expectError(.nestedTooDeep) {
        try store.add(Holder(key: 2, value: nested(101)))
      }
      let text = "Could not set 'Holder.value': lists and maps are nested more than 100 levels"
      #expect(error.description.hasPrefix(text))
      try expectError(.nestedTooDeep) { try holder.setValue(nested(101), forKey: "value") }
    }
    for change in [
      { holder.value = nested(500) }, { holder.values.append(nested(101)) },
      { holder.map["k"] = nested(101) },
    ] {
      try expectError(.nestedTooDeep) { try store.write { change() } }
    }
    #expect(holder.value == nested(100) && holder.values.isEmpty)
    try test.expectWhole()
  }

  @Test func `what cannot be in a value is an error`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let holder = Holder(key: 1)
    try store.write { try store.add(holder) }
    try expectError(.embeddedNeedsOwner) {
      try store.write { holder.value = .object(TownPlace(latitude: 1)) }
    }
    try expectError(.unknownClass) {
      try store.write { holder.value = [.object(TownNote(text: "n"))] }
    }
    let other = try TestStore(Self.models).open()
    let town = Town(code: "t")
    try other.write { try other.add(town) }
    try expectError(.objectOfOtherStore) { try store.write { holder.value = .object(town) } }
    #expect(holder.value == .none)
    try test.expectWhole()
  }

  @Test func `values of other types are taken by name`() throws {
    let test = try TestStore(Self.models)
    let store = try test.open()
    let holder = Holder(key: 1)
    try store.write {
      try store.add(holder)
      try holder.setValue(5, forKey: "value")
      #expect(holder.value == 5)
      try holder.setValue(["a": [1.5, Town(code: "t"), nil]] as [String: Any], forKey: "value")
      #expect(holder.value["a"]?[0] == 1.5 && holder.value["a"]?[2]?.isNone == true)
      #expect(holder.value["a"]?[1]?.object(Town.self)?.isManaged == true)
      try holder.setValue([1, "x"] as [Any], forKey: "values")
      #expect(Array(holder.values) == [1, "x"])
      try holder.setValue(nil, forKey: "value")
      #expect(holder.value.isNone)
      let error = try expectError(.wrongType) { try holder.setValue(self, forKey: "value") }
      #expect("\(error)".contains("it holds 'any' and was given 'AnyValueTests'"))
    }
    try test.expectWhole()
  }

  // Every number with a fraction or more than 19 digits became a `Double`.
  @Test func `a number of JSON keeps its digits`() throws {
    let decimals = [
      "12345678901234567890123456789012345678", "0.12345678901234567", "-123456789012345.678901234",
    ]
    let doubles = [0.1, 0.30000000000000004, 1e300, 1e-300, .leastNonzeroMagnitude, -1.5]
    let texts = decimals + doubles.map(\.description)
    let json = Data("[\(texts.joined(separator: ","))]".utf8)
    let expected: [AnyValue] =
      try decimals.map { .decimal(try #require(Decimal(string: $0))) } + doubles.map { .double($0) }
    let values = try JSONDecoder().decode([AnyValue].self, from: json)
    #expect(values == expected)
    #expect(try JSONDecoder().decode([AnyValue].self, from: JSONEncoder().encode(values)) == values)
  }
}
