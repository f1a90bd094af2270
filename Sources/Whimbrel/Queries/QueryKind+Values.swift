public import Foundation
public import WhimbrelEngine

extension Bool {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Truth
}
extension Int {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int8 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int16 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int32 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int64 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension UInt8 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension UInt16 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension UInt32 {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Float {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Double {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Decimal {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension String {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Text
}
extension Data {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Bytes
}
extension Date {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Instant
}
extension UUID {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Identifier<UUID>
}
extension ObjectId {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Identifier<ObjectId>
}

extension AnyValue {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Anything
  /// The type itself.
  public typealias _$Wrapped = Self
  /// The type itself: `none` is one of its values already.
  public typealias _$Optional = Self
}
