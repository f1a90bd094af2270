import Foundation
import Whimbrel

/// The classes of version 2 that differ from version 1 in one property.
enum ChangedSchema {
  @Model("Person")
  final class PersonWithNickname {
    @PrimaryKey var id: Int
    var firstName: String
    var lastName: String
    var email: String
    var age: Int
    var score: Double
    var created: Date
    var isActive: Bool
    var avatar: Data
    var nickname: String = ""
  }

  @Model("Person")
  final class PersonWithoutEmail {
    @PrimaryKey var id: Int
    var firstName: String
    var lastName: String
    var age: Int
    var score: Double
    var created: Date
    var isActive: Bool
    var avatar: Data
  }

  @Model("Person")
  final class PersonWithMail {
    @PrimaryKey var id: Int
    var firstName: String
    var lastName: String
    @Renamed(from: "email") var mail: String
    var age: Int
    var score: Double
    var created: Date
    var isActive: Bool
    var avatar: Data
  }

  @Model("Person")
  final class PersonWithIndex {
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

  static func model(after change: PropertyChange) -> any Model.Type {
    switch change {
    case .add: PersonWithNickname.self
    case .remove: PersonWithoutEmail.self
    case .rename: PersonWithMail.self
    }
  }
}
