import Foundation
import GRDB

/// GRDB with records and its query interface.
struct GRDBEngine: Engine {
  let path: String

  func insert(count: Int) throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure {
      try queue.write { database in
        try database.execute(sql: SQLText.createPersons)
        var generator = PersonGenerator()
        for _ in 0..<count { try PersonRecord(generator.next()).insert(database) }
      }
      return Double(count)
    }
  }

  func insertOwners(count: Int) throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure {
      try queue.write { database in
        try database.execute(sql: SQLText.createOwners)
        var owners = PersonGenerator()
        for _ in 0..<count { try OwnerRecord(owners.next()).insert(database) }
        var dogs = DogGenerator(owners: count)
        for _ in 0..<DogGenerator.dogs(of: count) {
          let dog = dogs.next()
          try DogRecord(id: dog.id, name: dog.name, owner: dog.owner).insert(database)
        }
      }
      return Double(count)
    }
  }

  func update() throws -> Outcome {
    let queue = try DatabaseQueue.forBench(path: path)
    return try .measure {
      try queue.write { database in
        Double(try PersonRecord.updateAll(database, Column("age") += 1))
      }
    }
  }

  /// Migrates as GRDB's documentation does: code reads the old rows and fills a new table.
  func migrate(_ access: PropertyAccess) throws -> Outcome {
    try .measure {
      let queue = try DatabaseQueue.forBench(path: path)
      var migrator = DatabaseMigrator()
      migrator.registerMigration("2") { try Self.fillVersion2($0) }
      try migrator.migrate(queue)
      return Double(try queue.read { try PersonRecord.fetchCount($0) })
    }
  }

  private static func fillVersion2(_ database: Database) throws {
    try database.execute(sql: SQLText.createVersion2)
    let insertion = try database.makeStatement(sql: SQLText.insertVersion2)
    let rows = try Row.fetchCursor(database, sql: "SELECT * FROM person")
    while let row = try rows.next() {
      let (first, last, age): (String, String, Int) = (row[1], row[2], row[4])
      try insertion.setArguments([
        row[0] as Int, first, last, row[3] as String, String(age), Double(age) / 2,
        row[6] as Double, row[7] as Bool, row[8] as Data, first + " " + last,
      ])
      try insertion.execute()
    }
    try database.execute(sql: SQLText.replaceByVersion2)
  }
}

extension DatabaseQueue {
  /// Opens a connection with the same settings as the SQLite engine.
  static func forBench(path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: SQLText.settings) }
    return try DatabaseQueue(path: path, configuration: configuration)
  }
}
