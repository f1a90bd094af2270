public import Foundation
public import WhimbrelEngine

extension Bool: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Truth
}
extension Int: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Int8: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Int16: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Int32: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Int64: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension UInt8: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension UInt16: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension UInt32: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Float: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Double: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension Decimal: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Number
}
extension String: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Text
}
extension Data: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Bytes
}
extension Date: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Instant
}
extension UUID: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Identifier<UUID>
}
extension ObjectId: QueryScalar {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Identifier<ObjectId>
}

extension AnyValue: QueryMember {
  /// The kind of the values in queries.
  public typealias _$Kind = QueryKind.Anything
  /// The type itself.
  public typealias _$Wrapped = Self
  /// The type itself, because `none` is already one of its values.
  public typealias _$Optional = Self
}
