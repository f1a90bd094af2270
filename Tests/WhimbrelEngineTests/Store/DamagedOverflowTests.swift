import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Damage in what lies outside of records: an error, never a crash, and the check
/// of the store's integrity finds it.
struct DamagedOverflowTests {
  private static let note = ClassSchema(
    "Note", .required("text", .string), .required("any", .any), .list("list", .string),
    .list("numbers", .int), .set("set", .string), .map("map", .any),
    .list("notes", .link(to: "Note")), .list("parts", .link(to: "Part")))
  private static let part = ClassSchema.embedded("Part", .required("number", .int))

  private func store() throws -> TestStore {
    try TestStore([Self.note, Self.part]) { session in
      let long = PropertyValue.string(String(repeating: "long ", count: 400))
      let texts = (0..<300).map { $0 % 100 == 5 ? long : PropertyValue.string("text \($0)") }
      let first = try session.create("Note", ["text": "short", "any": 1])
      let parts = try (0..<150).map { number in
        PropertyValue.link(try session.create("Part", ["number": .int(number)]))
      }
      try session.create(
        "Note",
        [
          "text": .string(String(repeating: "x", count: 70_000)), "any": [long, [long]],
          "list": .list(texts), "numbers": .list((0..<500).map { .int($0) }),
          "set": .list(texts), "notes": .list(texts.map { _ in .link(first) }),
          "map": .map(Dictionary(uniqueKeysWithValues: texts.enumerated().map { ("\($0)", $1) })),
          "parts": .list(parts),
        ])
    }
  }

  /// Everything that can be read of the note, element by element too.
  private func read(_ session: Session) throws {
    let table = try session.table("Note")
    let id = ObjectID(rawValue: 2)
    guard let record = try table.record(id) else { return }
    var failure: (any Error)?
    for (position, property) in table.resolved.properties.enumerated() {
      do { _ = try table.value(position, of: record, id) } catch { failure = error }
      guard property.type.isCollection else { continue }
      do {
        try table.readCollection(position, of: id) { reader in
          for place in stride(from: 0, to: reader.count, by: max(reader.count / 7, 1)) {
            _ = try reader.value(at: place)
          }
          if case .set = property.type { _ = try reader.place(of: "text 77") }
          if case .map = property.type { _ = try reader.place(ofName: "77") }
        }
      } catch { failure = error }
    }
    if let failure {
      #expect((failure as? StoreError)?.code == .damaged, "\(failure)")
      throw failure
    }
  }

  private func overflow(
    _ session: Session, _ className: String = "Note"
  ) throws -> (Table, [(key: [UInt8], value: [UInt8])]) {
    let table = try #require(try session.table(className).overflowTable)
    var all: [(key: [UInt8], value: [UInt8])] = []
    let cursor = try session.view.cursor(table)
    var isInside = try cursor.move(to: .first)
    while isInside {
      all.append((cursor.key.array, cursor.value.array))
      isInside = try cursor.move(to: .next)
    }
    return (table, all)
  }

  /// Runs `body` in a write that is rolled back.
  private func trying(_ session: Session, _ body: (WriteView) throws -> Void) throws {
    do {
      try session.write {
        try body(session.requireWriting("damage"))
        throw BlockError()
      }
    } catch is BlockError {}
  }

  @Test(.takesLong) func `a wrong byte of any part is found and stops no reader`() throws {
    let store = try store()
    let session = try store.session()
    var generator = SeededGenerator(seed: 61)
    #expect(try IntegrityCheck.run(session) == [])
    try trying(session) { view in
      let (table, all) = try overflow(session)
      #expect(all.count > 20)
      for (key, healthy) in all {
        let other = Int.random(in: 16..<healthy.count, using: &generator)
        for offset in Array(0..<min(healthy.count, 32)) + [other, healthy.count - 1] {
          var damaged = healthy
          damaged[offset] ^= UInt8.random(in: 1...255, using: &generator)
          try view.put(table, key, damaged)
          _ = try? read(session)
          if offset % 8 == 0 || offset > 32 {
            let findings = try IntegrityCheck.run(session)
            if findings.isEmpty { Issue.record("\(key) at \(offset)") }
          }
        }
        try view.put(table, key, healthy)
      }
      #expect(try IntegrityCheck.run(session) == [])
    }
  }

  @Test func `a search in a damaged set or map is right or an error`() throws {
    let store = try TestStore([
      ClassSchema("Box", .set("set", .int), .map("map", .int))
    ]) { session in
      let numbers = (0..<2_000).map { PropertyValue.int(2 * $0 + 1) }
      let names = numbers.indices.map { (String(2 * $0 + 10_001), numbers[$0]) }
      try session.create(
        "Box", ["set": .list(numbers), "map": .map(Dictionary(uniqueKeysWithValues: names))])
    }
    let session = try store.session()
    var generator = SeededGenerator(seed: 63)
    var (rights, errors) = (0, 0)
    try trying(session) { view in
      let table = try session.table("Box")
      let (overflow, all) = try self.overflow(session, "Box")
      for (key, healthy) in all {
        // The first elements of a leaf are those that a search reads.
        var damaged = healthy
        let offset = Int.random(in: 16..<min(healthy.count, 48), using: &generator)
        damaged[offset] ^= UInt8.random(in: 1...255, using: &generator)
        try view.put(overflow, key, damaged)
        session.didWrite()
        for _ in 0..<60 {
          let number = Int.random(in: 0..<4_000, using: &generator)
          do {
            let isThere = try table.readCollection(0, of: ObjectID(rawValue: 1)) {
              try $0.place(of: .int(Int64(number))).isThere
            }
            #expect(isThere == (number % 2 == 1))
            let value = try table.readCollection(1, of: ObjectID(rawValue: 1)) {
              try $0.value(ofName: String(number + 10_000))
            }
            #expect(value == (number % 2 == 1 ? .int(Int64(number)) : nil))
            rights += 1
          } catch let error as StoreError {
            #expect(error.code == .damaged)
            errors += 1
          }
        }
        try view.put(overflow, key, healthy)
      }
    }
    #expect(rights > 100 && errors > 100)
  }

  @Test func `a search that meets a leaf without elements is right or an error`() throws {
    let store = try TestStore([ClassSchema("Box", .set("set", .int))]) { session in
      let numbers = (0..<2_000).map { PropertyValue.int(2 * $0 + 1) }
      try session.create("Box", ["set": .list(numbers)])
    }
    let session = try store.session()
    try trying(session) { view in
      let table = try session.table("Box")
      let (overflow, all) = try self.overflow(session, "Box")
      var errors = 0
      for (key, healthy) in all where healthy[4] == CollectionNode.Kind.fixedLeaf.rawValue {
        // The number of elements in the leaf is zero.
        var damaged = healthy
        damaged.replaceSubrange(8..<12, with: [0, 0, 0, 0])
        try view.put(overflow, key, damaged)
        session.didWrite()
        for number in stride(from: 0, to: 4_000, by: 7) {
          do {
            let isThere = try table.readCollection(0, of: ObjectID(rawValue: 1)) {
              try $0.place(of: .int(Int64(number))).isThere
            }
            #expect(isThere == (number % 2 == 1))
          } catch let error as StoreError {
            #expect(error.code == .damaged)
            errors += 1
          }
        }
        try view.put(overflow, key, healthy)
      }
      #expect(errors > 0)
    }
  }

  @Test(.takesLong) func `parts that are missing, cut, swapped, or too many are found`() throws {
    let store = try store()
    let session = try store.session()
    try trying(session) { view in
      let (table, all) = try overflow(session)
      func expectFound(_ what: String) throws {
        _ = try? read(session)
        if try IntegrityCheck.run(session).isEmpty { Issue.record("\(what)") }
      }
      for (index, (key, healthy)) in all.enumerated() {
        _ = try PageBytes.with(key) { key throws(LMDBError) in try view.remove(table, key) }
        try expectFound("\(key) missing")
        for length in [0, 4, 8, 15, 16, 24, healthy.count / 2 & ~7, healthy.count - 8] {
          try view.put(table, key, Array(healthy.prefix(length)))
          try expectFound("\(key) of \(length) bytes")
        }
        try view.put(table, key, healthy + [UInt8](repeating: 0, count: 8))
        try expectFound("\(key) longer")
        let other = all[(index + 1) % all.count]
        try view.put(table, key, other.value)
        try expectFound("\(key) another's")
        try view.put(table, key, healthy)
        for extra in [Array(key.dropLast()), key + [0], Array(key.prefix(15)) + [250]] {
          guard !all.contains(where: { $0.key == extra }) else { continue }
          try view.put(table, extra, healthy)
          try expectFound("\(extra) too many")
          _ = try PageBytes.with(extra) { key throws(LMDBError) in try view.remove(table, key) }
        }
      }
      let key = Overflow.key(ObjectID(rawValue: 1), PropertyID(rawValue: 1), 0)
      try view.put(table, key, all[0].value)
      try expectFound("of a short text")
    }
    #expect(try IntegrityCheck.run(session) == [])
  }

  @Test(.takesLong) func `changing a damaged object is an error or goes well`() throws {
    let store = try store()
    let session = try store.session()
    var generator = SeededGenerator(seed: 62)
    let (_, all) = try overflow(session)
    for (key, healthy) in all {
      for offset in [4, 5, 6, 8, 9, 12, 16, 17, 20, 24, 28, healthy.count - 9] {
        try trying(session) { view in
          let table = try session.table("Note")
          var damaged = healthy
          damaged[min(offset, healthy.count - 1)] ^= UInt8.random(in: 1...255, using: &generator)
          try view.put(try #require(table.overflowTable), key, damaged)
          let id = ObjectID(rawValue: 2)
          for position in [2, 3, 4, 5, 6, 7] {
            let values: [PropertyValue] = [
              "", "", "new", 7, "new", "new", .link(ObjectID(rawValue: 1)), .null,
            ]
            _ = try? table.editCollection(position, of: id) { editor in
              let count = try editor.count()
              switch position {
              case 4: _ = try editor.insertIntoSet(values[position])
              case 5: try editor.set(values[position], forName: "17x")
              case 7: try editor.removeSubrange(0..<min(count, 3))
              default:
                try editor.insert(values[position], at: count / 2)
                try editor.removeSubrange(count / 3..<count / 2)
              }
            }
          }
          _ = try? table.update(id) { encoder in
            try encoder.set(0, "short")
            try encoder.set(2, .list([]))
          }
          _ = try? table.remove(ObjectID(rawValue: 1))
          _ = try? table.remove(id)
          _ = try? IntegrityCheck.run(session)
        }
      }
    }
    #expect(try IntegrityCheck.run(session) == [])
  }

  // The number of elements stands in the root. With a right checksum it could be any, and who made
  // room for that many elements ended the program: the keys of a map, a query on a list.
  @Test func `a collection that claims more elements than there is room for is an error`() throws {
    let store = try store()
    let session = try store.session()
    let table = try session.table("Note")
    let id = ObjectID(rawValue: 2)
    let overflow = try #require(table.overflowTable)
    let claims: [UInt8] =
      [0, 0, 0, 0, CollectionNode.Kind.inner.rawValue, 1, 0, 0]
      + [1, 0, 0, 0, 2, 0, 0, 0] + [1, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 1, 0, 0]
    try trying(session) { view in
      for name in ["map", "notes"] {
        let position = try table.resolved.requiredPosition(of: name)
        let property = table.resolved.properties[position].id
        let root = OverflowWriter.signed(
          claims, seed: table.resolved.checksumSeed(id), property, 0)
        try view.put(overflow, Overflow.key(id, property, 0), root)
        let error = #expect(throws: StoreError.self) {
          try table.readCollection(position, of: id) { reader in
            _ = try (0..<reader.count).map { try reader.value(at: $0) }
          }
        }
        #expect(error?.code == .damaged)
      }
      #expect(throws: (any Error).self) {
        let request = QueryRequest(
          "Note", [], from: .collection(of: id, class: "Note", property: "notes"))
        _ = try BoundQuery(request, in: session).objectIDs()
      }
    }
  }

  @Test func `a large collection is read while it grows`() throws {
    let store = try store()
    let session = try store.session()
    let table = try session.table("Note")
    let position = try table.resolved.requiredPosition(of: "numbers")
    try trying(session) { _ in
      try table.editCollection(position, of: ObjectID(rawValue: 2)) { editor in
        try editor.append(contentsOf: (0..<200_000).lazy.map { .int($0) })
      }
      let count = try table.readCollection(position, of: ObjectID(rawValue: 2)) { $0.count }
      #expect(count == 200_500)
    }
  }

  // A checksum that is right says nothing about what a program has written: the check
  // must not stop at it.
  @Test func `a value of any type that is none is a finding`() throws {
    let schema = ClassSchema("Note", .required("any", .any))
    let store = try TestStore([schema]) { try $0.create("Note", ["any": "text"]) }
    let session = try store.session()
    try trying(session) { view in
      let table = try session.table("Note")
      let id = ObjectID(rawValue: 1)
      var encoder = RecordEncoder(table.resolved)
      encoder.begin()
      try encoder.set(0, any: [99, 1, 2])
      let record = try encoder.finish(id).array
      try PageBytes.with(record) { record throws(LMDBError) in
        _ = try view.put(table.objects, id.rawValue, record)
      }
      #expect(try IntegrityCheck.run(session).count == 1)
    }
  }
}
