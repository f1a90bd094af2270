import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Schema changes that add, keep, rebuild and remove indexes of several properties, unique and
/// full-text ones.
struct IndexMigrationTests {
  private static let plain: [PropertySchema] = [
    .key("key"), .required("name", .string), .optional("level", .int), .optional("text", .string),
  ]

  private static func classes(
    _ properties: [PropertySchema] = plain, _ indexes: IndexSchema...
  ) -> [ClassSchema] {
    [ClassSchema(name: "A", properties: properties, indexes: indexes)]
  }

  private static func store(_ classes: [ClassSchema], count: Int64 = 40) throws -> TestStore {
    try TestStore(classes) { session in
      for number in 0..<count {
        try session.create(
          "A",
          [
            "key": .int(number), "name": .string("n\(number % 7)"),
            "level": number % 5 == 0 ? nil : .int(number), "text": .string("swan n\(number)"),
          ])
      }
    }
  }

  private static let all = [
    IndexSchema(["name", "level"]), IndexSchema(["level"], .unique),
    IndexSchema(["text"], .fullText),
  ]

  /// How many entries the indexes have.
  private func counts(_ store: TestStore) throws -> [Int] {
    let session = try store.session()
    let table = try session.table("A")
    return try table.classIndexes.map { try session.view.count($0.table) }
  }

  @Test func `indexes come and go without a new version`() throws {
    let store = try Self.store(Self.classes())
    let (old, new) = (
      Self.classes(), [ClassSchema(name: "A", properties: Self.plain, indexes: Self.all)]
    )
    let plan = try store.plan(new, version: 1)
    #expect(plan.changes.map(\.kind) == [.indexBuild, .indexBuild, .indexBuild])
    #expect(
      plan.changes.map(\.change.description) == [
        "A unique index of 'level' of class 'A' has been added.",
        "An index of 'name' and 'level' of class 'A' has been added.",
        "A full-text index of 'text' of class 'A' has been added.",
      ])
    #expect(plan.changes[0].note == "No two objects may have the same values; nil does not count.")
    try store.open(new, version: 1)
    #expect(try store.findings() == [])
    #expect(try counts(store) == [40, 40, 80])
    #expect(try store.contents().generation("A") == 1)
    #expect(try store.plan(new, version: 1).isEmpty)
    #expect(try store.plan(old, version: 1).changes.map(\.kind) == [.instant, .instant, .instant])
    try store.open(old, version: 1)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
    #expect(try store.contents().catalog.schema == StoreSchema(classes: old))
  }

  @Test func `an index that stays is not built again`() throws {
    let store = try Self.store([ClassSchema(name: "A", properties: Self.plain, indexes: Self.all)])
    let before = try store.contents().tableNames
    let renamed: [PropertySchema] = [
      .required("title", .string, was: "name"), .key("key"), .optional("level", .int),
      .optional("words", .string, was: "text"), .required("more", .int, default: 5),
    ]
    let classes = [
      ClassSchema(
        name: "A", properties: renamed,
        indexes: [
          IndexSchema(["words"], .fullText), IndexSchema(["title", "level"]),
          IndexSchema(["level"], .unique),
        ])
    ]
    let plan = try store.plan(classes, version: 2)
    #expect(plan.changes.allSatisfy { $0.kind == .instant })
    #expect(!plan.changes.contains { $0.change.description.contains("index") })
    try store.open(classes, version: 2)
    #expect(try store.contents().tableNames == before)
    #expect(try store.findings() == [])
    // A class that is renamed keeps them, too.
    let other = [ClassSchema(name: "B", properties: renamed, indexes: classes[0].indexes)]
    try store.open(other, version: 3) { migration, _ in
      try migration.renameClass(from: "A", to: "B")
    }
    #expect(try store.contents().tableNames == before)
    #expect(try store.findings() == [])
  }

  @Test func `what changes the keys builds the index again`() throws {
    let indexes = [IndexSchema(["level", "name"]), IndexSchema(["name", "text"])]
    let old: [PropertySchema] = [
      .key("key"), .required("name", .string), .optional("level", .int32),
      .optional("text", .string),
    ]
    let store = try Self.store([ClassSchema(name: "A", properties: old, indexes: indexes)])
    let new: [PropertySchema] = [
      .key("key"), .required("name", .string), .optional("level", .double),
      .required("text", .string, default: ""),
    ]
    let classes = [ClassSchema(name: "A", properties: new, indexes: indexes)]
    #expect(
      try store.plan(classes, version: 2).changes.map(\.kind) == [
        .indexBuild, .indexBuild, .instant,
      ])
    try store.open(classes, version: 2)
    #expect(try store.contents().generation("A") == 1)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `a rewriting makes all indexes anew`() throws {
    let store = try Self.store([ClassSchema(name: "A", properties: Self.plain, indexes: Self.all)])
    let new: [PropertySchema] = [
      .key("key"), .required("name", .string), .optional("level", .string),
      .optional("text", .string),
    ]
    let classes = [ClassSchema(name: "A", properties: new, indexes: Self.all)]
    try store.open(classes, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { old, new in
        guard let new, case .int(let key) = try new.value("key") else { return }
        try new.set("text", to: .string("lake \(key)"))
        if key % 3 == 0 { try migration.delete(new) }
      }
    }
    #expect(try store.findings() == [])
    #expect(try counts(store) == [26, 26, 52])
    #expect(try store.contents().generation("A") == 2)
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test func `equal values are found before anything is changed, all of them`() throws {
    let store = try Self.store(Self.classes(), count: 30)
    let before = try store.contents()
    let long = String(repeating: "x", count: 1_000)
    try store.write { session in
      let table = try session.table("A")
      for (place, id) in try table.objectIDs().enumerated() where place < 4 {
        try table.update(id) { try $0.set(1, .string(long + "\(place / 2)")) }
        try table.update(id) { try $0.set(2, .int(1)) }
      }
    }
    let new = Self.classes(Self.plain, IndexSchema(["name", "level"], .unique))
    let found = try store.check(new, version: 1)
    #expect(found.map(\.rule) == Array(repeating: .uniqueIndex, count: 4))
    #expect(found.map(\.propertyName) == Array(repeating: "name, level", count: 4))
    #expect(Set(found.map(\.objectID.rawValue)).count == 4)
    let error = storeError { try store.open(new, version: 1) }
    #expect(error?.code == .migrationDuplicateKeys)
    #expect(error?.context.count == 2)
    #expect(error?.context.objectIDs.count == 4)
    #expect(error?.recovery.contains("higher schema version") == true)
    #expect(try store.findings() == [])
    #expect(try store.contents().catalog == before.catalog)
    try store.open(new, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "A") { _, new in
        guard let new, case .int(let key) = try new.value("key") else { return }
        try new.set("level", to: .int(key))
      }
    }
    #expect(try store.findings() == [])
  }

  @Test func `a finding says what it is about`() throws {
    let properties = [PropertySchema.required("name", .string), .required("level", .int)]
    let store = try TestStore(Self.classes(properties)) { session in
      for number in 0..<Int64(4) {
        try session.create("A", ["name": .string("n\(number % 2)"), "level": .int(number % 3)])
      }
    }
    #expect(
      try store.check(Self.classes(properties, IndexSchema(["name"], .unique)))
        .map(\.description) == [
          "'A.name' of object 1 is the same as in other objects, and its index is unique now.",
          "'A.name' of object 3 is the same as in other objects, and its index is unique now.",
          "'A.name' of object 2 is the same as in other objects, and its index is unique now.",
          "'A.name' of object 4 is the same as in other objects, and its index is unique now.",
        ])
    #expect(
      try store.check(Self.classes(properties, IndexSchema(["name", "level"], .unique))) == [])
  }

  @Test func `what stays nil does not count, whatever its default`() throws {
    let old = [PropertySchema.optional("name", .string)]
    let store = try TestStore(Self.classes(old)) { session in
      for _ in 0..<2 { try session.create("A", ["name": nil]) }
    }
    var name = old[0]
    name.defaultValue = .value("x")
    let optional = Self.classes([name], IndexSchema(["name"], .unique))
    #expect(try store.check(optional) == [])
    let required = Self.classes(
      [.required("name", .string, default: "x")], IndexSchema(["name"], .unique))
    #expect(try store.check(required).count == 2)
    #expect(storeError { try store.open(required, version: 2) }?.code == .migrationDuplicateKeys)
    try store.open(optional, version: 2)
    #expect(try store.findings() == [])
    // An index that stays lets nobody in either, when nil becomes a value.
    #expect(try store.check(required, version: 3).count == 2)
    #expect(storeError { try store.open(required, version: 3) }?.code == .migrationDuplicateKeys)
  }

  @Test func `undoing a migration brings the indexes of before back`() throws {
    let old = [ClassSchema(name: "A", properties: Self.plain, indexes: [Self.all[0], Self.all[2]])]
    let store = try Self.store(old)
    let before = try store.contents()
    let new: [PropertySchema] = [
      .key("key"), .required("name", .string), .optional("level", .string),
      .optional("text", .string),
    ]
    var request = TestStore.request(
      store.path, Self.classes(new, IndexSchema(["level", "key"], .unique)), version: 2)
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    #expect(try store.findings() == [])
    try StoreFile.open(OpenRequest(path: store.path)).undoMigration()
    #expect(try store.findings() == [])
    #expect(try store.contents().withoutNextNumbers == before.withoutNextNumbers)
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  // The table of the removed index was kept to undo its removal, and the online migration took it
  // for a new one. It does not expect entries of objects that are not yet converted, so the entry
  // of the deleted object stayed.
  @Test func `an index that comes back in an online migration begins empty`() throws {
    let plain = [ClassSchema("A", .key("key"), .required("name", .string))]
    let indexed = [ClassSchema("A", .key("key"), .indexed("name", .string))]
    let store = try TestStore(indexed) { session in
      for number in 0..<Int64(6) {
        try session.create("A", ["key": .int(number), "name": .string("n\(number)")])
      }
    }
    var request = TestStore.request(store.path, plain, version: 2)
    request.migration.keepsPreviousGeneration = true
    _ = try StoreFile.open(request)
    #expect(try store.tableNames().count == store.contents().tableNames.count + 1)
    request = TestStore.request(store.path, indexed, version: 3)
    request.transition = TransitionOptions(startsPaused: true)
    let session = try Session(StoreFile.open(request), for: request.declaration)
    try session.write {
      let table = try session.table("A")
      let id = try #require(try table.find(.int(3)))
      try table.remove(id)
    }
    try session.file.finishTransition(by: RuleBook([]))
    session.close()
    #expect(try store.contents().list("A").count == 5)
    #expect(try store.findings() == [])
  }

  @Test func `the index of a property that is gone goes with it`() throws {
    let store = try Self.store([ClassSchema(name: "A", properties: Self.plain, indexes: Self.all)])
    let left: [PropertySchema] = [
      .key("key"), .required("name", .string), .optional("text", .string),
    ]
    let classes = Self.classes(left, Self.all[2])
    #expect(
      try store.plan(classes, version: 2).changes.map(\.change) == [
        .propertyRemoved(class: "A", property: "level"),
        .classIndexRemoved(class: "A", index: Self.all[1]),
        .classIndexRemoved(class: "A", index: Self.all[0]),
      ])
    try store.open(classes, version: 2)
    #expect(try store.findings() == [])
    #expect(try store.tableNames() == store.contents().tableNames)
  }

  @Test(.takesLong) func `many entries are sorted in bounded memory`() throws {
    let count: Int64 = TestRun.isLong ? 300_000 : 20_000
    let store = try TestStore(Self.classes()) { session in
      for number in 0..<count {
        let mixed = (number &* 7_919) % count
        try session.create(
          "A",
          [
            "key": .int(number), "level": .int(mixed),
            "name": .string(String(repeating: "k", count: 250) + "\(mixed % 100)"),
            "text": .string("w\(mixed) x\(mixed % 10)"),
          ])
      }
    }
    try store.open([ClassSchema(name: "A", properties: Self.plain, indexes: Self.all)], version: 1)
    #expect(try store.findings() == [])
    #expect(try counts(store) == [Int(count), Int(count), 2 * Int(count)])
  }
}
