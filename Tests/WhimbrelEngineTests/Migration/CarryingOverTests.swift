import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Old records that are taken over into new ones, and handles for both sides.
@Suite struct CarryingOverTests {
  private static let long = PropertyValue.string(String(repeating: "x", count: 5_000))
  private static let old = ClassSchema(
    "Zone", .required("a", .int8), .required("name", .string), .optional("note", .string),
    .required("size", .double), .required("isOpen", .bool), .optional("count", .int32),
    .required("b", .int8), .required("link", .data), .required("age", .int))

  private func store() throws -> TestStore {
    try TestStore([Self.old]) { session in
      for number in 0..<50 {
        try session.create(
          "Zone",
          [
            "a": .int(Int64(number)), "name": .string("zone \(number)"),
            "note": number % 3 == 0 ? nil : number % 3 == 1 ? "note" : Self.long,
            "size": .double(Double(number)), "isOpen": .bool(number % 2 == 0),
            "count": number % 4 == 0 ? nil : .int(Int64(number)), "b": .int(Int64(-number)),
            "link": .data(Data(repeating: 7, count: number * 40)), "age": .int(Int64(number)),
          ])
      }
    }
  }

  @Test func `values stay whatever the order, and fills are there whatever their size`() throws {
    let store = try store()
    let before = try store.contents().list("Zone")
    let new = ClassSchema(
      "Zone", .required("age", .string), .required("link", .data), .required("isOpen", .bool),
      .required("short", .string, default: "short"), .optional("name", .string),
      .required("long", .string, default: Self.long), .required("b", .int8),
      .required("a", .int8), .optional("count", .int32), .optional("nothing", .date),
      .required("list", .list(of: ElementType(.int)), default: [1, 2]),
      .required("none", .list(of: ElementType(.int))), .optional("note", .string),
      .required("code", .string), .required("size", .double))
    try store.open([new], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        try new?.set("code", to: old?["name", as: String.self] ?? "")
      }
    }
    for (old, new) in zip(before, try store.contents().list("Zone")) {
      for name in ["a", "b", "name", "note", "size", "isOpen", "count", "link"] {
        #expect(new[name] == old[name])
      }
      #expect(new["code"] == old["name"])
      #expect(new["short"] == "short" && new["long"] == Self.long && new["list"] == [1, 2])
      #expect(new["nothing"] == .null && new["none"] == [])
      if case .int(let age)? = old["age"] { #expect(new["age"] == .string(String(age))) }
    }
    #expect(try store.contents().objects["Zone"]?.count == 50)
    #expect(try store.findings() == [])
  }

  // What the block may set is converted when it has not, or when it looks.
  @Test(.takesLong) func `a converted value is there whenever the block looks`() throws {
    let store = try store()
    let new = ClassSchema("Zone", .required("age", .string), .optional("b", .string))
    let extra = ClassSchema("Extra", .required("text", .string))
    try store.open([new, extra], version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new, case .int(let age) = old["age"] else { return }
        switch age % 5 {
        case 0: #expect(new["age"] == .string(String(age)))
        case 1: new["age"] = "set"
        case 2:
          // Enough for new batches.
          for _ in 0..<4 {
            let text = PropertyValue.string(String(repeating: "x", count: 3_000_000))
            try migration.create("Extra", ["text": text])
          }
          new["b"] = .null
        case 3: try migration.delete(new)
        default:
          #expect(try migration.newAge(ofType: "Zone", of: old) == String(age))
        }
      }
    }
    let ages = try store.contents().values("Zone", "age")
    let expected = (0..<50).filter { $0 % 5 != 3 }.map { $0 % 5 == 1 ? "set" : String($0) }
    #expect(ages == expected.map { .string($0) })
    let numbers = (0..<50).filter { $0 % 5 != 3 }
    #expect(
      try store.contents().values("Zone", "b")
        == numbers.map { $0 % 5 == 2 ? .null : .string(String(-$0)) })
    #expect(try store.findings() == [])
  }

  @Test func `one handle serves both sides, wherever the property stands`() throws {
    let store = try store()
    let before = try store.contents().list("Zone")
    let new = ClassSchema(
      "Zone", .required("age", .string), .required("b", .int8), .required("a", .int8),
      .optional("title", .string), .required("name", .string))
    try store.open([new], version: 2) { migration, _ in
      // The shape of the new objects changes after that.
      let early = try migration.property("b", ofType: "Zone")
      try migration.renameProperty(onType: "Zone", from: "note", to: "title")
      let (a, age) = (
        try migration.property("a", ofType: "Zone"), try migration.property("age", ofType: "Zone")
      )
      let (size, title) = (
        try migration.property("size", ofType: "Zone"),
        try migration.property("title", ofType: "Zone")
      )
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        #expect(try new[a, as: Int.self] == old[a, as: Int.self])
        #expect(try new[early, as: Int.self] == old[early, as: Int.self])
        #expect(try new[age, as: String.self] == String(old[age, as: Int.self]))
        #expect(throws: StoreError.self) { try new[a, as: String.self] }
        #expect(throws: StoreError.self) { try new[size, as: Double.self] }
        #expect(throws: StoreError.self) { try old[title, as: String?.self] }
        try new.set(a, to: old[early, as: Int.self])
        try new.set(early, to: old[a, as: Int8.self])
        try new.set(title, to: "\(old[size, as: Double.self])")
        #expect(try new[title, as: String?.self] == String(old[size, as: Double.self]))
      }
    }
    for (old, new) in zip(before, try store.contents().list("Zone")) {
      #expect(new["a"] == old["b"] && new["b"] == old["a"] && new["name"] == old["name"])
      if case .double(let size)? = old["size"] { #expect(new["title"] == .string("\(size)")) }
    }
    #expect(try store.contents().objects["Zone"]?.count == 50)
  }

  @Test func `a block that only renames leaves neither mark nor tables`() throws {
    let store = try store()
    let properties = Self.old.properties.map { property in
      var property = property
      if property.name == "note" { property.name = "remark" }
      return property
    }
    let before = try store.contents()
    let transactions = try store.lastTransaction()
    try store.open([ClassSchema(name: "Zone", properties: properties)], version: 2) {
      migration, _ in
      try migration.renameProperty(onType: "Zone", from: "note", to: "remark")
    }
    // The mark, and the flip.
    #expect(try store.lastTransaction() == transactions + 2)
    #expect(try store.tableNames() == before.tableNames)
    #expect(try store.contents().values("Zone", "remark") == before.values("Zone", "note"))
    try store.write { try $0.table("Zone").remove(ObjectID(rawValue: 1)) }
    #expect(try store.contents().list("Zone").count == 49)
  }
}

extension TestStore {
  /// The number of the last commit.
  fileprivate func lastTransaction() throws -> Int {
    try StoreFile.open(OpenRequest(path: path)).environment.read { $0.transactionID }
  }
}

extension Migration {
  /// The age of the new object that an old one has become, found by its identity.
  fileprivate func newAge(
    ofType className: String, of old: DynamicObject
  ) throws -> String? {
    var found: String?
    // A walk inside of the walk.
    try enumerateObjects(ofType: className) { other, new in
      if other?.id == old.id { found = try new?["age", as: String.self] }
    }
    return found
  }
}
