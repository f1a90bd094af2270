import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct UpdatePolicyTests {
  @Test func `an existing key is an error by default, and changes nothing`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      try store.add(Named(name: "a", number: 1))
      try store.add(Numbered(number: 1, text: "one"))
    }
    try store.write {
      let error = try expectError(.duplicatePrimaryKey) { try store.add(Named(name: "a")) }
      #expect(error.context.primaryKey == "a")
      try expectError(.duplicatePrimaryKey) { try store.add(Numbered(number: 1)) }
      try expectError(.duplicatePrimaryKey) { try store.create(Named.self, value: ["name": "a"]) }
      try expectError(.duplicatePrimaryKey) {
        try store.create(Numbered.self, value: ["number": 1])
      }
    }
    #expect(store.objects(Named.self).map(\.number) == [1])
    #expect(store.objects(Numbered.self).map(\.text) == ["one"])
    try test.expectWhole()
  }

  @Test(arguments: [UpdatePolicy.modified, .all])
  func `an update takes over all values, and links stay whole`(policy: UpdatePolicy) throws {
    let test = try TestStore()
    let store = try test.open()
    let owner = Named(name: "owner", partner: Named(name: "a", number: 1, text: "old"))
    try store.write { try store.add(owner) }
    let id = owner.partner?.objectID
    let update = Named(name: "a", number: 2, partner: Named(name: "new"))
    try store.write { try store.add(update, update: policy) }
    #expect(store.objects(Named.self).count == 3)
    #expect(update.objectID == id)
    #expect(owner.partner?.number == 2)
    #expect(owner.partner?.text == nil)
    #expect(owner.partner?.partner?.name == "new")
    try store.write {
      try store.create(Named.self, value: ["name": "a", "text": "t"], update: policy)
    }
    #expect(update.number == 2)
    #expect(update.text == "t")
    try test.expectWhole()
  }

  @Test func `an update without a primary key is an error`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write {
      try expectError(.noPrimaryKey) { try store.add(Node(name: "a"), update: .modified) }
      try expectError(.noPrimaryKey) {
        try store.create(Node.self, value: ["name": "a"], update: .all)
      }
    }
    #expect(store.objects(Node.self).isEmpty)
  }

  // −0 equals 0 and "é" equals "e" with an accent behind, but they are not the same.
  @Test func `a modified value that only its bits tell apart is taken over`() throws {
    let test = try TestStore([Exact.self])
    let store = try test.open()
    try store.write { try store.add(Exact(key: 1, double: 0, text: "\u{E9}")) }
    try store.write {
      try store.add(Exact(key: 1, double: -0.0, text: "\u{E9}"), update: .modified)
    }
    #expect(store.objects(Exact.self).first?.double.sign == .minus)
    try store.write {
      try store.add(Exact(key: 1, double: -0.0, text: "e\u{301}"), update: .modified)
    }
    #expect(store.objects(Exact.self).first?.text.utf8.count == 3)
    try test.expectWhole()
  }

  // With an integer key the second replaced the first; with any other key the same
  // was a duplicate.
  @Test func `two new objects with one key in one update become one`() throws {
    let test = try TestStore()
    let store = try test.open()
    let root = Named(
      name: "root", partner: Named(name: "x", number: 1, partner: Named(name: "x", number: 2)))
    try store.write { try store.add(root, update: .all) }
    #expect(store.objects(Named.self).map(\.name).sorted() == ["root", "x"])
    let numbers = Numbered(
      number: 0, partner: Numbered(number: 1, partner: Numbered(number: 1, text: "x")))
    try store.write { try store.add(numbers, update: .all) }
    #expect(store.objects(Numbered.self).map(\.number) == [0, 1])
    try test.expectWhole()
  }

  // The link of an update was not looked at.
  @Test func `an update by values cannot link to an object that is not there`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add(Named(name: "a", number: 1)) }
    try store.write {
      try expectError(.objectDeleted) {
        try store.create(
          Named.self,
          value: ["name": "a", "number": 2, "partner": PropertyValue.link(ObjectID(rawValue: 99))],
          update: .modified)
      }
    }
    #expect(store.objects(Named.self).map(\.number) == [1])
    try test.expectWhole()
  }

  // The text was stored as it was given: no condition on the case found it, and two objects had one
  // case as their primary key.
  @Test func `a case is stored with its own text`() throws {
    let test = try TestStore([Coffee.self])
    let store = try test.open()
    let text = PropertyValue.string("cafe\u{301}")
    try store.write {
      try store.dynamicCreate("Coffee", ["kind": text, "other": text, "all": .list([text])])
      try store.dynamicCreate("Coffee", ["kind": text, "number": 1], update: .modified)
      try expectError(.duplicatePrimaryKey) {
        try store.add(Coffee(kind: .small, number: 2))
      }
    }
    let coffees = store.objects(Coffee.self)
    #expect(coffees.map(\.number) == [1])
    #expect(coffees.where { $0.kind == .small && $0.other == .small }.count == 1)
    #expect(coffees.where { $0.all.contains(.small) }.count == 1)
    #expect(store.object(ofType: Coffee.self, forPrimaryKey: .small) != nil)
    try test.expectWhole()
  }
}

enum CoffeeKind: String, PersistableEnum {
  case small = "caf\u{E9}"
  case large
}

@Model
final class Coffee {
  @PrimaryKey var kind: CoffeeKind
  var other: CoffeeKind?
  var all: StoredList<CoffeeKind>
  var number = 0
}

@Model
final class Exact {
  @PrimaryKey var key: Int
  var double: Double
  var text: String
}
