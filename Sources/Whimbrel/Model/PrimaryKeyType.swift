public import WhimbrelEngine

/// The type of the primary key of a model that has none. It has no values, so that looking
/// for an object by a key does not compile.
@_documentation(visibility: internal)
public enum NoPrimaryKey: Persistable {
  /// The type as it is stored; no property has it.
  public static var propertyType: PropertyType { .any }
  /// Returns nil: there are no values.
  public init?(propertyValue: PropertyValue) { nil }
  /// The value as it is stored; there is none.
  public var propertyValue: PropertyValue { switch self {} }
}

/// A primary key whose type can be seen less far than its model. That its type is the right
/// one is checked when the program runs.
///
/// ```swift
/// let order = try migration.oldObject(ofType: Order.self, forPrimaryKey: .init(number))
/// ```
@_documentation(visibility: internal)
public struct HiddenPrimaryKey: Persistable {
  /// The value as it is stored.
  public let propertyValue: PropertyValue

  /// Makes a key of a value of the type that the property has.
  public init(_ key: some Persistable) { propertyValue = key.propertyValue }
  /// Takes a stored value of whatever type.
  public init?(propertyValue: PropertyValue) { self.propertyValue = propertyValue }
  /// The type as it is stored, which is not known here.
  public static var propertyType: PropertyType { .any }
}
