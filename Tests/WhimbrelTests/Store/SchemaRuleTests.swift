import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

enum Shape1 {
  @Model("Thing") final class Thing {
    @PrimaryKey var key: Int
    var name: String
    var size: Int
    var note: String?
  }

  @Model("Extra") final class Extra {
    var text: String
    var thing: Thing?
  }
}

enum Shape2 {
  @Model("Thing") final class Thing {
    @PrimaryKey var key: Int
    var name: String?
    var size: String
    var added: Bool = false
  }
}

/// The first shape with an index, another order and another default.
enum Shape1Tuned {
  @Model("Thing") final class Thing {
    var size: Int = 7
    @PrimaryKey var key: Int
    var note: String?
    @Indexed var name: String
  }
}

@Suite struct SchemaRuleTests {
  private func filled() throws -> TestStore {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self], version: 2)
    let store = try test.open()
    try store.write {
      for key in 0..<20 {
        let thing = Shape1.Thing(key: key, name: "n\(key)", size: key * 2, note: nil)
        try store.add(Shape1.Extra(text: "e\(key)", thing: thing))
      }
    }
    return test
  }

  @Test func `other properties at the same version are an error that lists all`() throws {
    let test = try filled()
    let before = try Data(contentsOf: test.url)
    let error = try expectError(.schemaMismatch) {
      try test.open([Shape2.Thing.self], version: 2)
    }
    let expected: Set<SchemaChange> = [
      .propertyRemoved(class: "Thing", property: "note"),
      .madeOptional(class: "Thing", property: "name"),
      .propertyRetyped(class: "Thing", property: "size", from: .int, to: .string),
      .propertyAdded(class: "Thing", property: "added"),
    ]
    #expect(expected.isSubset(of: error.context.changes))
    for change in expected { #expect(error.message.contains(change.description)) }
    #expect(try Data(contentsOf: test.url) == before)
    #expect(try test.open().objects(Shape1.Thing.self).count == 20)
  }

  @Test func `a lower version is an error, whatever the models`() throws {
    let test = try filled()
    let before = try Data(contentsOf: test.url)
    let error = try expectError(.schemaVersionTooNew) {
      try test.open([Shape1.Thing.self, Shape1.Extra.self], version: 1)
    }
    #expect(error.context.storedVersion == 2)
    #expect(error.context.declaredVersion == 1)
    try expectError(.schemaVersionTooNew) { try test.open([Shape2.Thing.self], version: 0) }
    #expect(try Data(contentsOf: test.url) == before)
  }

  @Test func `a higher version alone is taken over`() throws {
    let test = try filled()
    let store = try test.open([Shape1.Thing.self, Shape1.Extra.self], version: 9)
    #expect(store.schemaVersion == 9)
    #expect(store.objects(Shape1.Thing.self).count == 20)
  }

  @Test func `an index, another order and another default are fine at one version`() throws {
    let test = try filled()
    do {
      let store = try test.open([Shape1Tuned.Thing.self, Shape1.Extra.self], version: 2)
      #expect(store.objects(Shape1Tuned.Thing.self).map(\.name) == (0..<20).map { "n\($0)" })
      #expect(store.objects(Shape1Tuned.Thing.self).map(\.size) == (0..<20).map { $0 * 2 })
      try store.write {
        try store.create(Shape1Tuned.Thing.self, value: ["key": 30, "name": "new"])
        for thing in store.objects(Shape1Tuned.Thing.self) { thing.name += "!" }
      }
      #expect(store.object(ofType: Shape1Tuned.Thing.self, forPrimaryKey: 30)?.size == 7)
      #expect(try store.integrityFindings().isEmpty)
    }
    let store = try test.open()
    #expect(store.objects(Shape1.Thing.self).first?.name == "n0!")
    #expect(store.objects(Shape1.Extra.self).first?.thing?.name == "n0!")
    try test.expectWhole()
  }

  @Test func `a class that is dropped and brought back has its objects`() throws {
    let test = try filled()
    do {
      let store = try test.open([Shape1.Thing.self], version: 2)
      #expect(store.schema["Extra"] == nil)
      try store.write {
        // The dropped class links to it all the same.
        let thing = try #require(store.object(ofType: Shape1.Thing.self, forPrimaryKey: 3))
        try store.delete(thing)
      }
      try store.write { try store.add(Shape1.Thing(key: 3, name: "x", size: 0, note: nil)) }
    }
    let store = try test.open()
    #expect(store.objects(Shape1.Extra.self).map(\.text) == (0..<20).map { "e\($0)" })
    #expect(store.objects(Shape1.Extra.self).filter { $0.thing == nil }.map(\.text) == ["e3"])
    try test.expectWhole()
  }

  @Test func `deleting all spares classes that the code has dropped`() throws {
    let test = try filled()
    do {
      let store = try test.open([Shape1.Thing.self], version: 2)
      try store.write { try store.deleteAll() }
    }
    let store = try test.open()
    #expect(store.objects(Shape1.Extra.self).count == 20)
    #expect(store.objects(Shape1.Extra.self).allSatisfy { $0.thing == nil })
    try test.expectWhole()
  }

  // Not-a-number does not equal itself; the default seemed to change at each open.
  @Test func `a default of not-a-number is no change`() throws {
    let test = try TestStore([Odd.self])
    do {
      let store = try test.open()
      try store.write { try store.create(Odd.self, value: ["key": 1]) }
    }
    let store = try test.open([Odd.self, Node.self, Named.self, Numbered.self])
    #expect(store.objects(Odd.self).first?.double.isNaN == true)
    #expect(store.objects(Odd.self).first?.negativeZero.sign == .minus)
    #expect(store.objects(Odd.self).first?.date == .distantFuture)
    try test.expectWhole()
  }

  @Test func `models that do not fit together are an error and make no file`() throws {
    let test = try TestStore([Node.self])
    try expectError(.invalidSchema) { try test.open() }
    try expectError(.invalidSchema) { try test.open([Shape1.Thing.self, Shape2.Thing.self]) }
    #expect(!FileManager.default.fileExists(atPath: test.url.path))
  }
}

@Model
final class Odd {
  @PrimaryKey var key: Int
  var double: Double = .nan
  var negativeZero: Double = -0.0
  var infinite: Float = -.infinity
  var date: Date = Date.distantFuture
  var data: Data = Data([0, 255])
}
