import CBenchLMDB
import Foundation

/// The layout of a dog's record: fixed slots, then the bytes of the name.
private enum LMDBDogRecord {
  static let id = 8
  static let owner = 16
  static let name = 24
  static let size = 32
}

// Owners with an index on the email, and dogs that link to owners.
extension LMDBEngine {
  func insertOwners(count: Int) throws -> Outcome {
    let environment = try LMDBEnvironment(path: path)
    return try .measure {
      let transaction = try environment.begin()
      try Self.putOwners(count: count, transaction)
      try Self.putDogs(ofOwners: count, transaction)
      try transaction.commit()
      return Double(count)
    }
  }

  private static func putOwners(count: Int, _ transaction: LMDBTransaction) throws {
    let owners = try transaction.cursor(try transaction.table("owners"))
    let emails = try transaction.cursor(try transaction.table("emails", keys: .bytes))
    let (buffer, key) = (LMDBRecordBuffer(), LMDBRecordBuffer())
    var generator = PersonGenerator()
    for _ in 0..<count {
      let person = generator.next()
      buffer.encode(person)
      try owners.put(UInt64(person.id), buffer, flags: MDB_APPEND)
      key.encodeEmail(person.email, of: UInt64(person.id))
      try emails.put(key)
    }
    owners.close()
    emails.close()
  }

  private static func putDogs(ofOwners count: Int, _ transaction: LMDBTransaction) throws {
    let dogs = try transaction.cursor(try transaction.table("dogs"))
    let incoming = try transaction.cursor(try transaction.table("incoming", keys: .bytes))
    let (buffer, key) = (LMDBRecordBuffer(), LMDBRecordBuffer())
    var generator = DogGenerator(owners: count)
    for _ in 0..<DogGenerator.dogs(of: count) {
      let dog = generator.next()
      buffer.begin(size: LMDBDogRecord.size, layout: 1)
      buffer.store(Int64(dog.id), at: LMDBDogRecord.id)
      buffer.store(UInt64(dog.owner), at: LMDBDogRecord.owner)
      buffer.append(dog.name, slot: LMDBDogRecord.name)
      buffer.end()
      try dogs.put(UInt64(dog.id), buffer, flags: MDB_APPEND)
      key.encodeLink(from: UInt64(dog.id), to: UInt64(dog.owner))
      try incoming.put(key)
    }
    dogs.close()
    incoming.close()
  }

  func find(_ emails: [String]) throws -> Outcome {
    try reading { transaction in
      let owners = try transaction.table("owners", create: false)
      let index = try transaction.cursor(
        try transaction.table("emails", keys: .bytes, create: false))
      defer { index.close() }
      let key = LMDBRecordBuffer()
      var sum = 0.0
      for email in emails {
        key.encodeEmail(email)
        guard let id = try index.firstID(after: key) else { continue }
        sum += Double(try transaction.get(owners, id).load(Int64.self, at: LMDBRecord.age))
      }
      return sum
    }
  }

  func follow() throws -> Outcome {
    try reading { transaction in
      let owners = try transaction.table("owners", create: false)
      let dogs = try transaction.cursor(try transaction.table("dogs", create: false))
      defer { dogs.close() }
      var sum = 0.0
      while let (_, dog) = try dogs.next() {
        let owner = try transaction.get(owners, dog.load(UInt64.self, at: LMDBDogRecord.owner))
        sum += Double(owner.string(LMDBRecord.firstName).utf8.count)
      }
      return sum
    }
  }
}
