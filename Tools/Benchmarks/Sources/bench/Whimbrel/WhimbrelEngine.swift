import Foundation
import Whimbrel

/// Whimbrel, used as an app uses it.
struct WhimbrelEngine: Engine {
  let path: String
  var verification = Store.Verification.always

  func open() throws -> Store {
    var configuration = Store.Configuration(
      url: URL(fileURLWithPath: path), models: [Person.self], schemaVersion: 1)
    configuration.verification = verification
    return try Store(configuration)
  }

  func insert(count: Int) throws -> Outcome {
    let store = try open()
    return try .measure {
      try store.write { try Self.addPersons(count: count, to: store) }
      return Double(count)
    }
  }

  static func addPersons(count: Int, to store: Store) throws {
    var generator = PersonGenerator()
    for _ in 0..<count { try store.add(Person(generator.next())) }
  }

  func scan() throws -> Outcome {
    let store = try open()
    return .measure {
      var sum = 0.0
      for person in store.objects(Person.self) { sum += Self.threeProperties(of: person) }
      return sum
    }
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Outcome {
    let store = try open()
    var keys = LookupKeys(count: count)
    return .measure {
      var sum = 0.0
      for _ in 0..<lookups {
        if let person = store.object(ofType: Person.self, forPrimaryKey: keys.next()) {
          sum += Self.threeProperties(of: person)
        }
      }
      return sum
    }
  }

  /// Returns a number that depends on the first name, age and score of a
  /// person.
  static func threeProperties(of person: Person) -> Double {
    Double(person.firstName.utf8.count) + Double(person.age) + person.score
  }

  func update() throws -> Outcome {
    let store = try open()
    return try .measure {
      var found = 0.0
      try store.write {
        for person in store.objects(Person.self) {
          person.age += 1
          found += 1
        }
      }
      return found
    }
  }
}
