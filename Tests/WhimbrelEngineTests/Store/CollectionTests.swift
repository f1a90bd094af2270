import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Collections of stored objects: from small to large and back, whatever they hold.
struct CollectionTests {
  private static let types = PropertyType.scalars

  private static func schema(_ type: PropertyType) -> ClassSchema {
    ClassSchema(
      "Box", .list("list", type, isOptional: true), .set("set", type, isOptional: true),
      .map("map", type, isOptional: true))
  }

  /// A session on a store with one box, and what edits its collections.
  private func edit(
    _ store: TestStore, _ position: Int, _ body: (inout CollectionEditor) throws -> Void
  ) throws {
    try store.write { session in
      try session.table("Box").editCollection(position, of: ObjectID(rawValue: 1), body)
    }
  }

  private func expect(_ store: TestStore, _ property: String, _ value: PropertyValue) throws {
    let found = try store.contents().list("Box").first?[property]
    #expect(found?.isIdentical(to: value) == true, "\(property)")
    #expect(try store.findings() == [])
  }

  @Test(arguments: types)
  func `a list of any element type grows and shrinks`(type: PropertyType) throws {
    var generator = SeededGenerator(seed: 51)
    let store = try TestStore([Self.schema(type)]) { try $0.create("Box", [:]) }
    var expected: [PropertyValue] = []
    for count in [3, 600, 2] {
      try edit(store, 0) { editor in
        while expected.count < count {
          let value =
            generator.once(in: 9) ? .null : RandomValues.value(type, using: &generator)
          let position = Int.random(in: 0...expected.count, using: &generator)
          try editor.insert(value, at: position)
          expected.insert(value, at: position)
        }
        while expected.count > count {
          let position = Int.random(in: 0..<expected.count, using: &generator)
          let surplus = min(40, expected.count - count, expected.count - position)
          let range = position..<position + surplus
          try editor.removeSubrange(range)
          expected.removeSubrange(range)
        }
        for _ in 0..<20 {
          let (source, target) = (
            Int.random(in: expected.indices, using: &generator),
            Int.random(in: expected.indices, using: &generator)
          )
          try editor.move(from: source, to: target)
          expected.insert(expected.remove(at: source), at: target)
          let value = RandomValues.value(type, using: &generator)
          try editor.replace(at: target, with: value)
          expected[target] = value
        }
      }
      try expect(store, "list", .list(expected))
    }
    try edit(store, 0) { try $0.append(contentsOf: expected + expected) }
    try expect(store, "list", .list(expected + expected + expected))
    try edit(store, 0) { try $0.removeSubrange(0..<$0.count()) }
    try expect(store, "list", .list([]))
  }

  @Test(.takesLong, arguments: types)
  func `a set of any element type grows and shrinks`(type: PropertyType) throws {
    var generator = SeededGenerator(seed: 52)
    let store = try TestStore([Self.schema(type)]) { try $0.create("Box", [:]) }
    var expected: [PropertyValue] = []
    for count in [3, 300] {
      try edit(store, 1) { editor in
        for _ in 0..<count {
          let value =
            generator.once(in: 9) ? .null : RandomValues.value(type, using: &generator)
          let isNew = !expected.contains { $0.isSameElement(as: value) }
          let isInserted = try editor.insertIntoSet(value)
          #expect(isInserted == isNew)
          if isNew { expected.append(value) }
          let isAgain = try editor.insertIntoSet(value)
          #expect(!isAgain)
        }
      }
      expected = expected.sortedAsSet()
      try expect(store, "set", .list(expected))
    }
    try edit(store, 1) { editor in
      for value in expected.shuffled(using: &generator).dropLast(2) {
        let place = try editor.place(of: value)
        #expect(place.isThere)
        try editor.removeSubrange(place.position..<place.position + 1)
        expected.removeAll { $0.isSameElement(as: value) }
      }
    }
    try expect(store, "set", .list(expected))
    let session = try store.session()
    try session.table("Box").readCollection(1, of: ObjectID(rawValue: 1)) { reader in
      for value in expected {
        let position = try reader.place(of: value).found
        #expect(position != nil)
      }
    }
  }

  @Test(.takesLong, arguments: types)
  func `a map of any element type grows and shrinks`(type: PropertyType) throws {
    var generator = SeededGenerator(seed: 53)
    let store = try TestStore([Self.schema(type)]) { try $0.create("Box", [:]) }
    var expected: [String: PropertyValue] = [:]
    for count in [3, 300] {
      try edit(store, 2) { editor in
        for _ in 0..<count {
          let name = "n" + RandomValues.text(using: &generator)
          let value = generator.once(in: 9) ? .null : RandomValues.value(type, using: &generator)
          try editor.set(value, forName: name)
          expected[name] = value
        }
      }
      try expect(store, "map", .map(expected))
    }
    try edit(store, 2) { editor in
      for name in expected.keys.sorted().dropLast(2) {
        let place = try editor.place(ofName: name)
        let found = try editor.name(at: place.position)
        #expect(place.isThere && found == name)
        try editor.removeSubrange(place.position..<place.position + 1)
        expected[name] = nil
      }
    }
    try expect(store, "map", .map(expected))
  }

  @Test(.takesLong) func `whole collections replace each other, short and long`() throws {
    let store = try TestStore([Self.schema(.string)]) { try $0.create("Box", [:]) }
    let long = PropertyValue.string(String(repeating: "x", count: 70_000))
    for count in [0, 5, 3_000, 2, 700, 0] {
      let values = (0..<count).map { $0 % 500 == 3 ? long : PropertyValue.string("v\($0)") }
      let object: [String: PropertyValue] = [
        "list": .list(values), "set": .list(values),
        "map": .map(Dictionary(uniqueKeysWithValues: values.enumerated().map { ("k\($0)", $1) })),
      ]
      try store.write { session in
        let table = try session.table("Box")
        try table.update(ObjectID(rawValue: 1)) { encoder in
          for (name, value) in object {
            try encoder.set(table.resolved.requiredPosition(of: name), value)
          }
        }
      }
      try expect(store, "list", .list(values))
      try expect(store, "set", .list(values.sortedAsSet()))
      try expect(store, "map", object["map"] ?? .null)
    }
  }

  // Elements before the one that is wrong were counted, and their chunks stayed.
  @Test func `elements are appended all or none`() throws {
    let schema = ClassSchema("Box", .list("list", .string), .list("any", .any))
    let long = PropertyValue.string(String(repeating: "x", count: 5_000))
    let many = [PropertyValue](repeating: "tag", count: 500)
    let store = try TestStore([schema]) { session in
      try session.create("Box", ["list": .list(many), "any": .list(many)])
    }
    let deep = (0..<101).reduce(PropertyValue.int(1)) { value, _ in .list([value]) }
    try store.write { session in
      let table = try session.table("Box")
      for (position, wrong) in [(0, PropertyValue.int(1)), (0, .null), (1, deep)] {
        let error = storeError {
          try table.editCollection(position, of: ObjectID(rawValue: 1)) { editor in
            try editor.append(contentsOf: [long, long, wrong])
          }
        }
        #expect(error != nil)
      }
    }
    try expect(store, "list", .list(many))
    try expect(store, "any", .list(many))
  }

  @Test func `what a collection cannot hold is an error`() throws {
    let schema = ClassSchema(
      "Box", .list("small", .int8), .map("map", .string), .list("any", .any))
    let store = try TestStore([schema]) { try $0.create("Box", [:]) }
    func code(_ position: Int, _ body: (inout CollectionEditor) throws -> Void) -> StoreError.Code?
    {
      storeError { try edit(store, position, body) }?.code
    }
    #expect(code(0) { try $0.insert(.int(128), at: 0) } == .outOfRange)
    #expect(code(0) { try $0.insert("x", at: 0) } == .wrongType)
    #expect(code(0) { try $0.insert(.null, at: 0) } == .wrongType)
    #expect(code(1) { try $0.set("x", forName: "") } == .invalidMapKey)
    let longest = String(repeating: "k", count: ElementCoding.nameLimit)
    #expect(code(1) { try $0.set("x", forName: longest + "k") } == .invalidMapKey)
    try edit(store, 1) { try $0.set("x", forName: longest) }
    #expect(code(2) { try $0.insert(.link(ObjectID(rawValue: 1)), at: 0) } == .wrongType)
    try expect(store, "map", .map([longest: "x"]))
  }

  @Test func `old records read as empty collections, and are appended to`() throws {
    let old = ClassSchema("Box", .required("name", .string))
    let new = ClassSchema(
      "Box", .required("name", .string), .list("list", .int), .set("set", .string),
      .map("map", .any), .required("any", .any))
    let store = try TestStore([old]) { session in
      for number in 0..<3 { try session.create("Box", ["name": "\(number)"]) }
    }
    try store.open([new], version: 2)
    let contents = try store.contents()
    #expect(contents.generation("Box") == 1)
    let empty: [String: PropertyValue] = ["list": [], "set": [], "map": [:], "any": .null]
    #expect(contents.list("Box").allSatisfy { $0.merging(empty) { $1 } == $0 })
    let session = try store.session()
    try session.table("Box").readCollection(1, of: ObjectID(rawValue: 2)) {
      #expect($0.count == 0)
    }
    try edit(store, 1) { try $0.append(contentsOf: (0..<1_000).map { .int($0) }) }
    try edit(store, 2) { _ = try $0.insertIntoSet("x") }
    try edit(store, 3) { try $0.set([1, "x"], forName: "k") }
    try expect(store, "list", .list((0..<1_000).map { .int($0) }))
    try expect(store, "set", ["x"])
    try expect(store, "map", ["k": [1, "x"]])
    #expect(try store.contents().list("Box")[1]["list"] == [])
  }

  // The value that the catalog has for old records was read as it was declared.
  @Test func `a default of a set is in the order of sets`() throws {
    let old = ClassSchema("Box", .required("name", .string))
    let new = ClassSchema(
      "Box", .required("name", .string),
      PropertySchema(
        name: "set", type: .set(of: ElementType(.int)), defaultValue: .value([3, 1, 2, 1])))
    let store = try TestStore([old]) { try $0.create("Box", ["name": "old"]) }
    try store.open([new], version: 2)
    try store.write { try $0.create("Box", ["name": "new"]) }
    #expect(try store.contents().values("Box", "set") == [[1, 2, 3], [1, 2, 3]])
    #expect(try store.findings() == [])
  }

  @Test func `parts of a removed property go with the next write of the object`() throws {
    let old = ClassSchema("Box", .required("n", .int), .list("list", .int), .required("t", .string))
    let new = ClassSchema("Box", .required("n", .int))
    let values: [String: PropertyValue] = [
      "n": 1, "list": .list((0..<2_000).map { .int($0) }),
      "t": .string(String(repeating: "x", count: 3_000)),
    ]
    let store = try TestStore([old]) { session in
      for _ in 0..<3 { try session.create("Box", values) }
    }
    try store.open([new], version: 2)
    func count() throws -> Int {
      let session = try store.session()
      return try session.table("Box").overflowTable.map { try session.view.count($0) } ?? 0
    }
    let all = try count()
    #expect(all > 3)
    #expect(try store.findings() == [])
    try store.write { try $0.table("Box").update(ObjectID(rawValue: 1)) { try $0.set(0, .int(5)) } }
    #expect(try count() == all / 3 * 2)
    try store.write { try $0.table("Box").remove(ObjectID(rawValue: 2)) }
    #expect(try count() == all / 3)
    #expect(try store.findings() == [])
    // What comes back is another property.
    try store.open([old], version: 3) { migration, _ in
      try migration.enumerateObjects(ofType: "Box") { _, new in new?["t"] = "new" }
    }
    #expect(try store.contents().values("Box", "list") == [[], []])
    #expect(try count() == 0)
    #expect(try store.findings() == [])
  }
}
