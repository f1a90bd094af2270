public import WhimbrelEngine

/// A class whose objects are kept in stores: what `@Model` makes of a class.
///
/// An object is *unmanaged* until it is added to a store: its values are its own.
/// After that it is *managed*: its properties read and write the store, and are
/// what the store has at the moment.
public protocol Model: AnyObject, PersistableAsOptional, ModelValueAsOptional, CollectionElement,
  Hashable, Identifiable, TextOutputStreamable
{
  // The conformances of the macros `Model` name all protocols that this inherits.

  /// The type of the primary key: ``NoPrimaryKey`` when the class has none.
  associatedtype _$Key: Persistable = NoPrimaryKey

  /// The class as stores know it.
  static var _$schema: ModelSchema { get }
  /// The place of the object in its store.
  var _$row: ModelRow { get set }
  /// Makes the object of a place in a store.
  init(_$row: ModelRow)
  /// Hands the values of an unmanaged object over.
  func _$encode(into encoder: inout ObjectEncoder) throws
  /// Forgets the values of an object that is managed now.
  func _$discardValues()
}

extension Model {
  /// The identity of the object within its class, or nil when it is in no store.
  public var objectID: ObjectID? { _$row.isManaged ? _$row.id : nil }

  /// Whether the object is in a store.
  public var isManaged: Bool { _$row.isManaged }

  /// Whether the object was deleted, or its store closed. Reading a property of
  /// such an object is a programming error.
  public var isInvalidated: Bool { _$row.isInvalidated }

  /// Whether both are the same object of the same store.
  public func isSameObject(as other: Self) -> Bool {
    if self === other { return true }
    guard _$row.isManaged, other._$row.isManaged else { return false }
    return _$row.id == other._$row.id && _$row.isSameStore(as: other._$row)
  }
}

// MARK: - Identity

extension Model {
  /// Whether both are the same object: the same Swift object, or the same object of
  /// the same store.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.isSameObject(as: rhs) }

  /// The identity of the object among all others, for `ForEach` and lists that are compared:
  /// see ``ObjectIdentity``.
  ///
  /// A model that declares a property `id` has that instead; equal objects must have equal
  /// values of it, as primary keys are. `@Transient var id = UUID()` is none: each Swift object
  /// would have its own.
  public var id: ObjectIdentity { objectIdentity }

  /// The identity of the object among all others, whatever properties the model has.
  public var objectIdentity: ObjectIdentity { _$row.identity }

  /// Hashes the identity. It changes when the object is added to a store, so an object
  /// that is in a `Set` or a dictionary must not be added.
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
  /// The type of an optional property as it is stored.
  public static var optionalPropertyType: PropertyType { .link(to: _$schema.name) }
  /// The raw values of an enum, as text, or nil.
  public static var optionalPropertyCases: [String]? { nil }
  /// Reads a stored value that is not nil, or returns nil when it is one of another type.
  public static func wrapped(_ value: PropertyValue) -> Self? { nil }
  /// The value as it is stored.
  public var optionalPropertyValue: PropertyValue { _$row.isManaged ? .link(_$row.id) : .null }

  /// Reads an optional property of a managed object.
  @inlinable
  public static func _$loadOptional(_ row: inout ModelRow, _ index: Int) -> Self? {
    guard let target = row._$linked(index) else { return nil }
    return Self(_$row: target)
  }

  /// Writes an optional property of a managed object.
  @inlinable
  public static func _$storeOptional(_ value: Self?, _ row: inout ModelRow, _ index: Int) {
    row._$setLink(index, value)
  }

  /// Hands an optional value of an unmanaged object over.
  @inlinable
  public static func _$encodeOptional(
    _ value: Self?, into encoder: inout ObjectEncoder, at index: Int
  ) throws {
    try encoder._$setLink(index, value)
  }
}
