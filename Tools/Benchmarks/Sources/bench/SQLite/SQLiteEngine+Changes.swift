// Workloads that change many persons at once, lists, and opening.
extension SQLiteEngine {
  /// Measures statements in one transaction, and takes the answer from a query.
  private func changing(_ changes: String, answer: String) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    return try .measure {
      try database.execute("BEGIN; " + changes)
      let found = try database.number(answer)
      try database.execute("COMMIT")
      return found
    }
  }

  func insertIndexed(count: Int) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    return try .measure {
      try database.execute("BEGIN; " + SQLText.createPersons + SQLText.createIndexes)
      try insert(0..<count, database, SQLText.insertPerson)
      try database.execute("COMMIT")
      return Double(count)
    }
  }

  func upsert(count: Int) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    return try .measure {
      try database.execute("BEGIN")
      try insert(stride(from: 0, to: 2 * count, by: 2), database, SQLText.upsertPerson)
      let found = try database.number(SQLText.countPersons)
      try database.execute("COMMIT")
      return found
    }
  }

  private func insert(
    _ ids: some Sequence<Int>, _ database: SQLiteDatabase, _ text: String
  ) throws {
    let statement = try database.prepare(text)
    var generator = PersonGenerator()
    for id in ids {
      var person = generator.next()
      person.id = id
      statement.bind(person)
      try statement.run()
    }
  }

  func updateThree() throws -> Outcome {
    try changing(SQLText.updateThree, answer: SQLText.changes)
  }

  func delete(below age: Int) throws -> Outcome {
    try changing(SQLText.deletePersons(below: age), answer: SQLText.changes)
  }

  func deleteOwners(_ owners: Int) throws -> Outcome {
    try changing(SQLText.deleteOwners(owners), answer: SQLText.countDogsWithoutOwner)
  }

  func commit(_ commits: Int, among count: Int) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    let statement = try database.prepare(SQLText.setAge)
    var keys = LookupKeys(count: count)
    return try .measure {
      for number in 0..<commits {
        statement.bind(number, at: 1)
        statement.bind(keys.next(), at: 2)
        try statement.run()
      }
      return Double(commits)
    }
  }

  func appendToList(count: Int) throws -> Outcome {
    _ = try insert(count: count)
    return try changing(SQLText.fillList, answer: SQLText.countMembers)
  }

  func deleteFromList(below age: Int) throws -> Outcome {
    try changing(SQLText.deletePersons(below: age), answer: SQLText.countMembers)
  }

  func addIndex() throws -> Outcome {
    try changing(SQLText.createEmailIndex, answer: SQLText.countPersons)
  }

  func reopen(_ times: Int, among count: Int) throws -> Outcome {
    var keys = LookupKeys(count: count)
    return try .measure {
      var sum = 0.0
      for _ in 0..<times { sum += try lookup(keys.next()) }
      return sum
    }
  }

  /// Opens the file and reads one person.
  private func lookup(_ id: Int) throws -> Double {
    let statement = try SQLiteDatabase(path: path).prepare(SQLText.lookup)
    statement.bind(id, at: 1)
    return try statement.step() ? threeProperties(of: statement) : 0
  }
}
