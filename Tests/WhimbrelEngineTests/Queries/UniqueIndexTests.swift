import Foundation
import Testing
import WhimbrelEngine

/// What a unique index refuses, and what not.
struct UniqueIndexTests {
  private static func store(_ properties: [PropertySchema], _ names: [String]) throws -> TestStore {
    try TestStore([
      ClassSchema(name: "A", properties: properties, indexes: [IndexSchema(names, .unique)])
    ])
  }

  @Test func `an equal value is refused when it is written, and nothing of it stays`() throws {
    let store = try Self.store([.key("key"), .optional("mail", .string)], ["mail"])
    let session = try store.session()
    let error = storeError {
      try session.write {
        try session.create("A", ["key": 1, "mail": "a@b.c"])
        try session.create("A", ["key": 2, "mail": nil])
        try session.create("A", ["key": 3, "mail": nil])
        let table = try session.table("A")
        let other = try session.create("A", ["key": 4, "mail": "A@b.c"])
        #expect(storeError { try table.update(other) { try $0.set(1, "a@b.c") } } != nil)
        try table.update(other) { try $0.set(1, "A@b.c") }
        #expect(try IntegrityCheck.run(session) == [])
        let refused = storeError { try session.create("A", ["key": 5, "mail": "a@b.c"]) }
        #expect(try IntegrityCheck.run(session) == [])
        #expect(try table.count() == 4)
        // Two keys are the same, too: that is what is said.
        #expect(
          storeError { try session.create("A", ["key": 1, "mail": "a@b.c"]) }?.code
            == .duplicatePrimaryKey)
        throw try #require(refused)
      }
    }
    #expect(error?.code == .duplicateValues)
    #expect(error?.context.className == "A")
    #expect(error?.context.propertyName == "mail")
    #expect(error?.context.objectIDs.count == 2)
    #expect(error?.message.hasSuffix("already has the same 'mail'.") == true)
    #expect(try session.table("A").count() == 0)
  }

  @Test func `values are free again when their object is gone or has others`() throws {
    let store = try Self.store([.required("a", .int), .required("b", .bool)], ["a", "b"])
    try store.write { session in
      let table = try session.table("A")
      let first = try session.create("A", ["a": 1, "b": true])
      let second = try session.create("A", ["a": 1, "b": false])
      #expect(storeError { try table.update(second) { try $0.set(1, .bool(true)) } } != nil)
      try table.update(first) { try $0.set(0, .int(2)) }
      try table.update(second) { try $0.set(1, .bool(true)) }
      try table.remove(first)
      try session.create("A", ["a": 2, "b": true])
      try table.removeAll()
      try session.create("A", ["a": 1, "b": true])
    }
    #expect(try store.findings() == [])
  }

  @Test func `nil in one of several values makes them count for nothing`() throws {
    let store = try Self.store([.optional("a", .int), .optional("b", .string)], ["a", "b"])
    try store.write { session in
      for _ in 0..<2 {
        try session.create("A", ["a": 1, "b": nil])
        try session.create("A", ["a": nil, "b": "x"])
        try session.create("A", [:])
      }
      try session.create("A", ["a": 1, "b": "x"])
      #expect(storeError { try session.create("A", ["a": 1, "b": "x"]) } != nil)
    }
    #expect(try store.findings() == [])
  }

  @Test(arguments: ["a\u{0}", "b"])
  func `long texts are compared in full`(letter: String) throws {
    let store = try Self.store([.required("n", .int), .required("text", .string)], ["text", "n"])
    let long = String(repeating: letter, count: 2_000)
    try store.write { session in
      try session.create("A", ["n": 1, "text": .string(long)])
      try session.create("A", ["n": 2, "text": .string(long)])
      try session.create("A", ["n": 1, "text": .string(long + "x")])
      let last = try session.create("A", ["n": 1, "text": .string(long + "y")])
      #expect(storeError { try session.create("A", ["n": 2, "text": .string(long)]) } != nil)
      let table = try session.table("A")
      #expect(storeError { try table.update(last) { try $0.set(1, long + "x") } } != nil)
      try table.update(last) { try $0.set(1, long + "z") }
    }
    #expect(try store.findings() == [])
  }

  @Test func `numbers that are equal are the same value`() throws {
    let store = try Self.store([.required("a", .double)], ["a"])
    try store.write { session in
      try session.create("A", ["a": .double(0)])
      #expect(storeError { try session.create("A", ["a": .double(-0.0)]) } != nil)
      try session.create("A", ["a": .double(.nan)])
      #expect(storeError { try session.create("A", ["a": .double(-.nan)]) } != nil)
    }
  }

  @Test func `a link can be unique, and is free when its target is deleted`() throws {
    let store = try TestStore([
      ClassSchema("B", .required("n", .int)),
      ClassSchema(
        name: "A", properties: [.link("b", to: "B")], indexes: [IndexSchema(["b"], .unique)]),
    ])
    try store.write { session in
      let target = try session.create("B", ["n": 1])
      let first = try session.create("A", ["b": .link(target)])
      let second = try session.create("A", [:])
      let table = try session.table("A")
      #expect(storeError { try table.update(second) { try $0.set(0, .link(target)) } } != nil)
      try session.table("B").remove(target)
      #expect(try StoreContents(session).values("A", "b") == [nil, nil])
      let next = try session.create("B", ["n": 2])
      try table.update(first) { try $0.set(0, .link(next)) }
    }
    #expect(try store.findings() == [])
  }
}
