import Foundation
import Whimbrel

/// The person of version 1.
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

/// The same with an index of its email.
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

@Model
final class Dog {
  @PrimaryKey var id: Int
  var name: String
  var owner: Owner?
}

/// What the migration reads of a person of version 1.
enum SchemaV1 {
  @Model
  final class Person {
    var firstName: String
    var lastName: String
    var age: Int
  }
}

/// The person of version 2: with a full name, the email called mail, the age as a
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
