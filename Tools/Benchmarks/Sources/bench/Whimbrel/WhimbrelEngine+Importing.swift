import Foundation
import Whimbrel

// Inserting with indexes, from dictionaries and from JSON, and writing JSON.
extension WhimbrelEngine {
  private func open(_ model: any Model.Type) throws -> Store {
    try Store(
      Store.Configuration(
        url: URL(fileURLWithPath: path), models: [model], schemaVersion: 1))
  }

  func insertIndexed(count: Int) throws -> Outcome {
    let store = try open(IndexedPerson.self)
    return try .measure {
      var generator = PersonGenerator()
      try store.write {
        for _ in 0..<count { try store.add(IndexedPerson(generator.next())) }
      }
      return Double(count)
    }
  }

  func insertKeyed(count: Int) throws -> Outcome {
    let store = try open(KeyedPerson.self)
    return try .measure {
      var generator = PersonGenerator()
      try store.write {
        for _ in 0..<count { try store.add(KeyedPerson(generator.next())) }
      }
      return Double(count)
    }
  }

  func createFromValues(count: Int) throws -> Outcome {
    let store = try open()
    var generator = PersonGenerator()
    let making = Outcome.measure {
      var entries = 0.0
      for _ in 0..<count { entries += Double(generator.next().dictionary.count) }
      return entries
    }
    generator = PersonGenerator()
    return try Outcome.measure {
      try store.write {
        for _ in 0..<count { try store.create(Person.self, value: generator.next().dictionary) }
      }
      return Double(count)
    }.subtracting(making)
  }

  func importLines(count: Int) throws -> Outcome {
    let store = try open()
    var generator = PersonGenerator()
    let encoder = JSONEncoder()
    let lines = try (0..<count).map { _ in try encoder.encode(Person(generator.next())) }
    let decoder = JSONDecoder()
    let outcome = try Outcome.measure {
      try store.write {
        for line in lines { try store.add(try decoder.decode(Person.self, from: line)) }
      }
      return Double(count)
    }
    return outcome.moving(bytes: lines.reduce(0) { $0 + $1.count })
  }

  func exportLines() throws -> Outcome {
    let store = try open()
    let encoder = JSONEncoder()
    return try .measure {
      var bytes = 0.0
      for person in store.objects(Person.self) { bytes += Double(try encoder.encode(person).count) }
      return bytes
    }
  }
}

extension Person: Codable {}

extension PersonValues {
  /// The values by property name, as they come from decoded JSON.
  fileprivate var dictionary: [String: Any] {
    [
      "id": id, "firstName": firstName, "lastName": lastName, "email": email, "age": age,
      "score": score, "created": created, "isActive": isActive, "avatar": avatar,
    ]
  }
}
