import Foundation
import Whimbrel

/// The models of the random walk: every type of property, and every kind of link.
enum Walk {
  static let models: [any Model.Type] = [
    Scalars.self, Hub.self, Named.self, Numbered.self, Tagged.self, Marked.self, Bag.self,
    Part.self, Leaf.self,
  ]

  enum Level: Int8, PersistableEnum {
    case low = -128
    case middle = 0
    case high = 127
  }

  enum Season: String, PersistableEnum {
    case empty = ""
    case spring = "frühling"
    case winter
  }

  /// A required and an optional property of every type that has no parts.
  @Model
  final class Scalars {
    @Indexed var bool: Bool = false
    @Indexed var int: Int = 7
    @Indexed var int8: Int8 = -7
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    @Indexed var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    @Indexed var uint32: UInt32 = 0
    @Indexed var float: Float = 0
    @Indexed var double: Double = 0
    @Indexed var string: String = "none"
    var data: Data = Data()
    @Indexed var date: Date = Date(timeIntervalSince1970: 0)
    @Indexed var uuid: UUID = UUID()
    @Indexed var decimal: Decimal = 0
    @Indexed var objectId: ObjectId = ObjectId.generate()
    @Indexed var level: Level = Level.middle
    @Indexed var season: Season = Season.empty
    @Indexed var optionalBool: Bool?
    @Indexed var optionalInt: Int?
    var optionalInt8: Int8?
    @Indexed var optionalInt16: Int16?
    var optionalInt32: Int32?
    var optionalUInt8: UInt8?
    @Indexed var optionalUInt16: UInt16?
    var optionalUInt32: UInt32?
    var optionalFloat: Float?
    @Indexed var optionalDouble: Double?
    @Indexed var optionalString: String?
    var optionalData: Data?
    @Indexed var optionalDate: Date?
    var optionalUUID: UUID?
    @Indexed var optionalDecimal: Decimal?
    var optionalObjectId: ObjectId?
    var optionalLevel: Level?
    @Indexed var optionalSeason: Season?
  }

  /// No primary key, and every kind of link.
  @Model
  final class Hub {
    @Indexed var name: String = ""
    var next: Hub?
    @Indexed var named: Named?
    var any: AnyValue = AnyValue.none
    var list: StoredList<Hub>
    var set: StoredSet<Named>
    var map: StoredMap<String, Hub>
    var part: Part?
    var other: Part?
    var parts: StoredList<Part>
    var partsByName: StoredMap<String, Part>
    @Inverse(of: \Hub.next) var before: LinkingObjects<Hub>
    @Inverse(of: \Hub.list) var listing: LinkingObjects<Hub>
  }

  /// A text as its primary key.
  @Model
  final class Named {
    @PrimaryKey var name: String
    var number: Int = 0
    var text: String?
    var partner: Named?
    var numbered: StoredList<Numbered>
    @Inverse(of: \Hub.set) var hubs: LinkingObjects<Hub>
    @Inverse(of: \Hub.named) var namedBy: LinkingObjects<Hub>
  }

  /// An integer as its primary key: its objects are clustered.
  @Model
  final class Numbered {
    @PrimaryKey var number: Int
    @Indexed var text: String = ""
    var partner: Numbered?
    var set: StoredSet<Numbered>
    var part: Part?
    @Inverse(of: \Named.numbered) var names: LinkingObjects<Named>
  }

  /// A UUID as its primary key, made anew for each object.
  @Model
  final class Tagged {
    @PrimaryKey var tag: UUID = UUID()
    var text: String = "none"
    var owner: Numbered?
    var owners: StoredMap<String, Numbered>
    var any: AnyValue = AnyValue.none
  }

  /// An `ObjectId` as its primary key, and nothing besides but values of any type.
  @Model
  final class Marked {
    @PrimaryKey var mark: ObjectId
    var any: AnyValue = AnyValue.none
    var list: StoredList<AnyValue>
    var set: StoredSet<AnyValue>
    var map: StoredMap<String, AnyValue>
  }

  /// Collections of values.
  @Model
  final class Bag {
    var ints: StoredList<Int>
    var optionalInts: StoredList<Int?>
    var bools: StoredList<Bool>
    var strings: StoredList<String>
    var datas: StoredList<Data?>
    var seasons: StoredList<Season>
    var smallInts: StoredSet<Int8>
    var optionalStrings: StoredSet<String?>
    var doubles: StoredSet<Double>
    var optionalFloats: StoredSet<Float?>
    var dataSet: StoredSet<Data>
    var dates: StoredSet<Date>
    var decimals: StoredSet<Decimal>
    var uuids: StoredSet<UUID>
    var numbers: StoredMap<String, UInt32>
    var optionalDecimals: StoredMap<String, Decimal?>
    var texts: StoredMap<String, String>
    var identifiers: StoredMap<String, ObjectId>
    var levels: StoredMap<String, Level?>
  }

  /// Belongs to another object, and may have others inside of it, of its own class too.
  @Model(.embedded)
  final class Part {
    @Indexed var name: String = ""
    var data: Data?
    var next: Part?
    var leaf: Leaf?
    var target: Hub?
    var targets: StoredSet<Numbered>
    @Inverse(of: \Hub.parts) var hubs: LinkingObjects<Hub>
  }

  /// Belongs to another object.
  @Model(.embedded)
  final class Leaf {
    var number: Int = 0
    var leaves: StoredList<Leaf>
    var any: AnyValue = AnyValue.none
  }
}
