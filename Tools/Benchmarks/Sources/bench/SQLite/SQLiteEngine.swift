/// SQLite through its C functions, with statements that are prepared once.
struct SQLiteEngine: Engine {
  let path: String

  func insert(count: Int) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    return try .measure {
      try database.execute("BEGIN; " + SQLText.createPersons)
      let statement = try database.prepare(SQLText.insertPerson)
      var generator = PersonGenerator()
      for _ in 0..<count {
        statement.bind(generator.next())
        try statement.run()
      }
      try database.execute("COMMIT")
      return Double(count)
    }
  }

  func insertOwners(count: Int) throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    return try .measure {
      try database.execute("BEGIN; " + SQLText.createOwners)
      let owners = try database.prepare(SQLText.insertOwner)
      var generator = PersonGenerator()
      for _ in 0..<count {
        owners.bind(generator.next())
        try owners.run()
      }
      let dogs = try database.prepare(SQLText.insertDog)
      var dogGenerator = DogGenerator(owners: count)
      for _ in 0..<DogGenerator.dogs(of: count) {
        let dog = dogGenerator.next()
        dogs.bind(dog.id, at: 1)
        dogs.bind(dog.name, at: 2)
        dogs.bind(dog.owner, at: 3)
        try dogs.run()
      }
      try database.execute("COMMIT")
      return Double(count)
    }
  }

  func update() throws -> Outcome {
    let database = try SQLiteDatabase(path: path)
    let statement = try database.prepare("SELECT changes()")
    return try .measure {
      try database.execute(SQLText.update)
      _ = try statement.step()
      return Double(statement.int(0))
    }
  }

  func migrate(_ access: PropertyAccess) throws -> Outcome {
    try .measure {
      let database = try SQLiteDatabase(path: path)
      try database.execute("BEGIN; " + SQLText.createVersion2 + SQLText.fillVersion2)
      let statement = try database.prepare("SELECT changes()")
      _ = try statement.step()
      let found = Double(statement.int(0))
      statement.reset()
      try database.execute(SQLText.replaceByVersion2 + "COMMIT")
      return found
    }
  }

  func changeSchema(_ change: PropertyChange) throws -> Outcome {
    try .measure {
      let database = try SQLiteDatabase(path: path)
      try database.execute(SQLText.statement(for: change))
      return 1
    }
  }
}
