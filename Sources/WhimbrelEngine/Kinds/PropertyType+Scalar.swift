import Foundation
internal import WhimbrelLMDB

extension PropertyType {
  /// The kind of scalars that properties of this type have; nil for values of any type, links and
  /// collections.
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

  /// The bytes that a slot of this type takes.
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
    // The ID of an object, or an offset and a length.
    case .any, .link, .list, .set, .map: 8
    }
  }

  /// Whether the slot points to bytes behind the slots.
  package var isVariable: Bool {
    switch self {
    case .string, .data, .any, .list, .set, .map: true
    default: false
    }
  }
}

extension PageBytes {
  /// The value of a type whose values all have one size.
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

  /// Whether this is a number.
  var isNumber: Bool { scalar?.isNumber ?? false }

  /// Whether a primary key may have this type: integers, `string`, `uuid` and `objectId` may.
  public var canBePrimaryKey: Bool { scalar?.canBePrimaryKey ?? false }

  /// Whether a property of this type may be indexed: all but `data`, `any` and collections may.
  public var canBeIndexed: Bool { scalar?.canBeIndexed ?? (linkTarget != nil) }

  /// The least and the greatest whole number that this type holds, or nil when it holds no whole
  /// numbers.
  package var integerBounds: ClosedRange<Int64>? { scalar?.integerBounds }

  /// How many bytes a value of this type takes in a key, if all take as many.
  var keySize: Int { scalar?.keySize ?? 8 }

  /// Every type but links and collections.
  public static let scalars: [PropertyType] = Scalars.types.map { $0.propertyType } + [.any]
}

// MARK: - All of them

/// The kinds of scalars.
enum Scalars {
  /// The types, in the order in which lists show them.
  static let types: [any Scalar.Type] = [
    Bool.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self,
    Float.self, Double.self, String.self, Data.self, Date.self, UUID.self, Decimal.self,
    ObjectId.self,
  ]

  /// The kinds of values.
  static let kinds = types.filter { $0.integerBounds == nil || $0.propertyType == .int }

  /// The kind of values with a name, or nil.
  static func kind(named name: String) -> (any Scalar.Type)? { kinds.first { $0.name == name } }

  /// The kind of values that a byte marks in a property of any type, or nil.
  static func kind(mark: UInt8) -> (any Scalar.Type)? {
    mark < kindsByMark.count ? kindsByMark[Int(mark)] : nil
  }

  private static let kindsByMark = (0...(kinds.map { $0.marks.any }.max() ?? 0)).map { mark in
    kinds.first { $0.marks.any == mark }
  }
}
