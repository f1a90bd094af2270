import CBenchLMDB
import Foundation

/// Bare LMDB through its C functions: the cost of the same work without an object database.
struct LMDBEngine: Engine {
  let path: String

  private static let rowsPerTransaction = 50_000

  func insert(count: Int) throws -> Outcome {
    let environment = try LMDBEnvironment(path: path)
    return try .measure {
      let transaction = try environment.begin()
      let cursor = try transaction.cursor(try transaction.table("persons"))
      let buffer = LMDBRecordBuffer()
      var generator = PersonGenerator()
      for _ in 0..<count {
        let person = generator.next()
        buffer.encode(person)
        try cursor.put(UInt64(person.id), buffer, flags: MDB_APPEND)
      }
      cursor.close()
      try transaction.commit()
      return Double(count)
    }
  }

  func scan() throws -> Outcome {
    try reading { transaction in
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      defer { cursor.close() }
      var sum = 0.0
      while let (_, record) = try cursor.next() { sum += Self.threeProperties(of: record) }
      return sum
    }
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Outcome {
    var keys = LookupKeys(count: count)
    return try reading { transaction in
      let table = try transaction.table("persons", create: false)
      var sum = 0.0
      for _ in 0..<lookups {
        sum += Self.threeProperties(of: try transaction.get(table, UInt64(keys.next())))
      }
      return sum
    }
  }

  /// Returns a number that depends on the first name, age and score of a person.
  private static func threeProperties(of record: LMDBRecordView) -> Double {
    let name = record.string(LMDBRecord.firstName)
    let age = record.load(Int64.self, at: LMDBRecord.age)
    let score = record.load(Double.self, at: LMDBRecord.score)
    return Double(name.utf8.count) + Double(age) + score
  }

  /// Measures work in a read transaction.
  func reading(_ work: (LMDBTransaction) throws -> Double) throws -> Outcome {
    let environment = try LMDBEnvironment(path: path)
    return try .measure {
      let transaction = try environment.begin(readOnly: true)
      defer { transaction.abort() }
      return try work(transaction)
    }
  }

  func update() throws -> Outcome {
    let environment = try LMDBEnvironment(path: path)
    let buffer = LMDBRecordBuffer()
    return try .measure {
      var found = 0.0
      let transaction = try environment.begin()
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      while let (key, record) = try cursor.next() {
        buffer.copy(record)
        buffer.store(record.load(Int64.self, at: LMDBRecord.age) + 1, at: LMDBRecord.age)
        try cursor.put(key, buffer, flags: MDB_CURRENT)
        found += 1
      }
      cursor.close()
      try transaction.commit()
      return found
    }
  }

  func migrate(_ access: PropertyAccess) throws -> Outcome {
    try .measure {
      var found = 0.0
      let environment = try LMDBEnvironment(path: path)
      let opening = try environment.begin()
      let old = try opening.table("persons", create: false)
      let new = try opening.table("persons.2")
      try opening.commit()

      let reader = try environment.begin(readOnly: true)
      let source = try reader.cursor(old)
      let buffer = LMDBRecordBuffer()
      var isAtEnd = false
      while !isAtEnd {
        let writer = try environment.begin()
        let target = try writer.cursor(new)
        for _ in 0..<Self.rowsPerTransaction {
          guard let (key, record) = try source.next() else {
            isAtEnd = true
            break
          }
          buffer.migrate(record)
          try target.put(key, buffer, flags: MDB_APPEND)
          found += 1
        }
        target.close()
        try writer.commit()
      }
      source.close()
      reader.abort()
      let dropping = try environment.begin()
      try dropping.drop(old)
      try dropping.commit()
      return found
    }
  }

  /// Commits a description of the schema durably, which is the least a change can cost.
  func changeSchema(_ change: PropertyChange) throws -> Outcome {
    try .measure {
      let environment = try LMDBEnvironment(path: path)
      let transaction = try environment.begin()
      let cursor = try transaction.cursor(try transaction.table("schema"))
      let buffer = LMDBRecordBuffer()
      buffer.begin(size: 2_048, layout: 2)
      try cursor.put(1, buffer, flags: 0)
      cursor.close()
      try transaction.commit()
      return 1
    }
  }
}
