public import WhimbrelEngine

/// A type of an app's own that properties may have: it is stored as a value of another
/// type.
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
/// To the store, the schema and queries the property is one of the stored type: giving
/// it another Swift type that is stored alike is no change of the schema. Such a property
/// cannot be the primary key unless the stored type can be, and equal values must be
/// stored alike where they are members of a set.
///
/// These are stored so already: `URL`, `Duration`, `CGFloat`, and `Range` and
/// `ClosedRange` of numbers. For a `Codable` struct see ``PersistableCodable``.
public protocol CustomPersistable: ModelValue, ModelValueAsOptional, CollectionElement,
  QueryScalar
{
  /// The type that is stored: any that a property may have and that is no optional, link
  /// or collection.
  associatedtype PersistedType: ModelValue & ModelValueAsOptional & QueryMember
  /// What queries can do with the values: see ``QueryKind/Mapped``.
  associatedtype _$Kind = QueryKind.Mapped<Self, PersistedType._$Kind>

  /// Makes a value of what is stored, or returns nil when it stands for none.
  ///
  /// A stored value that gives nil reads as the ``placeholder``, or as nil in an optional
  /// property, and the next write, refresh or opening reports it.
  init?(persistedValue: PersistedType)

  /// What is stored for this value. ``init(persistedValue:)`` must accept it.
  var persistableValue: PersistedType { get }

  /// What a stored value reads as that stands for none.
  static var placeholder: Self { get }
}

extension CustomPersistable {
  /// The type as it is stored.
  public static var propertyType: PropertyType { PersistedType.propertyType }

  /// The raw values of an enum that is stored, as text, or nil.
  public static var propertyCases: [String]? { PersistedType.propertyCases }

  /// Reads a stored value, or returns nil when it is one of another type or stands for
  /// none.
  public init?(propertyValue: PropertyValue) {
    guard let value = PersistedType(propertyValue: propertyValue) else { return nil }
    self.init(persistedValue: value)
  }

  /// The value as it is stored.
  public var propertyValue: PropertyValue { persistableValue.propertyValue }

  /// What a stored value reads as that stands for none.
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

  /// Writes a property of a managed object.
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    PersistedType._$store(value.persistableValue, &row, index)
  }

  /// Hands a value of an unmanaged object over.
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try PersistedType._$encode(value.persistableValue, into: &encoder, at: index)
  }

  /// Makes a value of one of another type: this one, or one that the stored type can be
  /// made of.
  public static func _$converted(_ value: Any?, _ conversion: ValueConversion) throws -> Self {
    if let value = conversion.unwrapped(value) as? Self { return value }
    let stored = try PersistedType._$converted(value, conversion)
    guard let result = Self(persistedValue: stored) else {
      throw conversion.unusable(Self.self)
    }
    return result
  }
}
