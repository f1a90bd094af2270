public import Observation
public import WhimbrelEngine

/// A class whose objects can be kept in stores. `@Model` adds the conformance.
///
/// An object is *unmanaged* until it is added to a store, and holds its own values. Afterwards it
/// is *managed*: its properties read and write the store, and always show its current values.
///
/// Models are `Observable`: see ``Store/Configuration/observationTracking``.
public protocol Model: AnyObject, PersistableAsOptional, ModelValueAsOptional, CollectionElement,
  Hashable, Identifiable, Observable, TextOutputStreamable
{
  // The extension macro roles of `Model` must list every protocol that this one inherits.

  /// The type of the primary key; ``NoPrimaryKey`` if the class has none.
  associatedtype _$Key: Persistable = NoPrimaryKey

  /// The schema of the class.
  static var _$schema: ModelSchema { get }
  /// The keys of the properties in `CodingKeys` of the class, or nil if it does not declare them.
  /// The key of a property that is not among them is nil.
  static var _$codingNames: [String?]? { get }
  /// The location of the object in its store.
  // A read borrows the row: a copy would count references.
  @_borrowed var _$row: ModelRow { get set }
  /// Makes an object for a row of a store.
  init(_$row: ModelRow)
  /// Passes the values of an unmanaged object to an encoder.
  func _$encode(into encoder: inout ObjectEncoder) throws
  /// Discards the own values of an object that has become managed.
  func _$discardValues()
}

/// The protocol of Swift's `Observation`, whose module a file with models need not import.
@_documentation(visibility: internal)
public typealias _Observable = Observable

extension Model {
  /// Returns the name of the class in the store, for the functions that take a class by its name,
  /// such as ``Migration/renameProperty(onType:from:to:)``.
  public static func className() -> String { _$schema.name }

  /// The ID of the object within its class; nil if the object is unmanaged.
  public var objectID: ObjectID? { _$row.isManaged ? _$row.id : nil }

  /// Whether the object is in a store.
  public var isManaged: Bool { _$row.isManaged }

  /// Whether the object was deleted or its store was closed. Reading a property of an invalidated
  /// object is a programming error.
  public var isInvalidated: Bool { _$row.isInvalidated }

  /// Returns whether both are the same object of the same store.
  public func isSameObject(as other: Self) -> Bool {
    if self === other { return true }
    guard _$row.isManaged, other._$row.isManaged else { return false }
    return _$row.id == other._$row.id && _$row.isSameStore(as: other._$row)
  }
}

extension Model {
  /// Nil.
  public static var _$codingNames: [String?]? { nil }
}

// MARK: - Identity

extension Model {
  /// Returns whether both are the same Swift object, or the same object of the same store.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.isSameObject(as: rhs) }

  /// The identity of the object among all objects, for `ForEach` and for comparing lists: see
  /// ``ObjectIdentity``.
  ///
  /// If a model declares a property `id`, that property replaces this one. Equal objects must have
  /// equal values of it, as a primary key has. `@Transient var id = UUID()` does not work, because
  /// each Swift object would have its own value.
  public var id: ObjectIdentity { objectIdentity }

  /// The identity of the object among all objects, even if the model declares its own `id`.
  public var objectIdentity: ObjectIdentity { _$row.identity }

  /// Hashes the identity. The hash changes when the object is added to a store, so do not add an
  /// object that is in a `Set` or is a key of a dictionary.
  public func hash(into hasher: inout Hasher) {
    if _$row.isManaged {
      hasher.combine(_$row.id)
    } else {
      hasher.combine(ObjectIdentifier(self))
    }
  }
}

// MARK: - Links

extension Model {
  /// The stored type of an optional property.
  public static var optionalPropertyType: PropertyType { .link(to: _$schema.name) }
  /// Always nil, because a link is not an enum.
  public static var optionalPropertyCases: [String]? { nil }
  /// Always returns nil. A link needs a store, so it is read with `_$loadOptional`.
  public static func wrapped(_ value: PropertyValue) -> Self? { nil }
  /// The stored value: a link, or nil for an unmanaged object.
  public var optionalPropertyValue: PropertyValue { _$row.isManaged ? .link(_$row.id) : .null }

  /// Reads an optional property of a managed object.
  @inlinable
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Self? {
    guard let target = row._$linked(index) else { return nil }
    return Self(_$row: target)
  }

  /// Sets an optional property of a managed object.
  @inlinable
  public static func _$storeOptional(_ value: Self?, _ row: inout ModelRow, _ index: Int) {
    row._$setLink(index, value)
  }

  /// Encodes an optional value of an unmanaged object.
  @inlinable
  public static func _$encodeOptional(
    _ value: Self?, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try encoder._$setLink(index, value)
  }
}
