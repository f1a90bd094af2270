import Foundation
import Whimbrel

/// A person of version 1.
@Model
final class Person {
  @PrimaryKey var id: Int
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
@Model
final class Owner {
  @PrimaryKey var id: Int
  var firstName: String
  var lastName: String
  @Indexed var email: String
  var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

/// A person with indexes on the age and the email.
@Model
final class IndexedPerson {
  @PrimaryKey var id: Int
  var firstName: String
  var lastName: String
  @Indexed var email: String
  @Indexed var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

/// A person whose primary key is the email, with two indexes.
@Model
final class KeyedPerson {
  @PrimaryKey var email: String
  var firstName: String
  @Indexed var lastName: String
  @Indexed var age: Int
  var score: Double
  var created: Date
  var isActive: Bool
  var avatar: Data
}

@Model
final class Team {
  @PrimaryKey var id: Int
  var members: StoredList<Person>
}

@Model
final class Dog {
  @PrimaryKey var id: Int
  var name: String
  var owner: Owner?
}

/// The part of version 1 that the migration reads.
enum SchemaV1 {
  @Model
  final class Person {
    var firstName: String
    var lastName: String
    var age: Int
  }
}

/// The schema of version 2: persons have a full name, `mail` instead of `email`, the age as a
/// string, and another score.
enum SchemaV2 {
  @Model("Person")
  final class PersonV2 {
    @PrimaryKey var id: Int
    var firstName: String
    var lastName: String
    var mail: String
    var age: String
    var score: Double
    var created: Date
    var isActive: Bool
    var avatar: Data
    var fullName: String
  }
}

extension Person {
  convenience init(_ values: PersonValues) {
    self.init(
      id: values.id, firstName: values.firstName, lastName: values.lastName, email: values.email,
      age: values.age, score: values.score, created: values.created, isActive: values.isActive,
      avatar: values.avatar)
  }
}

extension Owner {
  convenience init(_ values: PersonValues) {
    self.init(
      id: values.id, firstName: values.firstName, lastName: values.lastName, email: values.email,
      age: values.age, score: values.score, created: values.created, isActive: values.isActive,
      avatar: values.avatar)
  }
}

extension IndexedPerson {
  convenience init(_ values: PersonValues) {
    self.init(
      id: values.id, firstName: values.firstName, lastName: values.lastName, email: values.email,
      age: values.age, score: values.score, created: values.created, isActive: values.isActive,
      avatar: values.avatar)
  }
}

extension KeyedPerson {
  convenience init(_ values: PersonValues) {
    self.init(
      email: values.email, firstName: values.firstName, lastName: values.lastName,
      age: values.age, score: values.score, created: values.created, isActive: values.isActive,
      avatar: values.avatar)
  }
}
