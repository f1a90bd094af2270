import Foundation
import Testing
import WhimbrelEngine
import WhimbrelTestSupport

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

  @Test(arguments: 0..<TestRun.count(10, long: 200) as Range<UInt64>)
  func `a write succeeds exactly if the values that it leaves are unique`(seed: UInt64) throws {
    let store = try TestStore([
      ClassSchema(
        name: "A",
        properties: [.required("a", .int), .optional("b", .int), .optional("c", .string)],
        indexes: [IndexSchema(["a", "b"], .unique), IndexSchema(["c"], .unique)])
    ])
    var generator = SeededGenerator(seed: seed)
    let session = try store.session()
    var values: [ObjectID: [PropertyValue]] = [:]
    try session.write {
      for number in 0..<5 {
        let id = try session.create("A", ["a": .int(Int64(number)), "b": 0, "c": nil])
        values[id] = [.int(Int64(number)), 0, .null]
      }
    }
    let long = String(repeating: "c", count: 600)
    var (failures, successes) = (0, 0)
    for _ in 0..<60 {
      var changed = values
      let error = storeError {
        try session.write {
          for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let table = try session.table("A")
            let id = try #require(changed.keys.sorted().randomElement(using: &generator))
            if Int.random(in: 0..<12, using: &generator) == 0, changed.count > 2 {
              try table.remove(id)
              changed[id] = nil
              continue
            }
            let position = Int.random(in: 0..<3, using: &generator)
            let number = Int64.random(in: 0..<4, using: &generator)
            let value: PropertyValue =
              switch position {
              case 0: .int(number)
              case 1: number == 0 ? .null : .int(number)
              default: number == 0 ? .null : .string(long + "\(number)")
              }
            try table.set(id, at: position) { try $0.set(position, value) }
            changed[id]?[position] = value
          }
        }
      }
      let pairs = changed.values.filter { $0[1] != .null }.map { Array($0[0...1]) }
      let texts = changed.values.map { $0[2] }.filter { $0 != .null }
      if Set(pairs).count == pairs.count, Set(texts).count == texts.count {
        #expect(error == nil, "seed \(seed)")
        values = changed
        successes += 1
      } else {
        #expect(error?.code == .duplicateValues, "seed \(seed)")
        failures += 1
      }
      let table = try session.table("A")
      #expect(try table.objectIDs() == values.keys.sorted(), "seed \(seed)")
      for (id, expected) in values {
        let record = try #require(try table.record(id))
        #expect(try (0..<3).map { try table.value($0, of: record, id) } == expected)
      }
    }
    #expect(failures > 0 && successes > 0)
    #expect(try store.findings() == [], "seed \(seed)")
  }
}
