import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// What a migration's block deletes is gone at once, for typed objects too.
@Suite struct DeletionInMigrationTests {
  /// Two persons who share three dogs, each with two homes of their own.
  private func place() throws -> TestStore {
    let place = try TestStore([Before.Person.self, Before.Dog.self, Before.Home.self], version: 1)
    let store = try place.open()
    try store.write {
      let dogs = ["a", "b", "c"].map { Before.Dog(name: $0) }
      for name in ["first", "second"] {
        let person = Before.Person(name: name)
        person.dog = dogs[1]
        person.dogs.append(contentsOf: dogs + [dogs[1]])
        person.dogSet.insert(objectsIn: dogs)
        for dog in dogs { person.dogMap[dog.name] = dog }
        person.any = .list([.object(dogs[1]), .map(["k": .object(dogs[1])]), .int(1)])
        person.home = Before.Home(town: "\(name) home")
        person.homes.append(Before.Home(town: "\(name) other"))
        try store.add(person)
      }
    }
    try store.close()
    return place
  }

  private func migrate(_ place: TestStore, _ block: @escaping MigrationBlock) throws -> Store {
    try place.open(
      [After.Person.self, After.Dog.self, After.Home.self], version: 2, migration: block)
  }

  private static func expectWithout(_ person: After.Person, _ names: [String]) {
    #expect(person.dogs.count == names.count && person.dogs.map(\.name) == names)
    #expect(person.dogSet.count == names.count && person.dogSet.map(\.name) == names)
    #expect(person.dogMap.count == names.count && person.dogMap.keys.sorted() == names)
    #expect(person.dog == nil)
    #expect(person.any == .list([.none, .map(["k": .none]), .int(1)]))
  }

  @Test(arguments: [false, true])
  func `links, collections and inverses forget it`(_ isVisited: Bool) throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      if isVisited { try migration.enumerate(Before.Person.self, After.Person.self) { _, _ in } }
      try migration.enumerate(Before.Dog.self, After.Dog.self) { old, new in
        guard old.name == "b" else {
          #expect(new.owners.count == 2)
          return
        }
        try migration.delete(new)
      }
      try migration.enumerate(Before.Person.self, After.Person.self) { _, new in
        Self.expectWithout(new, ["a", "c"])
        // What is appended is what is there, and no object of its own.
        new.dogs.append(new.dogs[1])
        new.dogs.remove(at: 0)
        #expect(new.dogs.map(\.name) == ["c", "c"])
      }
      try migration.enumerate(Before.Dog.self, After.Dog.self) { _, new in
        #expect(new.owners.count == (new.name == "c" ? 2 : 0))
      }
    }
    #expect(store.objects(After.Dog.self).map(\.name) == ["a", "c"])
    #expect(store.objects(After.Person.self).map { $0.dogs.count } == [2, 2])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `an old object whose new one is gone stands for nothing`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try migration.enumerate(Before.Dog.self, After.Dog.self) { old, new in
        #expect(try migration.newObject(for: old, as: After.Dog.self)?.name == old.name)
        if old.name == "b" {
          try migration.delete(new)
          #expect(try migration.newObject(for: old, as: After.Dog.self) == nil)
        }
      }
      try migration.enumerate(Before.Person.self, After.Person.self) { old, new in
        new.dog = old.dogs[0]
        #expect(new.dog?.name == "a")
        new.dog = old.dog
        #expect(new.dog == nil)
        new.dogs = old.dogs
        new.dogSet = old.dogSet
        new.dogMap = old.dogMap
        new.any = old.any
        Self.expectWithout(new, ["a", "c"])
        new.dogs.append(old.dogs[1])
        new.dogs.insert(old.dogs[1], at: 0)
        #expect(!new.dogSet.insert(old.dogs[1]))
        new.dogMap["a"] = old.dogs[1]
        #expect(new.dogs.count == 2 && new.dogSet.count == 2 && new.dogMap.count == 1)
        let added = After.Person(name: "of \(new.name)")
        added.dog = new.dog
        try migration.add(added)
        #expect(throws: StoreError.self) {
          try migration.newObject(for: old, as: After.Dog.self)
        }
      }
    }
    #expect(store.objects(After.Person.self).count == 4)
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `embedded objects go with their owners, and may get others before`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      var kept: After.Home?
      try migration.enumerate(Before.Person.self, After.Person.self) { old, new in
        if old.name == "first" {
          kept = new.home
          let other = new.homes[0]
          new.home = After.Home(town: "new")
          new.homes.removeAll()
          #expect(other.isInvalidated && kept?.isInvalidated == true)
          #expect(try migration.newObject(for: old.homes[0], as: After.Home.self) == nil)
        } else {
          new.home = kept
          #expect(kept?.isInvalidated == false && new.home?.town == "first home")
          #expect(try migration.newObject(for: try #require(old.home), as: After.Home.self) == nil)
        }
      }
      var towns: [String] = []
      try migration.enumerate(Before.Home.self, After.Home.self) { _, new in
        towns.append(new.town)
      }
      #expect(towns.sorted() == ["first home", "second other"])
    }
    #expect(store.objects(After.Person.self).map { $0.home?.town } == ["new", "first home"])
    #expect(try store.integrityFindings().isEmpty)
  }
}

private enum Before {
  @Model final class Dog {
    var name: String
  }

  @Model final class Person {
    var name: String
    var dog: Before.Dog?
    var dogs: List<Before.Dog>
    var dogSet: MutableSet<Before.Dog>
    var dogMap: Map<String, Before.Dog>
    var any: AnyValue
    var home: Before.Home?
    var homes: List<Before.Home>
  }

  @Model(.embedded) final class Home {
    var town: String
  }
}

private enum After {
  @Model final class Dog {
    var name: String
    var kept: Bool = true
    @Inverse(of: \After.Person.dogs) var owners: LinkingObjects<After.Person>
  }

  @Model final class Person {
    var name: String
    var dog: After.Dog?
    var dogs: List<After.Dog>
    var dogSet: MutableSet<After.Dog>
    var dogMap: Map<String, After.Dog>
    var any: AnyValue
    var home: After.Home?
    var homes: List<After.Home>
  }

  @Model(.embedded) final class Home {
    var town: String
  }
}
