// The models of schema version 7.
import Foundation
import Whimbrel

// Class 'Gone' is no longer declared; the store still has its data.

@Model
final class Empty {
}

@Model
@Index([\.bool, \.date])
@Index([\.int8, \.int16, \.int32], .unique)
final class Every {
  @PrimaryKey var key: ObjectId
  var bool: Bool
  var int8: Int8
  var int16: Int16
  var int32: Int32
  var int: Int
  var uint8: UInt8
  var uint16: UInt16
  var uint32: UInt32
  var float: Float
  var double: Double
  @Indexed(.fullText) var string: String
  var data: Data
  @Indexed var date: Date
  @Indexed(.unique) var uuid: UUID
  var decimal: Decimal
  var objectId: ObjectId
  var any: AnyValue
  var boolOrNil: Bool?
  var int8OrNil: Int8?
  var int16OrNil: Int16?
  var int32OrNil: Int32?
  var intOrNil: Int?
  var uint8OrNil: UInt8?
  var uint16OrNil: UInt16?
  var uint32OrNil: UInt32?
  var floatOrNil: Float?
  var doubleOrNil: Double?
  var stringOrNil: String?
  var dataOrNil: Data?
  var dateOrNil: Date?
  var uuidOrNil: UUID?
  var decimalOrNil: Decimal?
  var objectIdOrNil: ObjectId?
  @Indexed var area: EveryArea
  var level: EveryLevel? = EveryLevel.valueMinus1
  var word: EveryWord = .none
  var link: Every?
  var part: Piece?
  @Indexed var list: StoredListModel?
  var defaultBool: Bool = true
  var defaultInt: Int = -9223372036854775808
  var defaultUint32: UInt32 = 4294967295
  var defaultFloat: Float = 1.5
  var defaultDouble: Double = -0.0
  var defaultInfinity: Double = Double.infinity
  var defaultNan: Float = Float.nan
  var defaultString: String = "a \"b\" \\(c)\n\u{0}é\u{202e}"
  var defaultData: Data = Data(base64Encoded: "AP8=")!
  var defaultDate: Date = Date(timeIntervalSinceReferenceDate: 788918400.25)
  var defaultUuid: UUID = UUID(uuidString: "01020304-0506-0708-090A-0B0C0D0E0F10")!
  var defaultDecimal: Decimal = Decimal(string: "12345678901234567890.123456789")!
  var defaultObjectId: ObjectId = ObjectId("0123456789abcdef01234567")!
  var defaultAny: AnyValue = .map(["a": .list([.int(1), .none, .string("x")])])
  var defaultNewUUID: UUID = UUID()
  var defaultNewID: ObjectId = ObjectId.generate()
  var defaultNow: Date = Date()
  var defaultList: StoredList<Int> = [1, 2]
  var defaultSet: StoredSet<String> = ["a"]
  var defaultMap: StoredMap<String, Double?> = ["a": nil, "b": 2.0]
  var collection0: StoredList<Piece>
  var collection1: StoredSet<Every>
  var collection2: StoredMap<String, StoredListModel>
  var collection3: StoredList<AnyValue>
  var collection4: StoredSet<UUID>
  var collection5: StoredMap<String, Data?>
  var collection6: StoredList<Bool?>
  var areas: StoredList<EveryAreas> = [EveryAreas.x]
}

enum EveryArea: String, PersistableEnum {
  case europe
  case Asia
  case case3 = "a b"
}

enum EveryLevel: Int16, PersistableEnum {
  case valueMinus1 = -1
  case value0 = 0
  case value300 = 300
}

enum EveryWord: String, PersistableEnum {
  case none
  case `class`
  case case3 = "self"
  case case4 = ""
  case case5 = "allCases"
  case `1st`
}

enum EveryAreas: String, PersistableEnum {
  case x
  case y
}

@Model
final class Größe {
  @PrimaryKey var länge: Int
}

@Model(.embedded)
final class Piece {
  var weight: Float
  var parts: StoredList<Piece>
}

@Model("StoredList")
final class StoredListModel {
  var `class`: Int = 1
  var `default`: Int = 1
  var `Any`: Int = 1
  var `init`: Int = 1
  @StoredName("1st") var _1st: Int = 1
  var größe: Int = 1
  var `protocol`: Int = 1
  var `in`: Int = 1
  @Renamed(from: "other", "older") var wasOther: String
}
