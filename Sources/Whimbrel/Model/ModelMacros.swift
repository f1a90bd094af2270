internal import Observation

/// Makes a final class a model, so that its objects can be kept in a store.
///
/// Each stored `var` becomes a property of the class in the schema, in the order of declaration and
/// with its default value. The class conforms to the protocol `Model`. Its name in the schema is
/// its name in the code; use `@Model("Name")` for another name. If the class declares no
/// initializer other than convenience initializers, it gets one with a parameter for each property.
///
/// ```swift
/// @Model
/// final class Zone {
///   @PrimaryKey var identifier: String
///   @Renamed(from: "lat") var latitude: Double
///   @Indexed var area: Area
///   var comments: String = ""
///   var country: Country?
///   var neighbors: StoredList<Zone>
///   @Transient var cachedLabel: String? = nil
/// }
///
/// let zone = Zone(identifier: "Asia/Tokyo", latitude: 35.7, area: .asia)
/// ```
///
/// A property needs an explicit type, unless its default value is a literal of a number, a Boolean
/// or a string, or an initializer without arguments such as `UUID()`. The type is one of these:
///
/// - `Bool`, a signed integer, an unsigned integer of up to 32 bits, `Float`, `Double`, `Decimal`,
///   `String`, `Data`, `Date`, `UUID`, `ObjectId`, an enum that conforms to `PersistableEnum`, a
///   type that conforms to `CustomPersistable`, or a `Codable` struct that conforms to
///   `PersistableCodable`;
/// - an optional of one of these;
/// - a link to an object or an embedded object, such as `Country?`, which is always optional;
/// - `AnyValue`, which holds a value of any of the types above;
/// - a collection: `StoredList`, `StoredSet` or `StoredMap`.
///
/// A collection is also a `var`. It is never optional, and starts empty unless it has an initial
/// value. It cannot be the primary key and cannot be indexed. Its type must be written out, because
/// a macro cannot see what a type alias stands for. For the same reason an optional that is spelled
/// as a type alias must be set, unless it has an initial value.
///
/// A property that is not optional, has no default value and is not a collection must be set before
/// the object is added to a store. Static and computed properties are never stored, and neither are
/// properties marked ``Transient()``. Use ``Inverse(of:)`` to find the objects that link to an
/// object.
///
/// A default value is evaluated for each new object, possibly more than once, so it should have no
/// side effects.
///
/// The generated initializer has the access level of the class. If a property has a lower access
/// level, the initializer omits it if the property is optional or has a default value. Otherwise
/// the initializer has the access level of that property.
///
/// A model class cannot be generic, have a superclass, or belong to an actor. It is not isolated
/// either in a module whose default isolation is the main actor. A class nested in another type
/// cannot be `private`; it may be `fileprivate`.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$equals),
  named(_$codingNames), named(_$schema), named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, Observable, TextOutputStreamable)
public macro Model() = #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model whose name in the schema differs from its name in the code.
///
/// Use it for the frozen declarations that migrations read, and to keep the data of a class that
/// was renamed in the code. In everything else it behaves as ``Model()``.
///
/// ```swift
/// enum SchemaV1 {
///   @Model("Zone") final class ZoneV1 {
///     @PrimaryKey var name: String
///   }
/// }
/// ```
///
/// - Parameter className: The name of the class in the schema: a plain string literal of 1 to 57
///   bytes in UTF-8 without control characters. Two models of one store cannot have the same name;
///   opening the store checks this.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$equals),
  named(_$codingNames), named(_$schema), named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, Observable, TextOutputStreamable)
public macro Model(_ className: String) =
  #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model of a kind. With `@Model(.embedded)`, each object has an owner.
///
/// One property of one other object holds an embedded object. The property is optional or a
/// collection. The embedded object is deleted when its owner is deleted, or when another object
/// replaces it in the property. An embedded model has no primary key. In everything else this macro
/// behaves as ``Model()``.
///
/// ```swift
/// @Model(.embedded)
/// final class Coordinate {
///   var latitude: Double
///   var longitude: Double
/// }
///
/// @Model
/// final class City {
///   @PrimaryKey var name: String
///   var coordinate: Coordinate?
///   var border: StoredList<Coordinate>
/// }
/// ```
///
/// - Parameter kind: The kind, as a literal: `.embedded` or `.topLevel`. The default is
///   `.topLevel`.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$equals),
  named(_$codingNames), named(_$schema), named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, Observable, TextOutputStreamable)
public macro Model(_ kind: ModelKind) =
  #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model of a kind, with another name in the schema than in the code.
///
/// In everything else it behaves as ``Model()``.
///
/// ```swift
/// enum SchemaV1 {
///   @Model("Coordinate", .embedded) final class CoordinateV1 {
///     var latitude: Double
///   }
/// }
/// ```
///
/// - Parameters:
///   - className: The name of the class in the schema: a plain string literal of
///     1 to 57 bytes in UTF-8.
///   - kind: The kind, as a literal: `.embedded` or `.topLevel`.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$equals),
  named(_$codingNames), named(_$schema), named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, Observable, TextOutputStreamable)
public macro Model(_ className: String, _ kind: ModelKind) =
  #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model that had another name in earlier schema versions.
///
/// When a store is migrated to the next schema version, the objects of the class with the earlier
/// name become objects of this class, and links to them stay. No object is moved. You may list the
/// names of all earlier versions; keep them. In everything else this macro behaves as ``Model()``.
///
/// ```swift
/// @Model(renamedFrom: "Dog", "Puppy") final class Hound {
///   @PrimaryKey var name: String
/// }
/// ```
///
/// - Parameters:
///   - kind: The kind, as a literal: `.embedded` or `.topLevel`. The default is `.topLevel`.
///   - previousName: The earlier name, as a plain string literal. It cannot be the name of another
///     model of the store; opening the store checks this.
///   - others: More earlier names.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$equals),
  named(_$codingNames), named(_$schema), named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, Observable, TextOutputStreamable)
public macro Model(
  _ kind: ModelKind = .topLevel, renamedFrom previousName: String, _ others: String...
) = #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model that has another name in the schema than in the code, and that had
/// other names in earlier schema versions.
///
/// - Parameters:
///   - className: The name of the class in the schema: a plain string literal of
///     1 to 57 bytes in UTF-8.
///   - kind: The kind, as a literal: `.embedded` or `.topLevel`. The default is `.topLevel`.
///   - previousName: An earlier name, as a plain string literal.
///   - others: More earlier names.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$equals),
  named(_$codingNames), named(_$schema), named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, Observable, TextOutputStreamable)
public macro Model(
  _ className: String, _ kind: ModelKind = .topLevel, renamedFrom previousName: String,
  _ others: String...
) = #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a property the primary key of its class.
///
/// Two objects of a class never have the same primary key. Finding an object by its primary key
/// takes logarithmic time. A class has at most one primary key. Its type is an integer, `String`,
/// `UUID`, `ObjectId`, or an enum or a type of your own that is stored as one of these, and not
/// optional; opening the store checks the type. An embedded model cannot have one.
///
/// ```swift
/// @PrimaryKey var identifier: String
/// ```
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "WhimbrelMacros", type: "PrimaryKeyMacro")

/// Adds an index of a property, so that queries by its value do not read every object.
///
/// An index makes queries faster and each write of the property slower. Adding or removing an index
/// needs no migration block. A primary key needs no additional index. `Data`, `AnyValue` and
/// collections cannot be indexed. For an index of several properties, use ``Index(_:_:)``.
///
/// ```swift
/// @Indexed var area: Area
/// ```
@attached(peer)
public macro Indexed() = #externalMacro(module: "WhimbrelMacros", type: "IndexedMacro")

/// Adds an index of a given kind for a property.
///
/// - `.ordered` is the same as ``Indexed()``.
/// - `.unique` is also ordered, and two objects cannot have the same value, except nil. A write
///   that would break this fails with `StoreError.Code.duplicateValues`: when the object is added,
///   or at the end of the write that sets the property. If objects already have equal values when
///   the index is added, opening the store fails with an error that names them, and the file stays
///   unchanged.
/// - `.fullText` indexes the words of a `String`. A search finds the objects whose text contains
///   the words, and ignores case and diacritics.
///
/// ```swift
/// @Indexed(.unique) var email: String?
/// @Indexed(.fullText) var comments: String
/// ```
///
/// A property may have one index of each kind.
///
/// - Parameter kind: The kind, as a literal.
@attached(peer)
public macro Indexed(_ kind: IndexKind) =
  #externalMacro(module: "WhimbrelMacros", type: "IndexedMacro")

/// Adds an index of several properties to a model.
///
/// The index orders the objects by the first property, objects with equal values by the second
/// property, and so on. It serves conditions on the first property, on the first two, and so on,
/// and sorting in that order. A property may be a link. With `.unique`, two objects cannot have the
/// same values unless one of the values is nil. A model may have several indexes.
///
/// ```swift
/// @Model
/// @Index([\.country, \.identifier])
/// @Index([\.latitude, \.longitude], .unique)
/// final class Zone {
///   var identifier: String
///   var country: Country?
///   var latitude: Double
///   var longitude: Double
/// }
/// ```
///
/// The index holds only the beginning of a text. The more properties it has, the shorter that part
/// is. Results are not affected, but comparing texts with the same beginning is slower.
///
/// - Parameters:
///   - properties: Two to eight stored properties, as key path literals. With `.unique`, one
///     property is enough.
///   - kind: `.ordered` or `.unique`. The default is `.ordered`.
@attached(peer)
public macro Index(
  _ properties: [KeyPath<ModelPropertyNames, ModelPropertyNames>], _ kind: IndexKind = .ordered
) = #externalMacro(module: "WhimbrelMacros", type: "IndexMacro")

/// The root of key paths such as `\.country` in ``Index(_:_:)``, where the compiler does not know
/// the model yet. For use by macros.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct ModelPropertyNames: Sendable {
  /// Returns the value for any name. ``Model()`` checks that the name is a property.
  public subscript(dynamicMember name: String) -> ModelPropertyNames { self }
}

/// Excludes a property from the store.
///
/// The property may have any type and may have observers. It may be `let`, `lazy` or `weak`. Its
/// value belongs to one Swift object; another Swift object for the same record has its own value.
/// The property needs a default value unless it is optional, because an object that is read from a
/// store starts with that value. For the same reason the property is not a parameter of the
/// initializer that ``Model()`` makes.
///
/// ```swift
/// @Transient var cachedLabel: String? = nil
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "WhimbrelMacros", type: "TransientMacro")

/// Gives a property a name in the schema that differs from its name in the code.
///
/// Use it for names that Swift does not allow, and to keep the data of a property that was renamed
/// only in the code. Query text, dynamic objects, dictionaries of values, JSON and the tool use the
/// stored name. Key paths use the name in the code.
///
/// ```swift
/// @Model("link origin")
/// final class LinkOrigin {
///   @StoredName("link-count") var linkCount: Int = 0
/// }
///
/// let linked = try store.objects(LinkOrigin.self).where("`link-count` > 0")
/// ```
///
/// - Parameter name: The name: a plain string literal of 1 to 63 bytes in UTF-8 without control
///   characters. Two properties of a class cannot have the same name.
@attached(peer)
public macro StoredName(_ name: String) =
  #externalMacro(module: "WhimbrelMacros", type: "StoredNameMacro")

/// Declares the names that a property had in earlier schema versions.
///
/// If a store has a property with one of these names and none with the current name, opening it
/// with a higher schema version renames the property, and every object keeps its value. Keep the
/// names as long as such old stores may exist.
///
/// ```swift
/// @Renamed(from: "lat", "y") var latitude: Double
/// ```
///
/// - Parameter previousNames: The names, as plain string literals. A name cannot be listed twice,
///   and cannot be the name of another property of the class. To swap the names of two properties,
///   set the values of both in the migration block.
@attached(peer)
public macro Renamed(from previousNames: String...) =
  #externalMacro(module: "WhimbrelMacros", type: "RenamedMacro")

/// Declares the names that a property had in earlier schema versions, as an array literal.
///
/// In everything else it behaves as the other `@Renamed`.
///
/// - Parameter previousNames: The names, as plain string literals.
@attached(peer)
public macro Renamed(from previousNames: [String]) =
  #externalMacro(module: "WhimbrelMacros", type: "RenamedMacro")

/// Makes a property the inverse of a link: the objects that link to this object.
///
/// The type of the property is `LinkingObjects` of the class that has the link. The key path names
/// that class and one property of it: a link, or a collection of links. The inverse is not stored,
/// and it is not a parameter of the initializer that ``Model()`` makes. It always shows the current
/// links. It has no initial value.
///
/// ```swift
/// @Model
/// final class Country {
///   @PrimaryKey var code: String
///   @Inverse(of: \Zone.country) var zones: LinkingObjects<Zone>
/// }
/// ```
///
/// - Parameter property: The key path, as a literal.
@attached(peer)
public macro Inverse<Source, Value>(of property: KeyPath<Source, Value>) =
  #externalMacro(module: "WhimbrelMacros", type: "InverseMacro")

/// Adds the getter of a property marked ``Inverse(of:)``. For use by ``Model()``.
///
/// - Parameter property: The name of the property whose links are followed.
@attached(accessor)
public macro _Inverse(_ property: String) =
  #externalMacro(module: "WhimbrelMacros", type: "InverseGetterMacro")

/// Adds the accessors of a stored property. For use by ``Model()``.
///
/// The property becomes computed. The compiler drops its initial value, so ``Model()`` repeats that
/// value where it is needed.
///
/// The compiler chooses by type between this macro and the overloads below, which explain why a
/// type cannot be stored. Those overloads only report errors. The constraints of the generated code
/// decide whether a property is stored.
///
/// - Parameters:
///   - index: The index of the property among the stored properties.
///   - className: The name of the class in the schema, for messages.
///   - type: The type of the property.
@attached(accessor)
public macro _Persisted<Value: ModelValue>(
  _ index: Int, in className: String, _ type: Value.Type
) = #externalMacro(module: "WhimbrelMacros", type: "PersistedMacro")

/// Adds the accessors of a collection whose elements can be stored. For use by ``Model()``.
@attached(accessor)
public macro _Persisted<Element: CollectionElement>(
  _ index: Int, in className: String, elements: Element.Type
) = #externalMacro(module: "WhimbrelMacros", type: "PersistedMacro")

/// Reports that the elements of a collection cannot be stored. For use by ``Model()``.
@attached(accessor)
public macro _Persisted<Element>(_ index: Int, in className: String, elements: Element.Type) =
  #externalMacro(module: "WhimbrelMacros", type: "UnstorableElementMacro")

/// Reports that a collection must not be spelled as a type alias. For use by ``Model()``.
@attached(accessor)
public macro _Persisted<Collection: ModelValue & QueryCollection>(
  _ index: Int, in className: String, _ type: Collection.Type
) = #externalMacro(module: "WhimbrelMacros", type: "AliasedCollectionMacro")

/// Reports that a link must be optional. For use by ``Model()``.
@attached(accessor)
public macro _Persisted<Target: Model>(
  _ index: Int, in className: String, _ type: Target.Type
) = #externalMacro(module: "WhimbrelMacros", type: "RequiredLinkMacro")

/// Reports that a type cannot be stored. For use by ``Model()``.
@attached(accessor)
public macro _Persisted<Value>(_ index: Int, in className: String, _ type: Value.Type) =
  #externalMacro(module: "WhimbrelMacros", type: "UnstorableTypeMacro")

/// Reports that a model cannot have a superclass. For use by ``Model()``.
///
/// The compiler chooses this macro for the composition of a class with `Sendable`, and the overload
/// below for the composition of a protocol.
@attached(peer)
public macro _Superclass<Superclass: AnyObject>(_ name: String, _ type: Superclass.Type) =
  #externalMacro(module: "WhimbrelMacros", type: "SuperclassMacro")

/// Accepts a protocol that a model conforms to. For use by ``Model()``.
@attached(peer)
public macro _Superclass<Inherited>(_ name: String, _ type: Inherited.Type) =
  #externalMacro(module: "WhimbrelMacros", type: "InheritedProtocolMacro")

/// Marks each property of a class with errors. For use by ``Model()``.
@attached(accessor)
public macro _Unstored() = #externalMacro(module: "WhimbrelMacros", type: "UnstoredMacro")

extension Model {
  /// Does nothing. A generated initializer calls it at a point where `self` is initialized in a
  /// class without a superclass, and is not initialized in a class with one. So a model without
  /// properties, which has nothing to attach `@_Superclass` to, does not compile with a superclass
  /// either. For use by ``Model()``.
  @_documentation(visibility: internal)
  @inlinable
  public func _$modelsCannotHaveASuperclass() {}

  /// Never runs. A call without arguments finds it if the class declares no such initializer. The
  /// compiler would look for the initializer that lacks the fewest arguments, and report that the
  /// argument `_$row` is missing.
  @_documentation(visibility: internal)
  @available(*, unavailable, message: "Pass a value for each property that has no default value.")
  // Safe: the compiler refuses each call.
  public init() { fatalError() }
}
