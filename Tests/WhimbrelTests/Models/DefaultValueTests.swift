import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct DefaultValueTests {
  @Test func `an unmanaged object has its values and its defaults`() {
    let object = Named(name: "a")
    #expect(object.name == "a")
    #expect(object.number == 0)
    #expect(object.text == nil)
    #expect(object.partner == nil)
    #expect(!object.isManaged)
    #expect(!object.isInvalidated)
    #expect(object.objectID == nil)
    object.number = 5
    object.partner = object
    #expect(object.number == 5)
    #expect(object.partner === object)
    object.partner = nil
  }

  @Test func `a generated default is made anew for each object, added and created`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      for _ in 0..<50 {
        try store.add(Tagged())
        try store.create(Tagged.self, value: [:])
      }
    }
    #expect(Set(store.objects(Tagged.self).map(\.tag)).count == 100)
    let old = Date().addingTimeInterval(-600)
    #expect(store.objects(Tagged.self).allSatisfy { $0.made > old && $0.text == "none" })
    try test.expectWhole()
  }

  // `Date()` twice in a row is often the same date: a `Double` of seconds since
  // 2001 has steps of 119 ns. It was then taken for a constant, now and then, and
  // the same models had another schema at the next launch.
  @Test func `the default of now is never taken for a constant`() {
    for _ in 0..<2_000 {
      let property = ModelProperty(
        "made", Date.self, \Tagged.made, set: { $0.made = $1 }, default: { Date() })
      let schema = ModelSchema("Any", of: Tagged.self, [property]).classSchema
      #expect(schema.properties.first?.defaultValue == .generated)
      if schema.properties.first?.defaultValue != .generated { return }
    }
  }

  @Test func `the default of a random case is never taken for a constant`() {
    for _ in 0..<200 {
      let property = ModelProperty(
        "bool", Bool.self, \Required.bool, set: { $0.bool = $1 }, default: { .random() })
      let schema = ModelSchema("Any", of: Tagged.self, [property]).classSchema
      #expect(schema.properties.first?.defaultValue == .generated)
      if schema.properties.first?.defaultValue != .generated { return }
    }
  }

  @Test func `a created object takes the values given and the defaults of the others`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      let partner = try store.create(Named.self, value: ["name": "b", "number": -1])
      let object = try store.create(
        Named.self, value: ["name": "a", "text": "t", "partner": partner.optionalPropertyValue])
      #expect(object.isManaged)
      #expect(object.number == 0)
      #expect(object.text == "t")
      #expect(object.partner?.number == -1)
    }
    #expect(try test.open().object(ofType: Named.self, forPrimaryKey: "a")?.text == "t")
    try test.expectWhole()
  }

  @Test func `values that do not fit are errors and leave nothing behind`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      try expectError(.unknownProperty) {
        try store.create(Named.self, value: ["name": "a", "nane": 1])
      }
      try expectError(.wrongType) { try store.create(Named.self, value: ["name": 1]) }
      try expectError(.wrongType) {
        try store.create(Named.self, value: ["name": "a", "number": "1"])
      }
      try expectError(.missingValue) { try store.create(Named.self, value: ["number": 1]) }
      try expectError(.missingValue) {
        try store.create(Named.self, value: ["name": "a", "number": nil])
      }
      try expectError(.outOfRange) { try store.create(Optionals.self, value: ["int8": 128]) }
      try expectError(.outOfRange) { try store.create(Optionals.self, value: ["uint32": -1]) }
      try expectError(.outOfRange) { try store.create(Optionals.self, value: ["season": "fall"]) }
      try expectError(.outOfRange) { try store.create(Optionals.self, value: ["float": 0.1]) }
      try expectError(.objectDeleted) {
        try store.create(
          Named.self,
          value: ["name": "a", "partner": PropertyValue.link(ObjectID(rawValue: 77))])
      }
    }
    #expect(store.objects(Named.self).isEmpty)
    #expect(store.objects(Optionals.self).isEmpty)
    try test.expectWhole()
  }

  @Test func `an object whose required property was never set cannot be added`() throws {
    let test = try TestStore()
    let store = try test.open()
    let unset = Unset(value: nil)
    let error = try expectError(.unknownClass) { try store.write { try store.add(unset) } }
    #expect(error.context.className == "Unset")
    let other = try TestStore([Unset.self])
    let otherStore = try other.open()
    let missing = try expectError(.missingValue) {
      try otherStore.write { try otherStore.add(unset) }
    }
    #expect(missing.context.propertyName == "value")
    unset.value = 3
    try otherStore.write { try otherStore.add(unset) }
    #expect(otherStore.objects(Unset.self).first?.value == 3)
    try other.expectWhole()
  }
}

@Model
final class Unset {
  var value: Int

  init(value: Int?) {
    if let value { self.value = value }
  }
}
