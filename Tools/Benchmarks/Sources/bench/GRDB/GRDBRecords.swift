import Foundation
import GRDB

/// A person, declared as in GRDB's documentation.
struct PersonRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "person"

  var id: Int
  var firstName: String
  var lastName: String
  var email: String
  var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

/// A person with an index on the email.
struct OwnerRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "owner"

  var id: Int
  var firstName: String
  var lastName: String
  var email: String
  var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

struct DogRecord: Codable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "dog"
  static let ownerLink = belongsTo(OwnerRecord.self, key: "linked", using: ForeignKey(["owner"]))

  var id: Int
  var name: String
  var owner: Int?
}

/// A dog with its owner, fetched with one join.
struct DogWithOwner: Decodable, FetchableRecord {
  var dog: DogRecord
  var linked: OwnerRecord?
}

// Dates are stored as numbers, which GRDB reads and writes faster than its
// default, text.
extension PersonRecord {
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  init(_ values: PersonValues) {
    self.init(
      id: values.id, firstName: values.firstName, lastName: values.lastName,
      email: values.email, age: values.age, score: values.score, created: values.created,
      isActive: values.isActive, avatar: values.avatar)
  }
}

extension OwnerRecord {
  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }
  static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  init(_ values: PersonValues) {
    self.init(
      id: values.id, firstName: values.firstName, lastName: values.lastName,
      email: values.email, age: values.age, score: values.score, created: values.created,
      isActive: values.isActive, avatar: values.avatar)
  }
}
