import GRDB

extension GRDBEngine {
  private func reading(_ work: (Database) throws -> Double) throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure { try queue.read(work) }
  }

  func scan() throws -> Outcome {
    try reading { database in
      var sum = 0.0
      let persons = try PersonRecord.fetchCursor(database)
      while let person = try persons.next() { sum += Self.threeProperties(of: person) }
      return sum
    }
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Outcome {
    try reading { database in
      var keys = LookupKeys(count: count)
      var sum = 0.0
      for _ in 0..<lookups {
        if let person = try PersonRecord.fetchOne(database, key: keys.next()) {
          sum += Self.threeProperties(of: person)
        }
      }
      return sum
    }
  }

  /// Returns a number that depends on the first name, age and score of a
  /// person.
  private static func threeProperties(of person: PersonRecord) -> Double {
    Double(person.firstName.utf8.count) + Double(person.age) + person.score
  }

  func filter() throws -> Outcome {
    try reading { database in
      let ids =
        try PersonRecord
        .filter(Column("age") > PersonFilter.age && Column("score") < PersonFilter.score)
        .select(Column("id"), as: Int.self).fetchAll(database)
      return Double(ids.count)
    }
  }

  func sum() throws -> Outcome {
    try reading { database in
      try PersonRecord.select(GRDB.sum(Column("score")), as: Double.self).fetchOne(database) ?? 0
    }
  }

  func sort(first limit: Int?) throws -> Outcome {
    try reading { database in
      var request = PersonRecord.order(Column("email")).select(Column("id"), as: Int.self)
      if let limit { request = request.limit(limit) }
      return Double(try request.fetchAll(database).last ?? 0)
    }
  }

  func find(_ emails: [String]) throws -> Outcome {
    try reading { database in
      var sum = 0.0
      for email in emails {
        if let owner = try OwnerRecord.filter(Column("email") == email).fetchOne(database) {
          sum += Double(owner.age)
        }
      }
      return sum
    }
  }

  func follow() throws -> Outcome {
    try reading { database in
      var sum = 0.0
      let dogs = try DogRecord.including(optional: DogRecord.ownerLink).order(Column("id"))
        .asRequest(of: DogWithOwner.self).fetchCursor(database)
      while let dog = try dogs.next() { sum += Double(dog.linked?.firstName.utf8.count ?? 0) }
      return sum
    }
  }
}
