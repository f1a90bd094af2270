internal import Foundation
public import WhimbrelEngine

/// A view of one object with its links in both directions, as `whimbrel show` shows it.
///
/// ```swift
/// let view = try inspector.view(of: "Europe/Andorra", class: "Zone", depth: 1)
/// print(view.text())
/// ```
///
/// Values are complete, except that a collection has only its first elements. An object beyond the
/// depth has a name and no properties.
public struct ObjectView: Hashable, Sendable {
  /// The name of the class.
  public let className: String
  /// The object ID.
  public let id: ObjectID
  /// The primary key as text, or `id:` and the object ID if there is no key.
  public let name: String
  /// The primary key, or nil if the class has none or the object does not exist.
  public let key: PropertyValue?
  /// The schema version of an object that an online migration has not yet converted, or nil. Its
  /// properties are those of that version.
  public let version: SchemaVersion?
  /// The properties in the declared order, or nil if the object is only named.
  public let properties: [Property]?
  /// Whether the object is only named because its properties appear elsewhere in the view.
  public let isElsewhere: Bool
  /// The links to the requested object, by property. Properties without links to it are left out.
  public let incoming: [Incoming]

  /// A property with its value.
  public struct Property: Hashable, Sendable {
    /// The name of the property.
    public let name: String
    /// The value.
    public let value: Value
  }

  /// A value of a property or of an element of a collection.
  public indirect enum Value: Hashable, Sendable {
    /// A value that is neither a link nor a collection, or null.
    case value(PropertyValue)
    /// The target of a link.
    case object(ObjectView)
    /// A list, a set or a map.
    case collection(Collection)
  }

  /// A collection with its first elements.
  public struct Collection: Hashable, Sendable {
    /// The kind of the collection.
    public let kind: Kind
    /// The number of all elements.
    public let count: Int
    /// The first elements.
    public let elements: [Element]

    /// A kind of collection.
    public enum Kind: String, Hashable, Sendable {
      case list, set, map
    }
  }

  /// An element of a collection.
  public struct Element: Hashable, Sendable {
    /// The name in a map, or nil.
    public let name: String?
    /// The value of the element.
    public let value: Value
  }

  /// The links to an object through one property.
  public struct Incoming: Hashable, Sendable {
    /// The class of the linking objects.
    public let className: String
    /// The linking property.
    public let property: String
    /// The number of linking objects.
    public let count: Int
    /// The first linking objects, at most three, in the order of their IDs.
    public let objects: [ObjectView]
  }
}

extension StoreInspector {
  /// Returns a view of an object.
  ///
  /// Embedded objects are always included with their properties, other linked objects down to a
  /// depth. Each object is included once; elsewhere it is only named.
  ///
  /// - Parameters:
  ///   - name: The primary key, or `id:` and the object ID. In a class without a primary key the
  ///     number alone suffices.
  ///   - className: The class of the object.
  ///   - depth: The number of links to follow in a row. The default is 1. A view has at most 100
  ///     levels, embedded objects included.
  ///   - fanOut: The limit of elements of a collection. The default is 10.
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError` for an
  ///   unknown class or a damaged object.
  /// - Complexity: O(*k*) for *k* included objects, plus the objects that link to the requested
  ///   object.
  public func view(
    of name: String, class className: String, depth: Int = 1, fanOut: Int = 10
  ) throws -> ObjectView {
    try explaining {
      let table = try session.table(className)
      let id = try table.object(named: name)
      var viewer = ObjectViewer(session, fanOut: max(0, fanOut))
      return try viewer.view(id, in: table, depth: max(0, depth))
    }
  }
}
