import Foundation
import Whimbrel

// Owners with an index on the email, and dogs that link to owners.
extension WhimbrelEngine {
  func openOwners() throws -> Store {
    try Store(
      Store.Configuration(
        url: URL(fileURLWithPath: path), models: [Owner.self, Dog.self], schemaVersion: 1))
  }

  func insertOwners(count: Int) throws -> Outcome {
    let store = try openOwners()
    return try .measure {
      try store.write {
        try Self.addOwners(count: count, to: store)
        var generator = DogGenerator(owners: count)
        for _ in 0..<DogGenerator.dogs(of: count) {
          let values = generator.next()
          let owner = store.object(ofType: Owner.self, forPrimaryKey: values.owner)
          try store.add(Dog(id: values.id, name: values.name, owner: owner))
        }
      }
      return Double(count)
    }
  }

  private static func addOwners(count: Int, to store: Store) throws {
    var generator = PersonGenerator()
    for _ in 0..<count { try store.add(Owner(generator.next())) }
  }

  func find(_ emails: [String]) throws -> Outcome {
    let store = try openOwners()
    return .measure {
      var sum = 0.0
      for email in emails {
        if let owner = store.objects(Owner.self).where({ $0.email == email }).first {
          sum += Double(owner.age)
        }
      }
      return sum
    }
  }

  func findPrepared(_ emails: [String]) throws -> Outcome {
    let store = try openOwners()
    let byEmail = store.prepare(Owner.self, taking: String.self) { $0.email == $1 }
    return .measure {
      var sum = 0.0
      for email in emails {
        if let owner = byEmail(email).first { sum += Double(owner.age) }
      }
      return sum
    }
  }

  func follow() throws -> Outcome {
    let store = try openOwners()
    return .measure {
      var sum = 0.0
      for dog in store.objects(Dog.self) {
        sum += Double(dog.owner?.firstName.utf8.count ?? 0)
      }
      return sum
    }
  }
}
