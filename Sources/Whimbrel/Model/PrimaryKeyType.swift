public import WhimbrelEngine

/// The type of the primary key of a model that has none. It has no values, so finding an object by
/// a key does not compile.
@_documentation(visibility: internal)
public enum NoPrimaryKey: Persistable {
  /// The stored type. No property has it.
  public static var propertyType: PropertyType { .any }
  /// Returns nil, because the type has no values.
  public init?(propertyValue: PropertyValue) { nil }
  /// The stored value. It is never read, because the type has no values.
  public var propertyValue: PropertyValue { switch self {} }
}

/// A primary key of a model that is visible more widely than the type of the key. The type is
/// checked at run time.
///
/// ```swift
/// let order = try migration.oldObject(ofType: Order.self, forPrimaryKey: .init(number))
/// ```
@_documentation(visibility: internal)
public struct HiddenPrimaryKey: Persistable {
  /// The stored value.
  public let propertyValue: PropertyValue

  /// Makes a key from a value of the property's type.
  public init(_ key: some Persistable) { propertyValue = key.propertyValue }
  /// Makes a key from a stored value of any type.
  public init?(propertyValue: PropertyValue) { self.propertyValue = propertyValue }
  /// The stored type: any, because the real type is not visible here.
  public static var propertyType: PropertyType { .any }
}
