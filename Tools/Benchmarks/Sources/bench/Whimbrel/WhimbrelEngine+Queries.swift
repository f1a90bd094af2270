import Whimbrel

// Queries without an index.
extension WhimbrelEngine {
  func filter() throws -> Outcome {
    let store = try open()
    return .measure {
      let found = store.objects(Person.self)
        .where { $0.age > PersonFilter.age && $0.score < PersonFilter.score }
      return Double(found.ids.count)
    }
  }

  func sum() throws -> Outcome {
    let store = try open()
    return .measure { store.objects(Person.self).sum(of: \.score) }
  }

  func sort(first limit: Int?) throws -> Outcome {
    let store = try open()
    return .measure {
      var persons = store.objects(Person.self).sorted(by: \.email)
      if let limit { persons = persons.limit(limit) }
      return persons.ids.isEmpty ? 0 : Double(persons.last?.id ?? 0)
    }
  }
}
