public import WhimbrelEngine

/// An enum that a property may have: it is stored as its raw value.
///
/// ```swift
/// enum Area: String, PersistableEnum {
///   case africa, america, asia
/// }
/// ```
///
/// The raw values are part of the schema. A stored value that is that of no case
/// reads as the first case, and the next write, refresh or opening reports it.
public protocol PersistableEnum: ModelValue, ModelValueAsOptional, CollectionElement,
  QueryScalar, RawRepresentable, CaseIterable, Sendable
where RawValue: ModelValue & QueryMember {
  /// What queries can do with the cases: see ``QueryKind/Mapped``.
  associatedtype _$Kind = QueryKind.Mapped<Self, RawValue._$Kind>
}

extension PersistableEnum {
  /// The first case.
  public static var _$placeholder: Self {
    guard let first = allCases.first else {
      stopProgram("An enum of a stored property needs a case.")
    }
    return first
  }

  /// The type as it is stored.
  public static var propertyType: PropertyType { RawValue.propertyType }

  /// The raw values of an enum, as text, or nil.
  public static var propertyCases: [String]? { allCases.map { "\($0.rawValue)" } }

  /// Reads a stored value, or returns nil when it is one of another type.
  public init?(propertyValue: PropertyValue) {
    guard let raw = RawValue(propertyValue: propertyValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The value as it is stored.
  public var propertyValue: PropertyValue { rawValue.propertyValue }

  /// Reads a property of a managed object.
  @inlinable
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Self {
    if let value = Self(rawValue: RawValue._$load(&row, index)) { return value }
    row._$noteUnknownCase(index)
    return _$placeholder
  }

  /// Writes a property of a managed object.
  @inlinable
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    RawValue._$store(value.rawValue, &row, index)
  }

  /// Hands a value of an unmanaged object over.
  @inlinable
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try RawValue._$encode(value.rawValue, into: &encoder, at: index)
  }
}
