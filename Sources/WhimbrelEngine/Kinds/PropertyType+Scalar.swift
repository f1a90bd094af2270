import Foundation
internal import WhimbrelLMDB

extension PropertyType {
  /// The scalar kind of properties of this type, or nil for `any`, links and collections.
  var scalar: (any Scalar.Type)? {
    switch self {
    case .bool: Bool.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int32: Int32.self
    case .int: Int64.self
    case .uint8: UInt8.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .float: Float.self
    case .double: Double.self
    case .string: String.self
    case .data: Data.self
    case .date: Date.self
    case .uuid: UUID.self
    case .decimal: Decimal.self
    case .objectId: ObjectId.self
    case .any, .link, .list, .set, .map: nil
    }
  }

  /// The size of a slot of this type, in bytes.
  package var slotSize: Int {
    switch self {
    case .bool: Bool.slotSize
    case .int8: Int8.slotSize
    case .int16: Int16.slotSize
    case .int32: Int32.slotSize
    case .int: Int64.slotSize
    case .uint8: UInt8.slotSize
    case .uint16: UInt16.slotSize
    case .uint32: UInt32.slotSize
    case .float: Float.slotSize
    case .double: Double.slotSize
    case .string: String.slotSize
    case .data: Data.slotSize
    case .date: Date.slotSize
    case .uuid: UUID.slotSize
    case .decimal: Decimal.slotSize
    case .objectId: ObjectId.slotSize
    // A link holds an object ID; the others hold an offset and a length.
    case .any, .link, .list, .set, .map: 8
    }
  }

  /// Whether the slot points to bytes after the slots.
  package var isVariable: Bool {
    switch self {
    case .string, .data, .any, .list, .set, .map: true
    default: false
    }
  }
}

extension PageBytes {
  /// Reads a value of a type whose values all have the same size.
  func fixedValue(_ type: PropertyType, at offset: Int) -> PropertyValue {
    switch type {
    case .bool: Bool(self, at: offset).propertyValue
    case .int8: Int8(self, at: offset).propertyValue
    case .int16: Int16(self, at: offset).propertyValue
    case .int32: Int32(self, at: offset).propertyValue
    case .int: Int64(self, at: offset).propertyValue
    case .uint8: UInt8(self, at: offset).propertyValue
    case .uint16: UInt16(self, at: offset).propertyValue
    case .uint32: UInt32(self, at: offset).propertyValue
    case .float: Float(self, at: offset).propertyValue
    case .double: Double(self, at: offset).propertyValue
    case .date: Date(self, at: offset).propertyValue
    case .uuid: UUID(self, at: offset).propertyValue
    case .decimal: Decimal(self, at: offset).propertyValue
    case .objectId: ObjectId(self, at: offset).propertyValue
    case .link: .link(ObjectID(rawValue: UInt64(littleEndian: load(UInt64.self, at: offset))))
    case .string, .data, .any, .list, .set, .map: .null
    }
  }
}

// MARK: - What types allow

extension PropertyType {
  /// Whether this is a whole number of any width.
  public var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int, .uint8, .uint16, .uint32: true
    default: false
    }
  }

  package var isNumber: Bool { scalar?.isNumber ?? false }

  /// Whether a primary key can have this type: integers, `string`, `uuid` and `objectId` can.
  public var canBePrimaryKey: Bool { scalar?.canBePrimaryKey ?? false }

  /// Whether a property of this type can be indexed: all types can, except `data`, `any` and
  /// collections.
  public var canBeIndexed: Bool { scalar?.canBeIndexed ?? (linkTarget != nil) }

  /// The range of whole numbers that this type holds, or nil if the type also holds other values.
  package var integerBounds: ClosedRange<Int64>? { scalar?.integerBounds }

  /// The size of a value in an index key, in bytes, if all values have the same size.
  var keySize: Int { scalar?.keySize ?? 8 }

  /// All types except links and collections.
  public static let scalars: [PropertyType] = Scalars.types.map { $0.propertyType } + [.any]

  /// The widest type of each kind of scalars.
  package static let kinds: [PropertyType] = Scalars.kinds.map { $0.propertyType }
}

// MARK: - Other formats

extension PropertyType {
  /// The name of the text of a value in messages, or nil if JSON has its own form for the values.
  package var textForm: String? { scalar?.textForm }

  /// Reads the text that ``PropertyValue/exactText`` gives, or returns nil.
  package func value(exactText text: String) -> PropertyValue? { scalar?.value(exactText: text) }

  /// The type of an SQLite column, or nil for values of any type, links and collections.
  package var columnType: String? { scalar?.columnType }

  /// The name of the type in Swift, or nil for values of any type, links and collections.
  package var swiftName: String? { scalar?.swiftName }

  /// The Swift expression that makes a different value each time, or nil.
  package var swiftGenerator: String? { scalar?.swiftGenerator }
}

// MARK: - All of them

/// The kinds of scalars.
enum Scalars {
  /// All scalar types, in the order of lists for people.
  static let types: [any Scalar.Type] = [
    Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self,
    Float.self, Double.self, String.self, Data.self, Date.self, UUID.self, Decimal.self,
    ObjectId.self,
  ]

  /// One type for each kind of values: the integers of all widths are one kind.
  static let kinds = types.filter { $0.integerBounds == nil || $0.propertyType == .int }

  /// Returns the kind of values with a name, or nil.
  static func kind(named name: String) -> (any Scalar.Type)? { kinds.first { $0.name == name } }

  /// Returns the kind of values that has a mark in properties of any type, or nil.
  static func kind(mark: UInt8) -> (any Scalar.Type)? {
    mark < kindsByMark.count ? kindsByMark[Int(mark)] : nil
  }

  private static let kindsByMark = (0...(kinds.map { $0.marks.any }.max() ?? 0)).map { mark in
    kinds.first { $0.marks.any == mark }
  }
}
