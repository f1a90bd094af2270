import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// What a migration's block deletes is gone at once, for typed objects too.
@Suite struct DeletionInMigrationTests {
  /// Two persons who share three dogs, each with two homes of their own.
  private func place() throws -> TestStore {
    let place = try TestStore([Pets.Person.self, Pets.Dog.self, Pets.Home.self], version: 1)
    let store = try place.open()
    try store.write {
      let dogs = ["a", "b", "c"].map { Pets.Dog(name: $0) }
      for name in ["first", "second"] {
        let person = Pets.Person(name: name)
        person.dog = dogs[1]
        person.dogs.append(contentsOf: dogs + [dogs[1]])
        person.dogSet.insert(objectsIn: dogs)
        for dog in dogs { person.dogMap[dog.name] = dog }
        person.any = .list([.object(dogs[1]), .map(["k": .object(dogs[1])]), .int(1)])
        person.home = Pets.Home(town: "\(name) home")
        person.homes.append(Pets.Home(town: "\(name) other"))
        try store.add(person)
      }
    }
    try store.close()
    return place
  }

  private func migrate(_ place: TestStore, _ block: @escaping MigrationBlock) throws -> Store {
    try place.open(
      [Pets.Person.self, Pets.Dog.self, Pets.Home.self], version: 2, migration: block)
  }

  private static func expectWithout(_ person: Pets.Person, _ names: [String]) {
    #expect(person.dogs.count == names.count && person.dogs.map(\.name) == names)
    #expect(person.dogSet.count == names.count && person.dogSet.map(\.name) == names)
    #expect(person.dogMap.count == names.count && person.dogMap.keys.sorted() == names)
    #expect(person.dog == nil)
    #expect(person.any == .list([.none, .map(["k": .none]), .int(1)]))
  }

  @Test(arguments: [false, true])
  func `links, collections and inverses forget a deleted object`(_ isVisited: Bool) throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      if isVisited { try migration.enumerate(Pets.Person.self, Pets.Person.self) { _, _ in } }
      try migration.enumerate(Pets.Dog.self, Pets.Dog.self) { old, new in
        guard old.name == "b" else {
          #expect(new.owners.count == 2)
          return
        }
        try migration.delete(new)
      }
      try migration.enumerate(Pets.Person.self, Pets.Person.self) { _, new in
        Self.expectWithout(new, ["a", "c"])
        // What is appended is what is there, and no object of its own.
        new.dogs.append(new.dogs[1])
        new.dogs.remove(at: 0)
        #expect(new.dogs.map(\.name) == ["c", "c"])
      }
      try migration.enumerate(Pets.Dog.self, Pets.Dog.self) { _, new in
        #expect(new.owners.count == (new.name == "c" ? 2 : 0))
      }
    }
    #expect(store.objects(Pets.Dog.self).map(\.name) == ["a", "c"])
    #expect(store.objects(Pets.Person.self).map { $0.dogs.count } == [2, 2])
    #expect(try store.integrityFindings().isEmpty)
  }

  // Nil was given for an element, said the error.
  @Test func `collections that are set by name leave out a deleted object`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try migration.enumerate(Pets.Dog.self, Pets.Dog.self) { _, new in
        if new.name == "b" { try migration.delete(new) }
      }
      try migration.enumerate(Pets.Person.self, Pets.Person.self) { old, new in
        for list in [old.dogs, Array(old.dogs), old.dogs.map(AnyValue.object)] as [Any] {
          new.dogs.removeAll()
          try new.setValue(list, forKey: "dogs")
          #expect(new.dogs.map(\.name) == ["a", "c"])
        }
        try new.setValue(old.dogSet, forKey: "dogSet")
        try new.setValue(old.dogMap, forKey: "dogMap")
        Self.expectWithout(new, ["a", "c"])
      }
    }
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `an old object whose new one is gone stands for nothing`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      try migration.enumerate(Pets.Dog.self, Pets.Dog.self) { old, new in
        let same = try migration.newObject(for: old, as: Pets.Dog.self)
        #expect(same?.name == old.name)
        if old.name == "b" {
          try migration.delete(new)
          let gone = try migration.newObject(for: old, as: Pets.Dog.self)
          #expect(gone == nil)
        }
      }
      try migration.enumerate(Pets.Person.self, Pets.Person.self) { old, new in
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
        let added = Pets.Person(name: "of \(new.name)")
        added.dog = new.dog
        try migration.add(added)
        #expect(throws: StoreError.self) {
          try migration.newObject(for: old, as: Pets.Dog.self)
        }
      }
    }
    #expect(store.objects(Pets.Person.self).count == 4)
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `embedded objects go with their owners, and may get others before`() throws {
    let place = try place()
    let store = try migrate(place) { migration, _ in
      var kept: Pets.Home?
      try migration.enumerate(Pets.Person.self, Pets.Person.self) { old, new in
        if old.name == "first" {
          kept = new.home
          let other = new.homes[0]
          new.home = Pets.Home(town: "new")
          new.homes.removeAll()
          #expect(other.isInvalidated && kept?.isInvalidated == true)
          let gone = try migration.newObject(for: old.homes[0], as: Pets.Home.self)
          #expect(gone == nil)
        } else {
          new.home = kept
          #expect(kept?.isInvalidated == false && new.home?.town == "first home")
          let own = try #require(old.home)
          let gone = try migration.newObject(for: own, as: Pets.Home.self)
          #expect(gone == nil)
        }
      }
      var towns: [String] = []
      try migration.enumerate(Pets.Home.self, Pets.Home.self) { _, new in
        towns.append(new.town)
      }
      #expect(towns.sorted() == ["first home", "second other"])
    }
    #expect(store.objects(Pets.Person.self).map { $0.home?.town } == ["new", "first home"])
    #expect(try store.integrityFindings().isEmpty)
  }
}

private enum Pets {
  @Model final class Dog {
    var name: String
    @Inverse(of: \Pets.Person.dogs) var owners: LinkingObjects<Pets.Person>
  }

  @Model final class Person {
    var name: String
    var dog: Pets.Dog?
    var dogs: StoredList<Pets.Dog>
    var dogSet: StoredSet<Pets.Dog>
    var dogMap: StoredMap<String, Pets.Dog>
    var any: AnyValue
    var home: Pets.Home?
    var homes: StoredList<Pets.Home>
  }

  @Model(.embedded) final class Home {
    var town: String
  }
}
