internal import Foundation
public import WhimbrelEngine

/// One object with what it links to and what links to it: what `whimbrel show` shows.
///
/// ```swift
/// let view = try inspector.view(of: "Europe/Andorra", class: "Zone", depth: 1)
/// print(view.text())
/// ```
///
/// Values are kept as they are, but of a collection only the first elements. An object that
/// is not looked into has a name and no properties.
public struct ObjectView: Hashable, Sendable {
  /// The class of the object.
  public let className: String
  /// The identity of the object in its class.
  public let id: ObjectID
  /// The primary key as text, or `id:` and the object ID where there is none.
  public let name: String
  /// The primary key; nil if the class has none, or if the object does not exist.
  public let key: PropertyValue?
  /// The properties in the order declared, or nil when the object is not looked into.
  public let properties: [Property]?
  /// Whether the object is not looked into because that is done elsewhere in the view.
  public let isElsewhere: Bool
  /// The properties by which objects link to this one, for the object that was asked for;
  /// those without any are left out.
  public let incoming: [Incoming]

  /// A property and its value.
  public struct Property: Hashable, Sendable {
    /// The name of the property.
    public let name: String
    /// The value of the object.
    public let value: Value
  }

  /// The value of a property, or of an element of a collection.
  public indirect enum Value: Hashable, Sendable {
    /// Neither a link nor a collection; null too.
    case value(PropertyValue)
    /// What a link leads to.
    case object(ObjectView)
    /// A list, a set or a map.
    case collection(Collection)
  }

  /// The first elements of a collection.
  public struct Collection: Hashable, Sendable {
    /// What kind of collection it is.
    public let kind: Kind
    /// How many elements there are in all.
    public let count: Int
    /// The first elements.
    public let elements: [Element]

    /// What kind of collection one is.
    public enum Kind: String, Hashable, Sendable {
      case list, set, map
    }
  }

  /// An element of a collection.
  public struct Element: Hashable, Sendable {
    /// The name of the element in a map, or nil.
    public let name: String?
    /// The element.
    public let value: Value
  }

  /// The objects that link here by one property.
  public struct Incoming: Hashable, Sendable {
    /// The class of these objects.
    public let className: String
    /// The property that links.
    public let property: String
    /// How many objects there are.
    public let count: Int
    /// The first three of them, in the order of their IDs.
    public let objects: [ObjectView]
  }
}

extension StoreInspector {
  /// Looks into an object.
  ///
  /// Embedded objects are always looked into, links to others down to a depth, and each
  /// object only once: where it comes again there is its name.
  ///
  /// - Parameters:
  ///   - name: the primary key, or `id:` and the object ID; only the number where the class has
  ///     no primary key.
  ///   - depth: how many links one after the other are followed; by default one. More than
  ///     100 levels are never looked into, embedded objects included.
  ///   - fanOut: how many elements of a collection are shown; by default ten.
  /// - Throws: ``InspectionError`` with `badArgument` or `noSuchObject`, and `StoreError` for
  ///   an unknown class or a damaged object.
  /// - Complexity: O(*k*) for *k* objects that are looked into, and the objects that link here.
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
