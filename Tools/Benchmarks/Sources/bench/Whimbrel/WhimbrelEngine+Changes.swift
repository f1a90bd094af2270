import Foundation
import Whimbrel

// Workloads that change many persons at once, lists, and opening.
extension WhimbrelEngine {
  func upsert(count: Int) throws -> Outcome {
    let store = try open()
    return try .measure {
      var generator = PersonGenerator()
      try store.write {
        for number in 0..<count {
          var values = generator.next()
          values.id = 2 * number
          try store.add(Person(values), update: .all)
        }
      }
      return Double(store.objects(Person.self).count)
    }
  }

  func updateThree() throws -> Outcome {
    let store = try open()
    return try .measure {
      var found = 0.0
      try store.write {
        for person in store.objects(Person.self) {
          person.age += 1
          person.score += 1
          person.isActive.toggle()
          found += 1
        }
      }
      return found
    }
  }

  func delete(below age: Int) throws -> Outcome {
    let store = try open()
    return try .measure {
      let before = store.objects(Person.self).count
      try store.write { try store.delete(store.objects(Person.self).where { $0.age < age }) }
      return Double(before - store.objects(Person.self).count)
    }
  }

  func deleteOwners(_ owners: Int) throws -> Outcome {
    let store = try openOwners()
    return try .measure {
      try store.write { try store.delete(store.objects(Owner.self).where { $0.id < owners }) }
      return Double(store.objects(Dog.self).where { $0.owner == nil }.count)
    }
  }

  func commit(_ commits: Int, among count: Int) throws -> Outcome {
    let store = try open()
    var keys = LookupKeys(count: count)
    return try .measure {
      for number in 0..<commits {
        try store.write {
          store.object(ofType: Person.self, forPrimaryKey: keys.next())?.age = number
        }
      }
      return Double(commits)
    }
  }

  func reopen(_ times: Int, among count: Int) throws -> Outcome {
    var keys = LookupKeys(count: count)
    return try .measure {
      var sum = 0.0
      for _ in 0..<times {
        let store = try open()
        if let person = store.object(ofType: Person.self, forPrimaryKey: keys.next()) {
          sum += Self.threeProperties(of: person)
        }
      }
      return sum
    }
  }

  func addIndex() throws -> Outcome {
    let configuration = Store.Configuration(
      url: URL(fileURLWithPath: path), models: [ChangedSchema.PersonWithIndex.self],
      schemaVersion: 2)
    return try .measure {
      Double(try Store(configuration).objects(ChangedSchema.PersonWithIndex.self).count)
    }
  }

  private func openTeams() throws -> Store {
    try Store(
      Store.Configuration(
        url: URL(fileURLWithPath: path), models: [Person.self, Team.self], schemaVersion: 1))
  }

  func appendToList(count: Int) throws -> Outcome {
    let store = try openTeams()
    try store.write { try Self.addPersons(count: count, to: store) }
    return try .measure {
      let team = Team(id: 1)
      try store.write {
        try store.add(team)
        team.members.append(objectsIn: store.objects(Person.self))
      }
      return Double(team.members.count)
    }
  }

  func deleteFromList(below age: Int) throws -> Outcome {
    let store = try openTeams()
    return try .measure {
      try store.write { try store.delete(store.objects(Person.self).where { $0.age < age }) }
      return Double(store.object(ofType: Team.self, forPrimaryKey: 1)?.members.count ?? 0)
    }
  }
}
