public import WhimbrelEngine

/// An enum that a property may have. It is stored as its raw value.
///
/// ```swift
/// enum Area: String, PersistableEnum {
///   case africa, america, asia
/// }
/// ```
///
/// The raw values are part of the schema. A stored raw value that is not a case
/// reads as the first case, and the next write, refresh or opening throws an
/// error for it.
///
/// It is `Codable`, because `#Predicate` captures only values that are.
public protocol PersistableEnum: ModelValue, ModelValueAsOptional, CollectionElement,
  QueryScalar, RawRepresentable, CaseIterable, Codable, Sendable
where RawValue: ModelValue & QueryMember {
  /// The operations that queries have for the cases: see ``QueryKind/Mapped``.
  associatedtype _$Kind = QueryKind.Mapped<Self, RawValue._$Kind>
}

extension PersistableEnum {
  /// The first case.
  public static var _$placeholder: Self {
    guard let first = allCases.first else {
      stopProgram("The enum of a stored property needs a case.")
    }
    return first
  }

  /// The stored type: the type of the raw values.
  public static var propertyType: PropertyType { RawValue.propertyType }

  /// The raw values of all cases, as text.
  public static var propertyCases: [String]? { allCases.map { "\($0.rawValue)" } }

  /// Makes a case from a stored value. Returns nil if the value has another
  /// type or is not a raw value.
  public init?(propertyValue: PropertyValue) {
    guard let raw = RawValue(propertyValue: propertyValue) else { return nil }
    self.init(rawValue: raw)
  }

  /// The stored value: the raw value.
  public var propertyValue: PropertyValue { rawValue.propertyValue }

  /// Reads a property of a managed object.
  @inlinable
  public static func _$load(_ row: inout ModelRow, _ index: Int) -> Self {
    if let value = Self(rawValue: RawValue._$load(&row, index)) { return value }
    row._$noteUnknownCase(index)
    return _$placeholder
  }

  /// Sets a property of a managed object.
  @inlinable
  public static func _$store(_ value: Self, _ row: inout ModelRow, _ index: Int) {
    RawValue._$store(value.rawValue, &row, index)
  }

  /// Encodes a value of an unmanaged object.
  @inlinable
  public static func _$encode(
    _ value: Self, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try RawValue._$encode(value.rawValue, into: &encoder, at: index)
  }
}
