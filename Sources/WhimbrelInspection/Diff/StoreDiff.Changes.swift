extension StoreDiff {
  /// How many objects of a class differ.
  public struct ClassCounts: Hashable, Sendable {
    /// The name of the class; the new one if it was renamed.
    public let name: String
    /// How many objects only the new store has.
    public let added: Int
    /// How many objects only the old store has.
    public let removed: Int
    /// How many objects both stores have, and with other values.
    public let changed: Int
    /// How many objects are the same in both stores.
    public let same: Int

    /// How many objects differ.
    public var different: Int { added + removed + changed }
  }
}

/// An object that differs between two stores, or before and after a change.
public struct ObjectDifference: Hashable, Sendable {
  /// What has become of the object.
  public let kind: Kind
  /// The object.
  public let object: NamedObject
  /// The properties that differ: of an object that is changed, in the order declared.
  public let properties: [PropertyDifference]

  /// What has become of an object.
  public enum Kind: String, Hashable, Sendable {
    case added, removed, changed
  }
}

/// A property whose value differs.
public struct PropertyDifference: Hashable, Sendable {
  /// The property; inside of embedded objects the way to it, as in `address.street`,
  /// `stops[2].name` or `names["de"].text`.
  public let property: String
  /// How the value differs.
  public let content: Content

  /// How a value differs.
  public enum Content: Hashable, Sendable {
    /// The value is another; the old one is nil where there was no such property.
    case value(old: ComparedValue?, new: ComparedValue)
    /// Elements of the collection differ.
    case elements([ElementDifference])
  }
}

/// An element of a collection that differs.
public struct ElementDifference: Hashable, Sendable {
  /// Where the element is.
  public let place: Place
  /// The old element, or nil when it is new.
  public let old: ComparedValue?
  /// The new element, or nil when it is gone.
  public let new: ComparedValue?

  /// Where an element of a collection is.
  public enum Place: Hashable, Sendable {
    /// The position in a list, from 0: in the new one if the element is new, else in the old one.
    case index(Int)
    /// The name in a map.
    case name(String)
    /// Among the elements of a set.
    case member
  }
}
