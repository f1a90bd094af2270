public import Foundation
public import WhimbrelEngine

extension String: ModelValue, ModelValueAsOptional {
  /// The empty string.
  public static var _$placeholder: String { "" }
  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> String {
    row._$text(index) ?? ""
  }
  /// Reads an optional property of a managed object.
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> String? {
    row._$text(index)
  }
  /// Sets a property of a managed object.
  public static func _$store(_ value: String, _ row: inout ModelRow, _ index: Int) {
    row._$set(index, value)
  }
  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: String, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try encoder._$set(index, value)
  }
}

extension Data: ModelValue, ModelValueAsOptional {
  /// The empty data.
  public static var _$placeholder: Data { Data() }
  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Data {
    row._$data(index) ?? Data()
  }
  /// Reads an optional property of a managed object.
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Data? {
    row._$data(index)
  }
  /// Sets a property of a managed object.
  public static func _$store(_ value: Data, _ row: inout ModelRow, _ index: Int) {
    row._$set(index, value)
  }
  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: Data, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try encoder._$set(index, value)
  }
}

extension UUID: ModelValue, ModelValueAsOptional {
  /// The UUID that is all zeros.
  public static var _$placeholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> UUID {
    _$loadOptional(&row, index) ?? _$placeholder
  }
  /// Reads an optional property of a managed object.
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> UUID? {
    UUID(propertyValue: row._$value(index))
  }
  /// Sets a property of a managed object.
  public static func _$store(_ value: UUID, _ row: inout ModelRow, _ index: Int) {
    row._$change(index, .uuid(value))
  }
  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: UUID, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    encoder._$set(index, value)
  }
}

extension Decimal: ModelValue, ModelValueAsOptional {
  /// Zero.
  public static var _$placeholder: Decimal { 0 }
  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Decimal {
    _$loadOptional(&row, index) ?? _$placeholder
  }
  /// Reads an optional property of a managed object.
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Decimal? {
    Decimal(propertyValue: row._$value(index))
  }
  /// Sets a property of a managed object.
  public static func _$store(_ value: Decimal, _ row: inout ModelRow, _ index: Int) {
    row._$change(index, .decimal(value))
  }
  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: Decimal, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try encoder._$set(index, value: .decimal(value))
  }
}

extension ObjectId: ModelValue, ModelValueAsOptional {
  /// The object ID that is all zeros.
  public static var _$placeholder: ObjectId { ObjectId(high: 0, low: 0) }
  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> ObjectId {
    _$loadOptional(&row, index) ?? _$placeholder
  }
  /// Reads an optional property of a managed object.
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> ObjectId? {
    ObjectId(propertyValue: row._$value(index))
  }
  /// Sets a property of a managed object.
  public static func _$store(_ value: ObjectId, _ row: inout ModelRow, _ index: Int) {
    row._$change(index, .objectId(value))
  }
  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: ObjectId, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try encoder._$set(index, value: .objectId(value))
  }
}
