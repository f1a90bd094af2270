import Foundation
import Testing
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelLMDB
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// Changes of objects whose records are damaged.
struct DamagedEditTests {
  private let folder: TestFolder
  private var path: String { folder.path("a.whimbrel") }

  private static let part = ClassSchema(
    name: "Part", isEmbedded: true, properties: [PropertySchema(name: "name", type: .string)])
  private static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "key", type: .string, isPrimaryKey: true),
      PropertySchema(name: "text", type: .string, isOptional: true, isIndexed: true),
      PropertySchema(name: "city", type: .string, defaultValue: .value("unknown")),
      PropertySchema(name: "must", type: .string),
      PropertySchema(name: "size", type: .int, isIndexed: true),
      PropertySchema(name: "body", type: .string, isOptional: true),
      PropertySchema(name: "friend", type: .link(to: "Person")),
      PropertySchema(name: "part", type: .link(to: "Part")),
      PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
    ], indexes: [IndexSchema(["text", "size"]), IndexSchema(["must"], .unique)])
  private static let number = ClassSchema(
    name: "Number",
    properties: [
      PropertySchema(name: "number", type: .int, isPrimaryKey: true),
      PropertySchema(name: "word", type: .string, isOptional: true),
    ])

  init() throws {
    folder = try TestFolder()
    try makeStore(at: path, [Self.part, Self.person, Self.number]) { session in
      let people = try session.table("Person")
      var last: ObjectID?
      for number in 1...5 {
        let part = try session.table("Part").create(
          ["name": .string("part \(number)")], replacing: false)
        last = try people.create(
          [
            "key": .string("person \(number)"), "text": .string("text \(number)"),
            "city": .string("city \(number)"), "must": .string("must \(number)"),
            "size": .int(Int64(number)), "part": .link(part),
            "body": .string(String(repeating: "body \(number) ", count: 400)),
            "friend": last.map { .link($0) } ?? .null,
            "tags": .list([.string("tag \(number)"), .string("other \(number)")]),
          ], replacing: false)
        _ = try session.table("Number").create(
          ["number": .int(Int64(number)), "word": .string("word \(number)")], replacing: false)
      }
    }
  }

  /// Changes the beginning of a text in the record of a person, or elsewhere if it is not there.
  private func damage(_ text: String, _ other: [UInt8]) throws {
    let digit = text.first { $0.isNumber }
    let number = try #require(digit)
    // A record has its texts in a row. Indexes have some of them, too.
    let texts = Data("person \(number)text \(number)city \(number)must \(number)".utf8)
    let place = texts.range(of: Data(text.utf8))?.lowerBound
    try change(place == nil ? Data(text.utf8) : texts) { bytes, start in
      let start = start + (place ?? 0)
      bytes.replaceSubrange(start..<start + other.count, with: other)
    }
  }

  /// Changes all copies of some bytes: LMDB leaves old ones in the free space of pages.
  private func change(_ found: Data, _ body: (inout Data, Data.Index) -> Void) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    var copies: [Data.Index] = []
    var rest = bytes.startIndex
    while let range = bytes[rest...].range(of: found) {
      copies.append(range.lowerBound)
      rest = range.upperBound
    }
    try #require(!copies.isEmpty)
    for copy in copies { body(&bytes, copy) }
    try bytes.write(to: URL(filePath: path))
  }

  private func set(
    _ name: String, of className: String = "Person", discards: Bool = true, _ values: String...
  ) throws -> String {
    let operation = StoreEdit.Operation.set(class: className, .named([name]), .texts(values))
    var (preview, done) = ("", "")
    let before = folder.contents("a.whimbrel")
    try StoreEdit(path: path, [operation], discardsDamagedValues: discards)
      .run(.preview) { preview += $0.text }
    #expect(folder.contents("a.whimbrel") == before)
    try StoreEdit(path: path, [operation], discardsDamagedValues: discards)
      .run(.write(backup: nil)) { done += $0.text }
    #expect(done == preview)
    return done
  }

  private func value(_ property: String, of key: String) throws -> PropertyValue {
    let session = try readOnlySession(path)
    let table = try session.table("Person")
    let id = try table.object(named: key)
    let record = try #require(try table.record(id))
    return try table.value(table.resolved.requiredPosition(of: property), of: record, id)
  }

  private func expectSound() throws {
    #expect(try integrityFindings(path) == [])
    #expect(try StoreCheck(path: path).run().findings == [])
    #expect(try readOnlySession(path).damage() == [])
  }

  @Test func `without the option, a change of a damaged object is refused`() throws {
    try damage("city 2", Array("c".utf8) + [0xFF])
    let before = folder.contents("a.whimbrel")
    do {
      _ = try set("person 2", discards: false, "size=7")
      Issue.record("It was done.")
    } catch let error as StoreError {
      #expect(error.code == .damaged)
      let hint = ErrorWords(error).hint
      #expect(hint.contains("whimbrel check") && hint.contains("whimbrel salvage"))
    }
    #expect(folder.contents("a.whimbrel") == before)
  }

  @Test func `a value that cannot be read becomes its default`() throws {
    try damage("city 2", Array("c".utf8) + [0xFF])
    let text = try set("person 2", "size=7")
    #expect(
      text.hasSuffix(
        """
            city: + "unknown"
            size: + 7
            discards 'city', which cannot be read

        """), "\(text)")
    try expectSound()
    #expect(try value("text", of: "person 2") == .string("text 2"))
    #expect(try value("size", of: "person 2") == .int(7))
    #expect(try value("tags", of: "person 2") == .list([.string("tag 2"), .string("other 2")]))
    #expect(
      try value("body", of: "person 2") == .string(String(repeating: "body 2 ", count: 400)))
  }

  @Test func `an indexed value that cannot be read becomes nil, and its entry goes`() throws {
    try damage("text 3", [0xC0, 0xC0])
    let text = try set("person 3", "city=Paris")
    #expect(text.contains("discards 'text'") && text.contains("text: + null"), "\(text)")
    try expectSound()
    #expect(try value("text", of: "person 3") == .null)
  }

  @Test func `a value outside of the record becomes nil`() throws {
    try damage("body 4 body 4 body 4 ", [0x58])
    #expect(try set("person 4", "city=Paris").contains("discards 'body'"))
    try expectSound()
    #expect(try value("body", of: "person 4") == .null)
    #expect(try value("city", of: "person 4") == .string("Paris"))
  }

  @Test func `a record that only has a wrong checksum keeps what it has`() throws {
    try damage("city 1", Array("CITY".utf8))
    let text = try set("person 1", "size=1")
    #expect(text.hasSuffix("\n    size: + 1\n") && !text.contains("discards"), "\(text)")
    try expectSound()
    #expect(try value("city", of: "person 1") == .string("CITY 1"))
  }

  @Test func `a value that must be there is refused by name, unless it is given`() throws {
    try damage("must 5", [0xFF])
    let error = try #require(
      #expect(throws: InspectionError.self) { try set("person 5", "size=7") })
    #expect(error.code == .unreadableValue)
    #expect(error.message.contains("value of 'must'"), "\(error)")
    #expect(try set("person 5", "must=new").contains(#"must: + "new""#))
    try expectSound()
    #expect(try value("must", of: "person 5") == .string("new"))
  }

  @Test func `a value that another object has is refused`() throws {
    try damage("city 2", [0xFF])
    #expect(throws: StoreError.self) { try set("person 2", "must=must 3") }
    #expect(try set("person 2", "must=must 2").contains("discards 'city'"))
    try expectSound()
  }

  @Test func `an object without a readable primary key is refused`() throws {
    // The key is in its index, too. The record has its values together.
    try change(Data("person 2text 2".utf8)) { bytes, start in bytes[start] = 0xFF }
    let error = try #require(
      #expect(throws: InspectionError.self) { try set("person 2", "size=7") })
    #expect(error.message.contains("primary key 'key' cannot be read"), "\(error)")
    #expect(error.recovery.contains("salvage"))
  }

  @Test(arguments: ["4", "id:\(ObjectID(clusteredKey: 4).rawValue)"])
  func `an object whose ID is its key is found`(_ name: String) throws {
    try damage("word 4", [0xFF])
    #expect(try set(name, of: "Number", "word=new").contains(#"word: + "new""#))
    try expectSound()
    try damage("word 3", [0xFF])
    #expect(try set("3", of: "Number", "number=3").contains("discards 'word'"))
    try expectSound()
  }

  @Test func `an embedded object of a lost link goes, and links to the object stay`() throws {
    let session = try readOnlySession(path)
    let table = try session.table("Person")
    let id = try table.object(named: "person 2")
    let record = try #require(try table.record(id)).array
    let place = try #require(
      table.resolved.written.layout.fields.first { $0.type == .link(to: "Part") })
    session.close()
    try change(Data(record)) { bytes, start in bytes[start + place.slot.offset + 3] ^= 0x40 }
    let text = try set("person 2", "size=9")
    #expect(text.contains("discards 'part'"), "\(text)")
    try expectSound()
    #expect(try value("part", of: "person 2") == .null)
    let after = try readOnlySession(path)
    #expect(try after.table("Part").count() == 4)
    #expect(try value("friend", of: "person 3") == .link(id))
  }

  @Test func `objects that are not damaged are changed as ever`() throws {
    let text = try set("person 2", "size=7")
    #expect(text.contains("size: 2 → 7") && !text.contains("discards"), "\(text)")
    try expectSound()
  }
}

/// Changes for which the map of the file is too small.
struct GrowingEditTests {
  @Test(.takesLong, arguments: [StoreEdit.Mode.preview, .write(backup: nil)])
  func `a change that needs a larger map is made, and reported once`(
    _ mode: StoreEdit.Mode
  ) throws {
    let folder = try TestFolder()
    let path = folder.path("a.whimbrel")
    let item = ClassSchema(
      name: "Item",
      properties: [
        PropertySchema(name: "number", type: .int, isPrimaryKey: true),
        PropertySchema(name: "text", type: .string, isOptional: true),
      ])
    try makeStore(at: path, [item]) { session in
      for number in 1...10 {
        _ = try session.table("Item").create(["number": .int(Int64(number))], replacing: false)
      }
    }
    // More than the room for 64 MiB that each write is given.
    let text = String(repeating: "n", count: 16 << 20)
    var reports = 0
    let edit = StoreEdit(
      path: path, [.set(class: "Item", .query(""), .texts(["text=\(text)"]))],
      maximumSize: 1 << 20)
    let summary = try edit.run(mode) { _ in reports += 1 }
    #expect(summary.changed == 10)
    #expect(reports == 10)
    let session = try readOnlySession(path)
    #expect(try session.table("Item").count() == 10)
    #expect(try integrityFindings(path) == [])
  }
}
