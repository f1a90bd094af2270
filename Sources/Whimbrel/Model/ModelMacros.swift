/// Makes a final class a model: its objects can be kept in a store.
///
/// Each stored `var` becomes a property of the class in the schema, in the
/// order declared and with its default value. The class conforms to the
/// protocol `Model`, and its name in the schema is its name in the code; to
/// choose another write `@Model("Name")`. When the class declares no initializer
/// but convenience ones, it gets one with a parameter for each property.
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
/// The type of each property must be written. It is one of these:
///
/// - `Bool`, a signed integer or an unsigned one of up to 32 bits, `Float`,
///   `Double`, `Decimal`, `String`, `Data`, `Date`, `UUID`, `ObjectId`, an enum
///   that is `PersistableEnum`, a type that is `CustomPersistable`, or a
///   `Codable` struct that is `PersistableCodable`;
/// - an optional of one of these;
/// - a link to an object or an embedded object, such as `Country?`, which is
///   always optional;
/// - `AnyValue`, which holds a value of any of the types above;
/// - a collection: `StoredList`, `StoredSet` or `StoredMap`.
///
/// A collection is a `var` too. It is never optional: without an initial value
/// it starts empty. It can neither be the primary key nor be indexed.
///
/// A property with neither a default value nor an optional type, and which is
/// no collection, must be set before the object is added to a store. Static and
/// computed properties are never stored, and neither are those marked
/// ``Transient()``. The objects that link to an object are found with
/// ``Inverse(of:)``.
///
/// A default value is evaluated afresh for each object, perhaps more than once,
/// so it should have no side effects.
///
/// The initializer that the class gets can be seen as far as the class itself.
/// A property that can be seen less far is left out of it when it is optional
/// or has a default value; otherwise the initializer can be seen only as far as
/// that property.
///
/// A model class cannot be generic, have a superclass, or belong to an actor.
/// In a module whose default isolation is the main actor write `nonisolated
/// final class`. A superclass is reported by the compiler as a call of
/// `_$modelsCannotHaveASuperclass` before `super.init`. A class nested in
/// another type cannot be `private`; it may be `fileprivate`.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$schema),
  named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, TextOutputStreamable)
public macro Model() = #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model under another name than that of the class.
///
/// Use it for the frozen old shapes that migrations read, and to keep the data
/// of a class that was renamed in the code. All else is as with ``Model()``.
///
/// ```swift
/// enum SchemaV1 {
///   @Model("Zone") final class ZoneV1 {
///     @PrimaryKey var name: String
///   }
/// }
/// ```
///
/// - Parameter className: The name of the class in the schema: a plain string
///   literal of 1 to 57 bytes in UTF-8 without control characters. Two models of one store cannot have the
///   same name, which is checked when the store is opened.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$schema),
  named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, TextOutputStreamable)
public macro Model(_ className: String) =
  #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model of a kind: `@Model(.embedded)` is one whose
/// objects belong to others.
///
/// An embedded object is kept by one property of one other object, which is of
/// an optional type or a collection. It is deleted with that object, and when
/// another takes its place. An embedded model has no primary key. All else is as
/// with ``Model()``.
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
/// - Parameter kind: The kind, written out: `.embedded` or `.topLevel`, which
///   is the default.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$schema),
  named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, TextOutputStreamable)
public macro Model(_ kind: ModelKind) =
  #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model of a kind, under another name than that of the
/// class.
///
/// All else is as with ``Model()``.
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
///   - kind: The kind, written out: `.embedded` or `.topLevel`.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$schema),
  named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, TextOutputStreamable)
public macro Model(_ className: String, _ kind: ModelKind) =
  #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model whose class had another name in earlier schema versions.
///
/// The objects of a class with that name, and the links to them, are those of this one from the
/// next schema version on; no object is moved. Names of all earlier versions may be given, and stay.
/// All else is as with ``Model()``.
///
/// ```swift
/// @Model(renamedFrom: "Dog", "Puppy") final class Hound {
///   @PrimaryKey var name: String
/// }
/// ```
///
/// - Parameters:
///   - kind: The kind, written out: `.embedded` or `.topLevel`, which is the default.
///   - previousName: The name as a plain string literal. It may not be that of another model of the
///     store, which is checked when the store is opened.
///   - others: More such names.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$schema),
  named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, TextOutputStreamable)
public macro Model(
  _ kind: ModelKind = .topLevel, renamedFrom previousName: String, _ others: String...
) = #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a final class a model under another name than that of the class, and whose class had
/// another name in earlier schema versions.
///
/// - Parameters:
///   - className: The name of the class in the schema: a plain string literal of
///     1 to 57 bytes in UTF-8.
///   - kind: The kind, written out: `.embedded` or `.topLevel`, which is the default.
///   - previousName: An earlier name as a plain string literal.
///   - others: More such names.
@attached(
  member, names: named(_$row), named(_$values), named(_$Values), named(_$unmanaged), named(init),
  named(_$Defaults), named(_$Key), named(_$Identity), named(_$identity), named(_$schema),
  named(_$encode), named(_$discardValues))
@attached(memberAttribute)
@attached(
  extension,
  conformances: Model, CollectionElement, ModelValueAsOptional, PersistableAsOptional, Hashable,
  Identifiable, TextOutputStreamable)
public macro Model(
  _ className: String, _ kind: ModelKind = .topLevel, renamedFrom previousName: String,
  _ others: String...
) = #externalMacro(module: "WhimbrelMacros", type: "ModelMacro")

/// Makes a property the primary key of its class.
///
/// No two objects of a class have the same primary key, and an object is found
/// by it in logarithmic time. A class has at most one. It is an integer, a
/// `String`, a `UUID` or an `ObjectId`, and never optional; that the type is one
/// of these is checked when the store is opened. An embedded model has none.
///
/// ```swift
/// @PrimaryKey var identifier: String
/// ```
@attached(peer)
public macro PrimaryKey() = #externalMacro(module: "WhimbrelMacros", type: "PrimaryKeyMacro")

/// Keeps an index of a property, so that queries by its value need not read
/// every object.
///
/// An index makes queries faster, and each write of the property slower.
/// Adding or removing one needs no migration block. A primary key needs no
/// index besides. `Data` and collections cannot be indexed. An index of several
/// properties is that of ``Index(_:_:)``.
///
/// ```swift
/// @Indexed var area: Area
/// ```
@attached(peer)
public macro Indexed() = #externalMacro(module: "WhimbrelMacros", type: "IndexedMacro")

/// Keeps an index of a property, of a kind.
///
/// - `.ordered` is as ``Indexed()``.
/// - `.unique` is ordered too, and no two objects have the same value, unless it is nil:
///   a write that would bring that about fails with `StoreError.Code.duplicateValues`. Where
///   objects of a store have the same value when such an index is added, opening it fails
///   and names them, and the file stays as it was.
/// - `.fullText` is of the words of a `String`: a search finds the objects whose text has
///   them, whatever their case and their marks.
///
/// ```swift
/// @Indexed(.unique) var email: String?
/// @Indexed(.fullText) var comments: String
/// ```
///
/// A property may have an index of each kind.
///
/// - Parameter kind: The kind, written out.
@attached(peer)
public macro Indexed(_ kind: IndexKind) =
  #externalMacro(module: "WhimbrelMacros", type: "IndexedMacro")

/// Keeps an index of several properties of a model.
///
/// It has the objects in the order of the first property, those that have the same in the
/// order of the second, and so on. It serves conditions on the first, on the first and the
/// second, and so on, and sorting in that order. A property of it may be a link. With
/// `.unique` no two objects have the same values, unless one of them is nil. A model may
/// have several.
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
/// Of a text it has the first part only, the shorter the more properties there are; that
/// is of no consequence for what is found, but comparing texts that begin alike is slower.
///
/// - Parameters:
///   - properties: Two to eight stored properties, as key paths written out; with `.unique`
///     one will do.
///   - kind: `.ordered`, which is the default, or `.unique`.
@attached(peer)
public macro Index(
  _ properties: [KeyPath<ModelPropertyNames, ModelPropertyNames>], _ kind: IndexKind = .ordered
) = #externalMacro(module: "WhimbrelMacros", type: "IndexMacro")

/// Not for use: what a key path like `\.country` begins at in ``Index(_:_:)``, where the
/// compiler does not know the model yet.
@dynamicMemberLookup
@_documentation(visibility: internal)
public struct ModelPropertyNames: Sendable {
  /// Any name will do; that it is a property's is for ``Model()`` to see.
  public subscript(dynamicMember name: String) -> ModelPropertyNames { self }
}

/// Leaves a property out of the store.
///
/// The property may have any type and observers, and may be `let`, `lazy` or
/// `weak`. Its value belongs to one Swift object: another object for the same
/// record has its own. It needs a default value unless it is optional, since an
/// object that is read from a store starts with it, and for the same reason it
/// is no parameter of the initializer that ``Model()`` makes.
///
/// ```swift
/// @Transient var cachedLabel: String? = nil
/// ```
@attached(peer)
public macro Transient() = #externalMacro(module: "WhimbrelMacros", type: "TransientMacro")

/// Gives a property another name in the schema than it has in code.
///
/// Use it for names that Swift cannot have, and to keep the data of a property that was renamed
/// in the code alone. Query text, dynamic objects, dictionaries of values, JSON and the tool know
/// the property by this name; key paths are those of code.
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
///   characters. No two properties of a class have the same.
@attached(peer)
public macro StoredName(_ name: String) =
  #externalMacro(module: "WhimbrelMacros", type: "StoredNameMacro")

/// Tells the names that a property had in earlier versions of the schema.
///
/// When a store has a property of one of these names and none of the present
/// one, opening it with a higher schema version renames the property, and every
/// object keeps its value. Keep the names for as long as there may be stores
/// that old.
///
/// ```swift
/// @Renamed(from: "lat", "y") var latitude: Double
/// ```
///
/// - Parameter previousNames: The names as plain string literals. None may be
///   the name of a property that the class still has, nor be given twice. To
///   exchange the names of two properties call
///   `renameProperty(onType:from:to:)` in the migration block.
@attached(peer)
public macro Renamed(from previousNames: String...) =
  #externalMacro(module: "WhimbrelMacros", type: "RenamedMacro")

/// Tells the names that a property had in earlier versions of the schema, as an
/// array literal.
///
/// All else is as with the other `@Renamed`.
///
/// - Parameter previousNames: The names as plain string literals.
@attached(peer)
public macro Renamed(from previousNames: [String]) =
  #externalMacro(module: "WhimbrelMacros", type: "RenamedMacro")

/// Makes a property the objects that link to this one: the other side of a link.
///
/// The property is of the type `LinkingObjects` of the class that has the link,
/// and the key path names that class and the one property that is followed: a
/// link, or a collection of links. The property is not stored, and it is no
/// parameter of the initializer that ``Model()`` makes: what it finds follows
/// the links as they change. It has no initial value.
///
/// ```swift
/// @Model
/// final class Country {
///   @PrimaryKey var code: String
///   @Inverse(of: \Zone.country) var zones: LinkingObjects<Zone>
/// }
/// ```
///
/// - Parameter property: The key path, written out.
@attached(peer)
public macro Inverse<Source, Value>(of property: KeyPath<Source, Value>) =
  #externalMacro(module: "WhimbrelMacros", type: "InverseMacro")

/// Not for use: ``Model()`` puts it before each property marked
/// ``Inverse(of:)``, to give it its getter.
///
/// - Parameter property: The name of the property whose links are followed.
@attached(accessor)
public macro _Inverse(_ property: String) =
  #externalMacro(module: "WhimbrelMacros", type: "InverseGetterMacro")

/// Not for use: ``Model()`` puts it before each property that is stored, to
/// give it its accessors.
///
/// It makes the property computed. The compiler drops the initial value, which
/// ``Model()`` repeats where it is needed.
///
/// The compiler chooses by the type among this and the macros below, which say
/// what is wrong with one that cannot be stored. They only report errors: that a
/// property is stored is decided by the constraints of the code that is made.
///
/// - Parameters:
///   - index: The place of the property among the stored ones.
///   - className: The name of the class in the schema, for messages.
///   - type: The type of the property.
@attached(accessor)
public macro _Persisted<Value: ModelValue>(
  _ index: Int, in className: String, _ type: Value.Type
) = #externalMacro(module: "WhimbrelMacros", type: "PersistedMacro")

/// Not for use: the accessors of a collection of elements that can be stored.
@attached(accessor)
public macro _Persisted<Element: CollectionElement>(
  _ index: Int, in className: String, elements: Element.Type
) = #externalMacro(module: "WhimbrelMacros", type: "PersistedMacro")

/// Not for use: says that the elements of a collection cannot be stored.
@attached(accessor)
public macro _Persisted<Element>(_ index: Int, in className: String, elements: Element.Type) =
  #externalMacro(module: "WhimbrelMacros", type: "UnstorableElementMacro")

/// Not for use: says that a link must be optional.
@attached(accessor)
public macro _Persisted<Target: Model>(
  _ index: Int, in className: String, _ type: Target.Type
) = #externalMacro(module: "WhimbrelMacros", type: "RequiredLinkMacro")

/// Not for use: says that a type cannot be stored.
@attached(accessor)
public macro _Persisted<Value>(_ index: Int, in className: String, _ type: Value.Type) =
  #externalMacro(module: "WhimbrelMacros", type: "UnstorableTypeMacro")

/// Not for use: ``Model()`` puts it before each property of a class with errors.
@attached(accessor)
public macro _Unstored() = #externalMacro(module: "WhimbrelMacros", type: "UnstoredMacro")

extension Model {
  /// Not for use: an initializer made by ``Model()`` calls it where `self` is
  /// complete in a class without a superclass, and is not in any other.
  @_documentation(visibility: internal)
  @inlinable
  public func _$modelsCannotHaveASuperclass() {}
}
