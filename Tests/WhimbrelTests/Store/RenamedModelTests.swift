import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

enum RenamedModel1 {
  @Model("Dog") final class Dog {
    @PrimaryKey var name: String
    var age: Int
  }

  @Model("Person") final class Person {
    @PrimaryKey var key: Int
    var dogs: StoredList<Dog>
  }
}

enum RenamedModel2 {
  @Model("Hound", renamedFrom: "Puppy", "Dog") final class Hound {
    @PrimaryKey var name: String
    @Renamed(from: "age") var years: Int
  }

  @Model("Person", .topLevel, renamedFrom: "Human") final class Person {
    @PrimaryKey var key: Int
    var dogs: StoredList<Hound>
  }

  /// Under its own name, embedded.
  @Model(.embedded, renamedFrom: "OldPart") final class Part {
    var size: Int
  }

  @Model(renamedFrom: "OldWhole") final class Whole {
    var part: Part?
  }
}

enum RenamedModel3 {
  @Model("Person", renamedFrom: "Human") final class Person {
    @PrimaryKey var key: Int
    var dogs: AnyValue
    var favorite: AnyValue
  }
}

/// Models that declare which class of earlier versions they are.
@Suite struct RenamedModelTests {
  @Test func `objects and links become those of the new name`() throws {
    let test = try TestStore(
      [RenamedModel1.Dog.self, RenamedModel1.Person.self], version: 1)
    do {
      let store = try test.open()
      try store.write {
        let dog = RenamedModel1.Dog(name: "Rex", age: 5)
        try store.add(RenamedModel1.Person(key: 1, dogs: [dog]))
      }
    }
    let new: [any Model.Type] = [RenamedModel2.Hound.self, RenamedModel2.Person.self]
    var configuration = test.configuration
    configuration.models = new
    configuration.schemaVersion = 2
    let plan = try Store.migrationPlan(for: configuration)
    #expect(plan.changes.first?.change == .classRenamed(from: "Dog", to: "Hound"))
    let store = try test.open(new, version: 2)
    #expect(store.objects(RenamedModel2.Hound.self).map(\.years) == [5])
    #expect(store.objects(RenamedModel2.Person.self).first?.dogs.first?.name == "Rex")
    #expect(
      store.migrationHistory.last?.changes.first == "Class 'Dog' has been renamed to 'Hound'.")
    #expect(try store.integrityFindings().isEmpty)
  }

  /// A store of the old models, with a person who has a dog.
  private func storeOfDogs() throws -> TestStore {
    let test = try TestStore(
      [RenamedModel1.Dog.self, RenamedModel1.Person.self], version: 1)
    let store = try test.open()
    try store.write {
      let dog = RenamedModel1.Dog(name: "Rex", age: 5)
      try store.add(RenamedModel1.Person(key: 1, dogs: [dog]))
    }
    return test
  }

  // The check looked for the class by its old name, and found values that cannot be converted.
  @Test func `links to a renamed class become values of any type, and the check finds nothing`()
    throws
  {
    let test = try storeOfDogs()
    var configuration = test.configuration
    configuration.models = [RenamedModel2.Hound.self, RenamedModel3.Person.self]
    configuration.schemaVersion = 2
    try Store.migrationPlan(for: configuration).check(on: configuration) { finding in
      Issue.record("\(finding)")
      return true
    }
    let store = try test.open(configuration.models, version: 2)
    let dogs = store.objects(RenamedModel3.Person.self).first?.dogs
    #expect(dogs?[0]?.object(RenamedModel2.Hound.self)?.name == "Rex")
    #expect(try store.integrityFindings().isEmpty)
  }

  // 'Could not find the class 'Dog': the configuration does not list its model.'
  @Test func `a value of any type links to the new object for an old object of a renamed class`()
    throws
  {
    let test = try storeOfDogs()
    let new: [any Model.Type] = [RenamedModel2.Hound.self, RenamedModel3.Person.self]
    let store = try test.open(new, version: 2) { migration, _ in
      try migration.enumerate(RenamedModel1.Person.self, RenamedModel3.Person.self) { old, new in
        new.favorite = ["first": .object(old.dogs[0])]
      }
    }
    let favorite = store.objects(RenamedModel3.Person.self).first?.favorite
    #expect(favorite?["first"]?.object(RenamedModel2.Hound.self)?.years == 5)
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `every form of the macro says the names`() {
    #expect(RenamedModel2.Hound._$schema.classSchema.previousNames == ["Puppy", "Dog"])
    #expect(RenamedModel2.Person._$schema.classSchema.previousNames == ["Human"])
    #expect(RenamedModel2.Part._$schema.classSchema.previousNames == ["OldPart"])
    #expect(RenamedModel2.Part._$schema.classSchema.isEmbedded)
    #expect(RenamedModel2.Part._$schema.name == "Part")
    #expect(RenamedModel2.Whole._$schema.classSchema.previousNames == ["OldWhole"])
  }
}
