import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

extension Town: Codable {}
extension Land: Codable {}
extension TownPlace: Codable {}
extension TownNote: Codable {}
extension Holder: Codable {}
extension Mapped: Codable {}

@Model
final class Signpost {
  var text: String
  var town: Closed?
}

/// A class that is not `Codable`.
@Model
final class Closed {
  var text: String
}

extension Signpost: Codable {}

/// A class with keys of its own.
@Model
final class Keyed: Codable {
  var name: String = "unnamed"
  var people: Int
  var secret: String?
  private enum CodingKeys: String, CodingKey {
    case name = "full_name"
    case people
  }
}

/// A class with a property that has another name in the store.
@Model
final class Renaming: Codable {
  @StoredName("link-count") var linkCount: Int = 0
}

/// The same, with keys of its own.
@Model
final class KeyedRenaming: Codable {
  @StoredName("link-count") var linkCount: Int = 0
  private enum CodingKeys: String, CodingKey { case linkCount }
}

@Suite struct ModelCodableTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func town() -> Town {
    let town = Town(code: "a", name: "A", climate: .cold, people: 3, price: 12)
    town.land = Land(code: "AD", name: "Andorra")
    town.tags = ["y", "x"]
    town.marks = [3, 1]
    town.prices = ["pQ": 1.5]
    town.ranks = [.high]
    town.maybe = [1, nil]
    town.neighbors = [Town(code: "b")]
    town.place = TownPlace(latitude: 1)
    town.border = [TownPlace(latitude: 2, label: "l")]
    town.extra = ["k": [1, 2.5, nil, "s"]]
    return town
  }

  private static let expected = """
    {"border":[{"label":"l","latitude":2,"longitude":0}],"climate":"cold","code":"a",\
    "extra":{"k":[1,2.5,null,"s"]},"height":0,"land":{"code":"AD","name":"Andorra"},"lands":[],\
    "marks":[1,3],"maybe":[1,null],"name":"A","neighbors":[{"border":[],"climate":"warm",\
    "code":"b","extra":null,"height":0,"lands":[],"marks":[],"maybe":[],"name":"unnamed",\
    "neighbors":[],"offset":60,"people":0,"price":0,"prices":{},"ranks":[],"ratio":0,"small":0,\
    "tags":[],"twins":{}}],"offset":60,"people":3,"place":{"latitude":1,"longitude":0},\
    "price":12,"prices":{"pQ":1.5},"ranks":[2],"ratio":0,"small":0,"tags":["y","x"],"twins":{}}
    """

  // They were ignored: the name was lost, and the secret was exported.
  @Test func `CodingKeys of a class name its keys, and leave out the other properties`() throws {
    #expect(
      try json(Keyed(name: "A", people: 1, secret: "s")) == #"{"full_name":"A","people":1}"#)
    let text = #"{"full_name":"B","name":"C","people":2,"secret":"t"}"#
    let decoded = try JSONDecoder().decode(Keyed.self, from: Data(text.utf8))
    #expect(decoded.name == "B")
    #expect(decoded.people == 2)
    #expect(decoded.secret == nil)
  }

  @Test func `a key is the name in the store, and a case of CodingKeys has the name in the code`()
    throws
  {
    #expect(try json(Renaming(linkCount: 2)) == #"{"link-count":2}"#)
    #expect(try json(KeyedRenaming(linkCount: 2)) == #"{"linkCount":2}"#)
    let decoded = try JSONDecoder().decode(Renaming.self, from: Data(#"{"link-count":3}"#.utf8))
    #expect(decoded.linkCount == 3)
  }

  @Test func `an object of a store and one of none are encoded alike, and decoded`() throws {
    let (test, store) = try townStore()
    let town = town()
    #expect(try json(town) == Self.expected)
    try store.write { try store.add(town) }
    #expect(try json(town) == Self.expected)
    let copy = try JSONDecoder().decode(Town.self, from: Data(Self.expected.utf8))
    #expect(!copy.isManaged && copy.land?.isManaged == false)
    #expect(try json(copy) == Self.expected)
    copy.code = "c"
    copy.land?.code = "cc"
    copy.neighbors.first?.code = "d"
    try store.write { try store.add(copy) }
    #expect(copy.border.first?.label == "l" && Array(copy.ranks) == [.high])
    try test.expectWhole()
  }

  @Test func `the strategies of an encoder apply`() throws {
    let note = TownNote(
      text: "t", made: Date(timeIntervalSince1970: 86_400), data: Data([1, 255]), uuid: UUID())
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(note), as: UTF8.self)
    let uuid = note.uuid?.uuidString ?? ""
    #expect(
      text
        == #"{"data":"Af8=","made":"1970-01-02T00:00:00Z","text":"t","uuid":"\#(uuid)"}"#)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let copy = try decoder.decode(TownNote.self, from: Data(text.utf8))
    #expect(copy.made == note.made && copy.data == note.data && copy.uuid == note.uuid)
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let town = Town(code: "a", prices: ["aB": 1])
    let snake = try encoder.encode(town)
    #expect(String(decoding: snake, as: UTF8.self).contains(#""prices":{"aB":1}"#))
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Town.self, from: snake).prices["aB"] == 1)
    let list = try PropertyListDecoder().decode(
      TownNote.self, from: PropertyListEncoder().encode(note))
    #expect(list.data == note.data && list.made == note.made)
  }

  @Test func `an object decoded from JSON is the same as one created from its values`() throws {
    let (test, store) = try townStore()
    let data = Data(Self.expected.utf8)
    let values = try JSONSerialization.jsonObject(with: data)
    let created = try store.write { try store.create(Town.self, value: values) }
    #expect(try json(created) == json(JSONDecoder().decode(Town.self, from: data)))
    try test.expectWhole()
  }

  @Test func `missing keys leave what an object starts with, others are errors`() throws {
    let decoder = JSONDecoder()
    func decode(_ text: String) throws -> Town {
      try decoder.decode(Town.self, from: Data(text.utf8))
    }
    let town = try decode(#"{"code": "a", "note": null, "unknown": 5}"#)
    #expect(town.name == "unnamed" && town.note == nil && town.tags.isEmpty && town.extra.isNone)
    func expectError(_ json: String, _ text: String) throws {
      let error = try #require(#expect(throws: DecodingError.self) { _ = try decode(json) })
      #expect("\(error)".contains(text), "\(error)")
    }
    try expectError("{}", "'Town' needs a value for 'code'")
    try expectError(#"{"code": null}"#, "code")
    try expectError(#"{"code": 5}"#, "code")
    try expectError(#"{"code": "a", "small": 128}"#, "dataCorrupted")
    try expectError(
      #"{"code": "a", "climate": "dry"}"#, "'Climate' has no case with that raw value")
    try expectError(
      #"{"code": "a", "offset": 5000}"#, "The value cannot be converted to 'TownOffset'")
    try expectError(#"{"code": "a", "land": {"code": "x"}}"#, "'Land' needs a value for 'name'")
    try expectError(#"{"code": "a", "tags": null}"#, "tags")
    try expectError(#"{"code": "a", "tags": [null]}"#, "tags")
    let closed = try #require(
      #expect(throws: (any Error).self) {
        _ = try json(Signpost(text: "s", town: Closed(text: "c")))
      })
    #expect("\(closed)".contains("'Closed' is not Encodable"), "\(closed)")
    #expect(try json(Signpost(text: "s")) == #"{"text":"s"}"#)
  }

  @Test func `a value of an app's own type is encoded as its own type does`() throws {
    let object = Mapped()
    object.range = 1..<5
    object.duration = .seconds(2)
    object.address = TownAddress(street: "s")
    object.map = ["a": TownOffset(minutes: 7)]
    object.maybes = [nil, TownOffset(minutes: 8)]
    let copy = try JSONDecoder().decode(Mapped.self, from: JSONEncoder().encode(object))
    #expect(copy.range == 1..<5 && copy.duration == .seconds(2) && copy.address.street == "s")
    #expect(copy.map["a"]?.minutes == 7)
    #expect(copy.maybes.map { $0?.minutes } == [nil, 8])
    #expect(copy.site == nil && copy.url == object.url)
    let text = try json(object)
    #expect(text.contains(#""address":{"area":0,"built":0,"parts":{},"street":"s"}"#))
  }

  @Test func `objects in a circle are an error that shows the way`() throws {
    let note = TownNote(text: "a")
    note.next = note
    let error = try expectError(.codingCycle) { _ = try json(note) }
    let text = """
      Could not encode an object of 'TownNote': its links form a cycle, or lead more than \
      100 objects deep: TownNote.next → TownNote.next → … → TownNote.next → TownNote.next → \
      TownNote.next → TownNote.next. Write 'encode(to:)' for the class, and encode the primary \
      key of the linked object instead of the object.
      """
    #expect(error.description == text)
    let (_, store) = try townStore()
    let town = Town(code: "a", land: Land(code: "AD", name: "Andorra"))
    town.land?.capital = town
    try store.write { try store.add(town) }
    let managed = try expectError(.codingCycle) { _ = try json(town) }
    #expect("\(managed)".contains("Town.land → Land.capital → … →"))
  }

  @Test func `a hundred objects deep is not too deep, on a small stack too`() async throws {
    let first = TownNote(text: "1")
    var last = first
    for number in 2...100 {
      let next = TownNote(text: "\(number)")
      last.next = next
      last = next
    }
    #expect(try json(first).hasSuffix(#""text":"1"}"#))
    let text = await withCheckedContinuation { continuation in
      let thread = Thread {
        let note = TownNote(text: "a")
        note.next = note
        let error = #expect(throws: StoreError.self) { _ = try JSONEncoder().encode(note) }
        continuation.resume(returning: error?.code.description ?? "")
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(text == "codingCycle")
  }

  @Test func `objects nested too deep are not decoded`() throws {
    func nested(_ count: Int) -> Data {
      let opening = String(repeating: #"{"text":"a","next":"#, count: count)
      return Data((opening + #"{"text":"z"}"# + String(repeating: "}", count: count)).utf8)
    }
    let note = try JSONDecoder().decode(TownNote.self, from: nested(100))
    #expect(sequence(first: note, next: \.next).map(\.text).last == "z")
    let error = try #require(throws: DecodingError.self) {
      try JSONDecoder().decode(TownNote.self, from: nested(101))
    }
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.debugDescription == "Objects are nested more than 100 levels deep.")
  }

  @Test func `what cannot be read is an error`() throws {
    let (_, store) = try townStore()
    let town = Town(code: "a")
    let unset = TownPlace(_$row: ModelRow())
    let missing = try expectError(.missingValue) { _ = try json(unset) }
    #expect(missing.context.propertyName == "latitude")
    try store.write {
      try store.add(town)
      try store.delete(town)
    }
    try expectError(.objectDeleted) { _ = try json(town) }
    try store.close()
    try expectError(.storeClosed) { _ = try json(town) }
  }

  @Test func `a value of any type is encoded as what it holds`() throws {
    let holder = Holder(key: 1, value: [true, .decimal(5), .object(Land(code: "L", name: "l"))])
    holder.map = ["d": .data(Data([1]))]
    let text = try json(holder)
    let expectedText = """
      {"key":1,"map":{"d":"AQ=="},"set":[],"value":[true,5,{"code":"L","name":"l"}],"values":[]}
      """
    #expect(text == expectedText)
    let copy = try JSONDecoder().decode(Holder.self, from: Data(text.utf8))
    let expected: AnyValue = [true, 5, ["code": "L", "name": "l"]]
    #expect(copy.value == expected)
    #expect(copy.map["d"]?.stringValue == "AQ==")
  }

  /// A property list has its own types for dates and data. What the encoder wrote was refused.
  @Test func `dates and data in a value of any type come back from a property list`() throws {
    let holder = Holder(key: 1, value: [.date(Date(timeIntervalSince1970: 2)), 5])
    holder.map = ["d": .data(Data([1]))]
    let bytes = try PropertyListEncoder().encode(holder)
    let copy = try PropertyListDecoder().decode(Holder.self, from: bytes)
    #expect(copy.value == [.date(Date(timeIntervalSince1970: 2)), 5])
    #expect(copy.map["d"] == .data(Data([1])))
  }
}
