public import WhimbrelEngine

/// A type of the app that properties may have. It is stored as a value of another type.
///
/// ```swift
/// struct Offset: CustomPersistable {
///   var minutes: Int
///
///   init(minutes: Int) { self.minutes = minutes }
///   init?(persistedValue: Int) {
///     guard abs(persistedValue) <= 1_440 else { return nil }
///     minutes = persistedValue
///   }
///   var persistableValue: Int { minutes }
///   static var placeholder: Offset { Offset(minutes: 0) }
/// }
///
/// @Model
/// final class Zone {
///   var offset: Offset
///   var earlier: StoredList<Offset>
///   var summer: Offset?
/// }
/// ```
///
/// The store, the schema and queries see the stored type. Changing the Swift type to another one
/// with the same stored type is therefore not a change of the schema. The property can be the
/// primary key only if the stored type can be one. If values are elements of a set, equal values
/// must have equal stored values.
///
/// These types already conform: `URL`, `Duration`, `CGFloat`, and `Range` and `ClosedRange` of
/// numbers. For a `Codable` struct see ``PersistableCodable``.
public protocol CustomPersistable: ModelValue, ModelValueAsOptional, CollectionElement,
  QueryScalar
{
  /// The stored type: any type that a property may have, except an optional, a link or a
  /// collection.
  associatedtype PersistedType: ModelValue & ModelValueAsOptional & QueryMember
  /// The operations that queries have for the values: see ``QueryKind/Mapped``.
  associatedtype _$Kind = QueryKind.Mapped<Self, PersistedType._$Kind>

  /// Makes a value from a stored value, or returns nil if the stored value does not represent a
  /// value.
  ///
  /// If this returns nil, the property reads as the ``placeholder``, or as nil if it is optional.
  /// The next write, refresh or opening throws an error for it.
  init?(persistedValue: PersistedType)

  /// The stored value. ``init(persistedValue:)`` must accept it.
  var persistableValue: PersistedType { get }

  /// The value that a property has if its stored value does not represent a value.
  static var placeholder: Self { get }
}

extension CustomPersistable {
  /// The stored type.
  public static var propertyType: PropertyType { PersistedType.propertyType }

  /// The raw values of the stored type as text if it is an enum, otherwise nil.
  public static var propertyCases: [String]? { PersistedType.propertyCases }

  /// Makes a value from a stored value. Returns nil if the stored value has another type or does
  /// not represent a value.
  public init?(propertyValue: PropertyValue) {
    guard let value = PersistedType(propertyValue: propertyValue) else { return nil }
    self.init(persistedValue: value)
  }

  /// The stored value.
  public var propertyValue: PropertyValue { persistableValue.propertyValue }

  /// The value that a property has if its stored value does not represent a value.
  public static var _$placeholder: Self { placeholder }

  /// Reads a property of a managed object.
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Self {
    if let value = Self(persistedValue: PersistedType._$load(&row, index)) { return value }
    row._$noteUnknownCase(index)
    return placeholder
  }

  /// Reads an optional property of a managed object.
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Self? {
    guard let stored = PersistedType._$loadOptional(&row, index) else { return nil }
    if let value = Self(persistedValue: stored) { return value }
    row._$noteUnknownCase(index)
    return nil
  }

  /// Sets a property of a managed object.
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    PersistedType._$store(value.persistableValue, &row, index)
  }

  /// Encodes a value of an unmanaged object.
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try PersistedType._$encode(value.persistableValue, into: &encoder, at: index)
  }

  /// Converts a value: a value of this type stays, and any other is converted to the stored type
  /// first.
  public static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self {
    if let value = conversion.unwrapped(value) as? Self { return value }
    let stored = try PersistedType._$converted(value, conversion)
    guard let result = Self(persistedValue: stored) else {
      throw conversion.unusable(Self.self)
    }
    return result
  }
}
