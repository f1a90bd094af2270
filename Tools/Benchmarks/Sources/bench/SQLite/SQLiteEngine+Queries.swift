extension SQLiteEngine {
  /// Measures work with a statement in one transaction.
  private func running(
    _ text: String, _ work: (SQLiteStatement) throws -> Double
  ) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    let statement = try database.prepare(text)
    return try .measure {
      try database.execute("BEGIN")
      return try work(statement)
    }
  }

  func scan() throws -> Outcome {
    try running(SQLText.scan) { statement in
      var sum = 0.0
      while try statement.step() { sum += threeProperties(of: statement) }
      return sum
    }
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Outcome {
    var keys = LookupKeys(count: count)
    return try running(SQLText.lookup) { statement in
      var sum = 0.0
      for _ in 0..<lookups {
        statement.bind(keys.next(), at: 1)
        if try statement.step() { sum += threeProperties(of: statement) }
        statement.reset()
      }
      return sum
    }
  }

  /// Returns a number that depends on the first name, age and score of a
  /// person.
  func threeProperties(of row: SQLiteStatement) -> Double {
    Double(row.string(0).utf8.count) + Double(row.int(1)) + row.double(2)
  }

  func filter() throws -> Outcome {
    try running(SQLText.filter) { statement in
      statement.bind(PersonFilter.age, at: 1)
      statement.bind(PersonFilter.score, at: 2)
      return Double(try ids(of: statement).count)
    }
  }

  func sum() throws -> Outcome {
    try running(SQLText.sum) { statement in
      try statement.step() ? statement.double(0) : 0
    }
  }

  func sort(first limit: Int?) throws -> Outcome {
    try running(SQLText.sort + (limit.map { " LIMIT \($0)" } ?? "")) { statement in
      Double(try ids(of: statement).last ?? 0)
    }
  }

  private func ids(of statement: SQLiteStatement) throws -> [Int] {
    var ids: [Int] = []
    while try statement.step() { ids.append(statement.int(0)) }
    return ids
  }

  func find(_ emails: [String]) throws -> Outcome {
    try running(SQLText.find) { statement in
      var sum = 0.0
      for email in emails {
        statement.bind(email, at: 1)
        if try statement.step() { sum += Double(statement.int(0)) }
        statement.reset()
      }
      return sum
    }
  }

  func follow() throws -> Outcome {
    try running(SQLText.follow) { statement in
      var sum = 0.0
      while try statement.step() { sum += Double(statement.string(0).utf8.count) }
      return sum
    }
  }
}
