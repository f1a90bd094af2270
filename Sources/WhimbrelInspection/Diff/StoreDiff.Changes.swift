extension StoreDiff {
  /// The numbers of differing objects of a class.
  public struct ClassCounts: Hashable, Sendable {
    /// The name of the class: the new name if the class was renamed.
    public let name: String
    /// The number of objects only in the new store.
    public let added: Int
    /// The number of objects only in the old store.
    public let removed: Int
    /// The number of objects with different values in the two stores.
    public let changed: Int
    /// The number of equal objects.
    public let same: Int

    /// The number of differing objects.
    public var different: Int { added + removed + changed }
  }
}

/// An object that differs between two stores, or between the states before and after a change.
public struct ObjectDifference: Hashable, Sendable {
  /// The kind of the difference.
  public let kind: Kind
  /// The name of the object.
  public let object: NamedObject
  /// The differing properties in the declared order. Empty for an added or removed object of a
  /// ``StoreDiff``.
  public let properties: [PropertyDifference]

  /// The kind of an object's difference.
  public enum Kind: String, Hashable, Sendable {
    case added, removed, changed
  }
}

/// A property with different values.
public struct PropertyDifference: Hashable, Sendable {
  /// The name of the property. Inside embedded objects it is a path: `address.street`,
  /// `stops[2].name` or `names["de"].text`.
  public let property: String
  /// The difference of the values.
  public let content: Content

  /// The difference of two values.
  public enum Content: Hashable, Sendable {
    /// The whole value differs. The old value is nil if the old class lacks the property.
    case value(old: ComparedValue?, new: ComparedValue)
    /// Some elements of a collection differ.
    case elements([ElementDifference])
  }
}

/// A differing element of a collection.
public struct ElementDifference: Hashable, Sendable {
  /// The place of the element in the collection.
  public let place: Place
  /// The old element, or nil if it was added.
  public let old: ComparedValue?
  /// The new element, or nil if it was removed.
  public let new: ComparedValue?

  /// The place of an element.
  public enum Place: Hashable, Sendable {
    /// The index in a list, from 0. It counts in the new list if the element was added, otherwise
    /// in the old list.
    case index(Int)
    /// The name in a map.
    case name(String)
    /// Membership in a set.
    case member
  }
}
