import Testing
import WhimbrelEngine
import WhimbrelLMDB

/// Records that are damaged, in a migration that reads some ahead of their turn.
@Suite struct DamagedRecordTests {
  private static let old = [
    ClassSchema("Item", .key("key", .string), .required("text", .string)),
    ClassSchema("Other", .required("number", .int)),
  ]
  private static let new = [
    ClassSchema("Item", .key("key", .string), .required("text", .string), .required("size", .int)),
    ClassSchema("Other", .required("number", .int)),
  ]
  private static let count = 11

  /// A store in which one bit of an item is wrong.
  private func store(damaging number: Int) throws -> TestStore {
    let store = try TestStore(Self.old) { session in
      for number in 1...Self.count {
        // They are not all of one length.
        let text = String(repeating: "t", count: 7 * (number % 4))
        try session.create("Item", ["key": .string("k\(number)"), "text": .string(text)])
      }
    }
    try store.write { session in
      let table = try session.table("Item")
      let id = ObjectID(rawValue: UInt64(number))
      let record = try #require(try table.record(id))
      var bytes = record.array
      bytes[bytes.count - 8] ^= 4
      let view = try session.requireWriting("damage")
      try PageBytes.with(bytes) { bytes throws(LMDBError) in
        _ = try view.put(table.objects, id.rawValue, bytes)
      }
    }
    return store
  }

  private func expectDamage(_ number: Int, _ body: () throws -> Void) throws {
    let found = storeError(body)
    let error = try #require(found)
    #expect(error.code == .damaged)
    #expect(
      error.message.contains("object \(number) of class 'Item' cannot be read: its checksum"))
  }

  @Test(arguments: 1...count)
  func `a damaged object is met when it is its turn`(number: Int) throws {
    let store = try store(damaging: number)
    let visited = Notes<UInt64>()
    try expectDamage(number) {
      try store.open(Self.new, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "Item") { old, new in
          guard let old, let new else { return }
          visited.add(old.id.rawValue)
          try new.set("size", to: try old["text", as: String.self].utf8.count)
        }
      }
    }
    #expect(visited.all == Array(1..<UInt64(number)))
    let session = try store.session()
    #expect(try session.table("Item").count() == Self.count)
  }

  @Test(arguments: 1...count)
  func `a damaged object is an error where objects are only read`(number: Int) throws {
    let store = try store(damaging: number)
    let visited = Notes<UInt64>()
    try expectDamage(number) {
      try store.open([Self.new[1]], version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "Item") { old, _ in
          visited.add(old?.id.rawValue ?? 0)
        }
      }
    }
    #expect(visited.all == Array(1..<UInt64(number)))
  }

  @Test(arguments: [1, 4, 6, count])
  func `a damaged object is an error where no block looks at it`(number: Int) throws {
    let store = try store(damaging: number)
    let converted = ClassSchema(
      "Item", .key("key", .string), .required("text", .list(of: ElementType(.string))))
    try expectDamage(number) {
      try store.open([converted, Self.new[1]], version: 2) { _, _ in }
    }
  }
}
