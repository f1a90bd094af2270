import Foundation
import Whimbrel

/// The person of version 1.
@Model
final class Person {
  @PrimaryKey var id: Int
  var firstName: String
  var lastName: String
  var email: String
  var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

/// What the migration reads of a person of version 1.
enum SchemaV1 {
  @Model
  final class Person {
    var firstName: String
    var lastName: String
    var age: Int
  }
}

/// The person of version 2: with a full name, the email called mail, the age as a
/// string, and another score.
enum SchemaV2 {
  @Model("Person")
  final class PersonV2 {
    @PrimaryKey var id: Int
    var firstName: String
    var lastName: String
    var mail: String
    var age: String
    var score: Double
    var created: Date
    var isActive: Bool
    var avatar: Data
    var fullName: String
  }
}

/// Whimbrel, as an app uses it.
struct WhimbrelEngine: Engine {
  let path: String

  private func open() throws -> Store {
    try Store(
      Store.Configuration(
        url: URL(fileURLWithPath: path), models: [Person.self], schemaVersion: 1))
  }

  func insert(count: Int) throws -> Duration {
    let store = try open()
    return try ContinuousClock().measure {
      var generator = PersonGenerator()
      try store.write {
        for _ in 0..<count {
          let values = generator.next()
          try store.add(
            Person(
              id: values.id, firstName: values.firstName, lastName: values.lastName,
              email: values.email, age: values.age, score: values.score, created: values.created,
              isActive: values.isActive, avatar: values.avatar))
        }
      }
    }
  }

  func scan(expecting count: Int) throws -> Duration {
    let store = try open()
    var (found, sum) = (0, 0.0)
    let duration = ContinuousClock().measure {
      for person in store.objects(Person.self) {
        let name = person.firstName
        sum += Double(name.utf8.count) + Double(person.age) + person.score
        found += 1
      }
    }
    try WorkloadError.check(sum.isFinite ? found : 0, expected: count)
    return duration
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Duration {
    let store = try open()
    var keys = LookupKeys(count: count)
    var found = 0
    let duration = ContinuousClock().measure {
      for _ in 0..<lookups {
        let person = store.object(ofType: Person.self, forPrimaryKey: keys.next())
        if let person, person.age >= 0 { found += 1 }
      }
    }
    try WorkloadError.check(found, expected: lookups)
    return duration
  }

  func update(expecting count: Int) throws -> Duration {
    let store = try open()
    var found = 0
    let duration = try ContinuousClock().measure {
      try store.write {
        for person in store.objects(Person.self) {
          person.age += 1
          found += 1
        }
      }
    }
    try WorkloadError.check(found, expected: count)
    return duration
  }

  func migrate(_ access: PropertyAccess, expecting count: Int) throws -> Duration {
    let configuration = Store.Configuration(
      url: URL(fileURLWithPath: path), models: [SchemaV2.PersonV2.self], schemaVersion: 2,
      migration: { migration, oldVersion in
        guard oldVersion < 2 else { return }
        try migration.renameProperty(onType: "Person", from: "email", to: "mail")
        switch access {
        case .handles: try Self.fillByHandles(migration)
        case .names: try Self.fillByNames(migration)
        case .types: try Self.fillByTypes(migration)
        }
      })
    var found = 0
    let duration = try ContinuousClock().measure {
      let store = try Store(configuration)
      found = store.objects(SchemaV2.PersonV2.self).count
    }
    try WorkloadError.check(found, expected: count)
    return duration
  }

  private static func fillByHandles(_ migration: Migration) throws {
    let firstName = try migration.property("firstName", ofType: "Person")
    let lastName = try migration.property("lastName", ofType: "Person")
    let fullName = try migration.property("fullName", ofType: "Person")
    let age = try migration.property("age", ofType: "Person")
    let score = try migration.property("score", ofType: "Person")
    try migration.enumerateObjects(ofType: "Person") { old, new in
      guard let old, let new else { return }
      let first = try old[firstName, as: String.self]
      let last = try old[lastName, as: String.self]
      let years = try old[age, as: Int.self]
      try new.set(fullName, to: first + " " + last)
      try new.set(age, to: String(years))
      try new.set(score, to: Double(years) / 2)
    }
  }

  private static func fillByNames(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Person") { old, new in
      guard let old, let new else { return }
      let first = try old["firstName", as: String.self]
      let last = try old["lastName", as: String.self]
      let years = try old["age", as: Int.self]
      new["fullName"] = .string(first + " " + last)
      new["age"] = .string(String(years))
      new["score"] = .double(Double(years) / 2)
    }
  }

  private static func fillByTypes(_ migration: Migration) throws {
    try migration.enumerate(SchemaV1.Person.self, SchemaV2.PersonV2.self) { old, new in
      let years = old.age
      new.fullName = old.firstName + " " + old.lastName
      new.age = String(years)
      new.score = Double(years) / 2
    }
  }

  func changeSchema(_ change: PropertyChange) throws -> Duration {
    var configuration = Store.Configuration(
      url: URL(fileURLWithPath: path), models: [ChangedSchema.model(after: change)],
      schemaVersion: 2)
    // What a process does for the first time is not the cost of the change: it is made to
    // an empty store before.
    let other = WhimbrelEngine(path: path + ".empty-\(UUID().uuidString)")
    defer { for end in ["", "-lock"] { unlink(other.path + end) } }
    _ = try other.open()
    configuration.url = URL(fileURLWithPath: other.path)
    _ = try Store(configuration)
    configuration.url = URL(fileURLWithPath: path)
    return try ContinuousClock().measure { _ = try Store(configuration) }
  }
}
