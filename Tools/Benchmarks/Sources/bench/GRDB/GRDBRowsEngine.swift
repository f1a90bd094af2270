import Foundation
import GRDB

/// GRDB with rows and SQL. It avoids the cost of records and of preparing statements again.
struct GRDBRowsEngine: Engine {
  let path: String

  func insert(count: Int) throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure {
      try queue.write { database in
        try database.execute(sql: SQLText.createPersons)
        try Self.insert(count: count, by: SQLText.insertPerson, database)
      }
      return Double(count)
    }
  }

  func insertOwners(count: Int) throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure {
      try queue.write { database in
        try database.execute(sql: SQLText.createOwners)
        try Self.insert(count: count, by: SQLText.insertOwner, database)
        let statement = try database.makeStatement(sql: SQLText.insertDog)
        var generator = DogGenerator(owners: count)
        for _ in 0..<DogGenerator.dogs(of: count) {
          let dog = generator.next()
          try statement.execute(arguments: [dog.id, dog.name, dog.owner])
        }
      }
      return Double(count)
    }
  }

  private static func insert(count: Int, by text: String, _ database: Database) throws {
    let statement = try database.makeStatement(sql: text)
    var generator = PersonGenerator()
    for _ in 0..<count {
      let person = generator.next()
      try statement.execute(arguments: [
        person.id, person.firstName, person.lastName, person.email, person.age, person.score,
        person.created.timeIntervalSinceReferenceDate, person.isActive, person.avatar,
      ])
    }
  }

  private func reading(_ work: (Database) throws -> Double) throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure { try queue.read(work) }
  }

  func scan() throws -> Outcome {
    try reading { database in
      var sum = 0.0
      let rows = try Row.fetchCursor(database, sql: SQLText.scan)
      while let row = try rows.next() { sum += Self.threeProperties(of: row) }
      return sum
    }
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Outcome {
    try reading { database in
      var keys = LookupKeys(count: count)
      let statement = try database.makeStatement(sql: SQLText.lookup)
      var sum = 0.0
      for _ in 0..<lookups {
        let row = try Row.fetchOne(statement, arguments: [keys.next()])
        if let row { sum += Self.threeProperties(of: row) }
      }
      return sum
    }
  }

  /// Returns a number that depends on the first name, age and score of a person.
  private static func threeProperties(of row: Row) -> Double {
    let (name, age, score): (String, Int, Double) = (row[0], row[1], row[2])
    return Double(name.utf8.count) + Double(age) + score
  }

  func filter() throws -> Outcome {
    try reading { database in
      let ids = try Int.fetchAll(
        database, sql: SQLText.filter, arguments: [PersonFilter.age, PersonFilter.score])
      return Double(ids.count)
    }
  }

  func find(_ emails: [String]) throws -> Outcome {
    try reading { database in
      let statement = try database.makeStatement(sql: SQLText.find)
      var sum = 0.0
      for email in emails {
        sum += Double(try Int.fetchOne(statement, arguments: [email]) ?? 0)
      }
      return sum
    }
  }

  func follow() throws -> Outcome {
    try reading { database in
      var sum = 0.0
      let rows = try Row.fetchCursor(database, sql: SQLText.follow)
      while let row = try rows.next() {
        let name: String = row[0]
        sum += Double(name.utf8.count)
      }
      return sum
    }
  }
}
