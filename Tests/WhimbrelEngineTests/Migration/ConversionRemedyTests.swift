import Testing
import WhimbrelEngine

/// Values that do not convert by themselves: the block sets them, or they are named.
struct ConversionRemedyTests {
  private func store(_ values: [PropertyValue]) throws -> TestStore {
    try TestStore([ClassSchema("A", .key("key", .string), .optional("a", .int))]) { session in
      for (number, value) in values.enumerated() {
        try session.create("A", ["key": "k\(number)", "a": value])
      }
    }
  }

  private static let narrow = [ClassSchema("A", .key("key", .string), .optional("a", .int8))]

  @Test(arguments: [false, true])
  func `the block sets what does not convert`(_ isAhead: Bool) throws {
    let store = try store([1, 300, nil, -300])
    try store.open(Self.narrow, version: 2) { migration, _ in
      if isAhead {
        // Before its turn, so that it is copied for itself.
        let last = try #require(try migration.object(ofType: "A", forPrimaryKey: "k3"))
        #expect(last["a"] == .null)
        last["a"] = -128
      }
      try migration.enumerateObjects(ofType: "A") { old, new in
        guard let old, let new, case .int(let number) = old["a"], abs(number) > 127 else { return }
        if isAhead, number < 0 { return }
        #expect(new["a"] == .null)
        new["a"] = number > 0 ? 127 : -128
      }
    }
    #expect(try store.contents().values("A", "a") == [1, 127, nil, -128])
    #expect(try store.findings() == [])
  }

  @Test func `what the block leaves is named, with the type that it had`() throws {
    let store = try store([1, 300, 400])
    let before = try store.contents()
    let error = storeError {
      try store.open(Self.narrow, version: 2) { migration, _ in
        try migration.enumerateObjects(ofType: "A") { old, new in
          if old?["a"] == 300 { new?["a"] = 3 }
        }
      }
    }
    #expect(
      error?.description.hasPrefix(
        """
        Could not migrate 'A' from version 1 to 2: 'a' of object 3 (primary key 'k2') cannot be \
        converted from 'int' to 'int8' without loss. Set it in the migration block; set it to nil \
        where it has no value. 3 objects were rewritten; the store is unchanged.
        """) == true, "\(String(describing: error))")
    #expect(try store.contents() == before)
    #expect(try store.tableNames() == before.tableNames)
  }

  @Test func `without a block the error does not speak of one that there is`() throws {
    let store = try store([1, 300])
    let error = storeError { try store.open(Self.narrow, version: 2) }
    #expect(error?.code == .conversionFailed)
    #expect(error?.recovery.hasPrefix("Give the configuration a migration block") == true)
    let unset = storeError {
      try store.open(
        [ClassSchema("A", .key("key", .string), .optional("a", .int), .required("b", .int))],
        version: 2)
    }
    #expect(
      unset?.message.hasSuffix("nothing gives 'b' a value for object 1 (primary key 'k0').") == true
    )
    let changed = storeError {
      try store.open([ClassSchema("A", .key("key", .string), .optional("a", .date))], version: 2)
    }
    #expect(
      changed?.message.hasSuffix(
        "nothing converts 'a' from 'int' to 'date' for object 1 (primary key 'k0').") == true)
    let missing = try self.store([1, nil])
    let error2 = storeError {
      try missing.open([ClassSchema("A", .key("key", .string), .required("a", .int))], version: 2)
    }
    #expect(error2?.code == .migrationNil)
    #expect(error2?.recovery.hasPrefix("Give the configuration a migration block") == true)
  }

  @Test func `the plan says what may be left to the block`() throws {
    let store = try store([1])
    let narrow = try #require(try store.plan(Self.narrow, version: 2).changes.first)
    #expect(narrow.kind == .rewrite)
    #expect(narrow.note == "A migration block or rule must set the values that it cannot hold.")
    let text = [ClassSchema("A", .key("key", .string), .optional("a", .string))]
    #expect(try store.plan(text, version: 2).changes.map(\.note) == [nil])
    let required = [ClassSchema("A", .key("key", .string), .required("a", .string))]
    let changes = try store.plan(required, version: 2).changes
    #expect(
      changes.map(\.note) == Array(repeating: "Objects that have nil need a value.", count: 2))
  }

  // The plan told only of empty lists. The migration then failed for a list of two elements.
  @Test func `the plan says that a list may have too many elements for a required value`() throws {
    let store = try TestStore([
      ClassSchema("A", .key("key", .string), .required("a", .list(of: ElementType(.string))))
    ]) { session in
      try session.create("A", ["key": "k", "a": .list(["x", "y"])])
    }
    let one = [ClassSchema("A", .key("key", .string), .required("a", .string))]
    let change = try #require(try store.plan(one, version: 2).changes.first)
    #expect(change.kind == .rewrite)
    #expect(
      change.note
        == "Objects that have nil need a value. "
        + "A migration block or rule must set the values that it cannot hold.")
  }

  @Test func `an object that does not convert and goes is not missed`() throws {
    let store = try store([1, 300, 2])
    try store.open(Self.narrow, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if let new, old?["a"] == 300 { try migration.delete(new) }
      }
    }
    #expect(try store.contents().values("A", "a") == [1, 2])
    #expect(try store.findings() == [])
  }

  @Test func `a dry run fails in the same words, or succeeds with the same code`() throws {
    let store = try store([300])
    let block: MigrationBlock = { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, new in new?["a"] = 5 }
    }
    for (migration, code) in [(nil, .conversionFailed), (block, nil)]
      as [(MigrationBlock?, StoreError.Code?)]
    {
      let request = TestStore.request(store.path, Self.narrow, version: 2, migration: migration)
      #expect(storeError { _ = try StoreFile.dryRunMigration(request) }?.code == code)
    }
    #expect(try store.contents().values("A", "a") == [300])
  }

  @Test func `a text that is no case of its enum is set by the block`() throws {
    let old = [ClassSchema("A", .required("kind", .int))]
    let store = try TestStore(old) { session in
      for number in 1...3 { try session.create("A", ["kind": .int(Int64(number))]) }
    }
    let kind = PropertySchema(name: "kind", type: .string, cases: ["1", "2", "other"])
    let classes = [ClassSchema("A", kind)]
    #expect(storeError { try store.open(classes, version: 2) }?.code == .conversionFailed)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if old?["kind"] == 3 { new?["kind"] = "other" }
      }
    }
    #expect(try store.contents().values("A", "kind") == ["1", "2", "other"])
    #expect(try store.findings() == [])
  }

  @Test func `a key that does not convert is set by the block`() throws {
    let store = try TestStore([ClassSchema("A", .key("key"), .link("next", to: "A"))]) { session in
      let first = try session.create("A", ["key": 300])
      try session.create("A", ["key": 5, "next": .link(first)])
    }
    let classes = [ClassSchema("A", .key("key", .int8), .link("next", to: "A"))]
    #expect(storeError { try store.open(classes, version: 2) }?.code == .conversionFailed)
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        if old?["key"] == 300 { new?["key"] = 30 }
      }
    }
    let contents = try store.contents()
    #expect(Set(contents.values("A", "key")) == [30, 5])
    #expect(contents.values("A", "next").contains { $0 != .null })
    #expect(try store.findings() == [])
  }

  @Test func `elements of a collection are read converted, whoever asks first`() throws {
    let old = [ClassSchema("A", .key("key"), .list("a", .int), .set("b", .int), .map("c", .int))]
    let store = try TestStore(old) { session in
      for key in 0..<Int64(3) {
        try session.create("A", ["key": .int(key), "a": [1, 2], "b": [3], "c": .map(["x": 4])])
      }
    }
    let new = [
      ClassSchema("A", .key("key"), .list("a", .any), .set("b", .string), .map("c", .string))
    ]
    try store.open(new, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, _ in
        // The object that comes next, and the last: neither has had its turn.
        let key = (try #require(old)["key", as: Int64.self] + 1) % 3
        let other = try #require(try migration.object(ofType: "A", forPrimaryKey: .int(key)))
        #expect(try other.list("a").values() == [1, 2])
        #expect(try other.set("b").values() == ["3"])
        #expect(try other.map("c").value(forKey: "x") == "4")
      }
    }
    #expect(try store.contents().values("A", "b") == [["3"], ["3"], ["3"]])
    #expect(try store.findings() == [])
  }
}
