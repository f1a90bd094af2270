import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// What `print` shows.
@Suite struct PrintingTests {
  private func printed(_ value: Any) -> String {
    var text = ""
    print(value, terminator: "", to: &text)
    return text
  }

  @Test func `an object is its class and its properties`() throws {
    let (_, store) = try townStore()
    let town = Town(
      code: "a\"b", name: "A", people: 5, price: 0.5, note: nil,
      land: Land(code: "AD", name: "Andorra"), tags: ["x", "y"], marks: [3], prices: ["p": 1.5],
      neighbors: [Town(code: "n")], place: TownPlace(latitude: 1, label: "l"), extra: ["k": [1]])
    let text = """
      Town(code: "a\\"b", name: "A", climate: "warm", people: 5, small: 0, ratio: 0.0, \
      height: 0.0, price: 0.5, note: nil, offset: 60, land: Land("AD"), tags: ["x", "y"], \
      marks: [3], prices: ["p": 1.5], ranks: [], maybe: [], neighbors: [Town("n")], lands: [], \
      twins: [:], place: TownPlace(latitude: 1.0, longitude: 0.0, label: "l", land: nil), \
      border: [], extra: ["k": [1]])
      """
    #expect(printed(town) == text)
    try store.write { try store.add(town) }
    #expect(printed(town) == text)
    #expect("\(town)" == text && String(describing: town) == text)
    #expect(String(reflecting: town) == text)
    let found = try store.dynamicObject(ofType: "Town", forPrimaryKey: "a\"b")
    #expect(try "\(#require(found))" == text)
  }

  @Test func `an object without a primary key is known by its number`() throws {
    let (_, store) = try townStore()
    let note = TownNote(text: "t", uuid: UUID(uuidString: "00000000-0000-0000-0000-000000000001"))
    note.data = Data([1, 2, 3])
    note.next = TownNote(text: "u")
    let values = """
      made: 1970-01-01T00:00:00Z, data: 3 bytes, uuid: 00000000-0000-0000-0000-000000000001)
      """
    #expect("\(note)" == #"TownNote(text: "t", next: TownNote(…), "# + values)
    try store.write { try store.add(note) }
    let ids = try [#require(note.objectID), #require(note.next?.objectID)]
    #expect(
      "\(note)"
        == "TownNote(object \(ids[0]), text: \"t\", next: TownNote(object \(ids[1])), " + values)
  }

  @Test func `circles end, and long values are shortened`() throws {
    let (_, store) = try townStore()
    let town = Town(code: String(repeating: "é", count: 100))
    town.neighbors.append(town)
    town.twins["t"] = town
    town.tags = StoredList((1...12).map { "\($0)" })
    func check() {
      let text = "\(town)"
      let key = "\"\(String(repeating: "é", count: 60))…\" (200 bytes)"
      #expect(text.contains("code: \(key)") && text.contains("neighbors: [Town(\(key))]"))
      #expect(text.contains(#"tags: ["1", "2", "3", "4", "5", … 7 more]"#))
    }
    check()
    try store.write { try store.add(town) }
    check()
  }

  @Test func `an object that is deleted or whose store is closed says so`() throws {
    let test = try TestStore()
    let store = try test.open()
    let (node, numbered) = (Node(name: "a"), Numbered(number: 5, text: "t"))
    let kept = Node(name: "b")
    try store.write { try store.add([node, kept]) }
    try store.write { try store.add(numbered) }
    let id = try #require(node.objectID)
    try store.write {
      try store.delete(node)
      try store.delete(numbered)
    }
    #expect("\(node)" == "Node(object \(id): deleted)")
    // The key, and not the number under which its object is kept.
    #expect("\(numbered)" == "Numbered(5: deleted)")
    let results = store.objects(Node.self)
    #expect("\(results)".hasPrefix("1 object of 'Node':\n  Node(object "))
    #expect("\(store.objects(Numbered.self))" == "0 objects of 'Numbered'")
    try store.close()
    #expect("\(kept)".hasSuffix(": its store is closed)"))
    #expect("\(results)" == "objects of 'Node', whose store is closed")
  }

  @Test func `results are the first objects`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      try store.add((1...25).map { Numbered(number: $0, text: "t\($0)") })
    }
    let lines = "\(store.objects(Numbered.self))".split(separator: "\n")
    #expect(lines.count == 22 && lines[0] == "25 objects of 'Numbered':")
    #expect(lines[1] == #"  Numbered(number: 1, text: "t1", partner: nil, named: nil)"#)
    #expect(lines[21] == "  … 5 more")
    let two = store.objects(Numbered.self).where { $0.number > 23 }
    let text = """
      2 objects of 'Numbered':
        Numbered(number: 24, text: "t24", partner: nil, named: nil)
        Numbered(number: 25, text: "t25", partner: nil, named: nil)
      """
    #expect("\(two)" == text)
    #expect("\(store.objects(Numbered.self)[23..<25])" == text)
    #expect(try "\(store.dynamicObjects("Numbered").where("number > 23"))" == text)
  }

  @Test func `a model that has a description of its own is shown as that`() throws {
    let test = try TestStore([Described.self, DescribedByProperty.self])
    let store = try test.open()
    let object = Described(name: "n")
    #expect("\(object)" == "<n>" && printed(object) == "<n>")
    let other = DescribedByProperty(description: "d")
    #expect("\(other)" == #"DescribedByProperty(description: "d")"#)
    try store.write {
      try store.add(object)
      try store.add(other)
    }
    #expect("\(object)" == "<n>")
    #expect("\(store.objects(Described.self))" == "1 object of 'Described':\n  <n>")
    let id = try #require(other.objectID)
    #expect("\(other)" == "DescribedByProperty(object \(id), description: \"d\")")
    try store.write { try store.delete(other) }
    #expect("\(other)" == "DescribedByProperty(object \(id): deleted)")
  }

  @Test func `a value that was never set, and one that is no case, do not stop the program`()
    throws
  {
    let town = Town(code: "a")
    #expect("\(Land(code: "AD", name: "x"))" == #"Land(code: "AD", name: "x", capital: nil)"#)
    #expect("\(town)".contains("climate: \"warm\""))
    let test = try TestStore([Amount.self])
    let store = try test.open()
    let amount = Amount(name: "a", payer: Payer(name: "P", floors: [1], share: 0.5))
    let payer = #"payer: "{\"floors\":[1],\"name\":\"P\",\"share\":0.5}""#
    #expect("\(amount)".contains(payer))
    try store.write { try store.add(amount) }
    #expect("\(amount)".contains(payer))
  }

  @Test(arguments: 0..<Extremes.rounds)
  func `extreme values are printed, and twice the same`(round: Int) throws {
    let test = try TestStore()
    let store = try test.open()
    let object = Extremes.required(round)
    let text = "\(object)"
    #expect(text.count < 1_000)
    try store.write { try store.add(object) }
    #expect("\(object)".hasSuffix(text.dropFirst("Required(".count)))
  }
}

@Model
final class Described: CustomStringConvertible {
  @PrimaryKey var name: String
  var description: String { "<\(name)>" }
}

@Model
final class DescribedByProperty {
  var description: String
}
