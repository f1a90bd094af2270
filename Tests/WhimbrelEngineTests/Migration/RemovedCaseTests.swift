import Testing
import WhimbrelEngine

/// Values of enums that have fewer cases than before.
struct RemovedCaseTests {
  private static func classes(_ cases: [String], tag: PropertyType = .int) -> [ClassSchema] {
    let kind = PropertySchema(
      name: "kind", type: .string,
      defaultValue: cases.contains("blue") ? .value("blue") : .none, cases: cases)
    let kinds = PropertySchema(
      name: "kinds", type: .list(of: ElementType(.string)),
      defaultValue: cases.contains("blue") ? .value(["blue"]) : .none, cases: cases)
    return [ClassSchema("A", .required("tag", tag), kind, kinds)]
  }

  // Objects from before the property had its default have that only in the catalog. It
  // was taken for a new value, and every later change of such an object was refused.
  @Test func `a default that is no case any more stays`() throws {
    let store = try TestStore([ClassSchema("A", .required("tag", .int))]) { session in
      for number in 0..<Int64(3) { try session.create("A", ["tag": .int(number)]) }
    }
    try store.open(Self.classes(["red", "blue"]), version: 2)
    try store.open(Self.classes(["red"]), version: 3)
    try store.write { session in
      let table = try session.table("A")
      try table.update(ObjectID(rawValue: 1)) { try $0.set(0, .int(7)) }
    }
    #expect(try store.contents().values("A", "tag") == [7, 1, 2])
    #expect(try store.contents().values("A", "kind") == ["blue", "blue", "blue"])
    try store.open(Self.classes(["red"], tag: .string), version: 4)
    #expect(try store.contents().values("A", "tag") == ["7", "1", "2"])
    #expect(try store.contents().values("A", "kind") == ["blue", "blue", "blue"])
    #expect(try store.contents().values("A", "kinds") == [["blue"], ["blue"], ["blue"]])
    #expect(try store.findings() == [])
  }

  @Test func `a case that is gone cannot be set`() throws {
    let store = try TestStore(Self.classes(["red"])) { session in
      try session.create("A", ["tag": 1, "kind": "red"])
    }
    let error = storeError {
      try store.write { session in
        try session.table("A").update(ObjectID(rawValue: 1)) { try $0.set(1, .string("blue")) }
      }
    }
    #expect(error?.code == .outOfRange)
  }
}
