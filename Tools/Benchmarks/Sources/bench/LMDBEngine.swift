import CBenchLMDB
import Foundation

/// Bare LMDB by its C functions: what the same work costs without an object
/// database.
struct LMDBEngine: Engine {
  let path: String

  private static let rowsPerTransaction = 50_000

  func insert(count: Int) throws -> Duration {
    let environment = try LMDBEnvironment(path: path)
    return try ContinuousClock().measure {
      let transaction = try environment.begin()
      let table = try transaction.table("persons")
      let cursor = try transaction.cursor(table)
      let buffer = LMDBRecordBuffer()
      var generator = PersonGenerator()
      for _ in 0..<count {
        let person = generator.next()
        buffer.encode(person)
        try cursor.put(UInt64(person.id), buffer, flags: MDB_APPEND)
      }
      cursor.close()
      try transaction.commit()
    }
  }

  func scan(expecting count: Int) throws -> Duration {
    let environment = try LMDBEnvironment(path: path)
    var (found, sum) = (0, 0.0)
    let duration = try ContinuousClock().measure {
      let transaction = try environment.begin(readOnly: true)
      defer { transaction.abort() }
      let cursor = try transaction.cursor(try transaction.table("persons", create: false))
      defer { cursor.close() }
      while let (_, record) = try cursor.next() {
        let name = record.string(LMDBRecord.firstName)
        let age = record.load(Int64.self, at: LMDBRecord.age)
        let score = record.load(Double.self, at: LMDBRecord.score)
        sum += Double(name.utf8.count) + Double(age) + score
        found += 1
      }
    }
    try WorkloadError.check(sum.isFinite ? found : 0, expected: count)
    return duration
  }

  func lookup(_ lookups: Int, among count: Int) throws -> Duration {
    let environment = try LMDBEnvironment(path: path)
    var keys = LookupKeys(count: count)
    var found = 0
    let duration = try ContinuousClock().measure {
      let transaction = try environment.begin(readOnly: true)
      defer { transaction.abort() }
      let table = try transaction.table("persons", create: false)
      for _ in 0..<lookups {
        let record = try transaction.get(table, UInt64(keys.next()))
        if record.load(Int64.self, at: LMDBRecord.age) >= 0 { found += 1 }
      }
    }
    try WorkloadError.check(found, expected: lookups)
    return duration
  }

  func update(expecting count: Int) throws -> Duration {
    let environment = try LMDBEnvironment(path: path)
    let buffer = LMDBRecordBuffer()
    var found = 0
    let duration = try ContinuousClock().measure {
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
    }
    try WorkloadError.check(found, expected: count)
    return duration
  }

  func migrate(_ access: PropertyAccess, expecting count: Int) throws -> Duration {
    var found = 0
    let duration = try ContinuousClock().measure {
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
    }
    try WorkloadError.check(found, expected: count)
    return duration
  }

  /// One durable commit of a description of the schema: the least that a change can cost.
  func changeSchema(_ change: PropertyChange) throws -> Duration {
    try ContinuousClock().measure {
      let environment = try LMDBEnvironment(path: path)
      let transaction = try environment.begin()
      let cursor = try transaction.cursor(try transaction.table("schema"))
      let buffer = LMDBRecordBuffer()
      buffer.begin(size: 2_048, layout: 2)
      try cursor.put(1, buffer, flags: 0)
      cursor.close()
      try transaction.commit()
    }
  }
}
