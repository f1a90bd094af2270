public import Foundation
public import WhimbrelEngine

extension Bool: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Truth
}
extension Int: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int8: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int16: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int32: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Int64: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension UInt8: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension UInt16: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension UInt32: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Float: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Double: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension Decimal: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Number
}
extension String: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Text
}
extension Data: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Bytes
}
extension Date: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Instant
}
extension UUID: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Identifier<UUID>
}
extension ObjectId: QueryScalar {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Identifier<ObjectId>
}

extension AnyValue: QueryMember {
  /// What queries can do with the values.
  public typealias _$Kind = QueryKind.Anything
  /// The type itself.
  public typealias _$Wrapped = Self
  /// The type itself: `none` is one of its values already.
  public typealias _$Optional = Self
}
