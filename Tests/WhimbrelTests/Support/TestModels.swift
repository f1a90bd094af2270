import Foundation
import Whimbrel

enum Flavour: Int, PersistableEnum {
  case sweet = -5
  case sour = 0
  case bitter = 9_000_000_000
}

enum Level: Int8, PersistableEnum {
  case low = -128
  case high = 127
}

enum Season: String, PersistableEnum {
  case empty = ""
  case spring = "frühling"
  case winter
}

/// One required property of every type.
@Model
final class Required {
  var bool: Bool
  var int: Int
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int64: Int64
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var float: Float
  var double: Double
  var string: String
  var data: Data
  var date: Date
  var uuid: UUID
  var flavour: Flavour
  var level: Level
  var season: Season
}

/// One optional property of every type.
@Model
final class Optionals {
  var bool: Bool?
  var int: Int?
  var int8: Int8?
  var int16: Int16?
  var int32: Int32?
  var int64: Int64?
  var uint8: UInt8?
  var uint16: UInt16?
  var uint32: UInt32?
  var float: Float?
  var double: Double?
  var string: String?
  var data: Data?
  var date: Date?
  var uuid: UUID?
  var flavour: Flavour?
  var level: Level?
  var season: Season?
  var link: Optionals?
}

/// No primary key, and two links to its own class.
@Model
final class Node {
  @Indexed var name: String
  var next: Node?
  var other: Node?
  var named: Named?
}

/// A text as its primary key.
@Model
final class Named {
  @PrimaryKey var name: String
  var number: Int = 0
  var text: String?
  var partner: Named?
  var numbered: Numbered?
}

/// An integer as its primary key: its objects are clustered.
@Model
final class Numbered {
  @PrimaryKey var number: Int
  @Indexed var text: String = ""
  var partner: Numbered?
  var named: Named?
}

/// A UUID as its primary key, made anew for each object.
@Model
final class Tagged {
  @PrimaryKey var tag = UUID()
  var text = "none"
  var made = Date()
  var owner: Numbered?
}
