public import WhimbrelEngine

/// A change of an observed object: see ``Model/observe(isolation:_:)``.
public enum ObjectChange<Object: Model> {
  /// Values of properties have changed. The array is empty if only objects that the observed key paths
  /// lead to have changed, or if another process has changed the schema or an online migration has
  /// converted the last object: the object may then have any other values.
  case change(Object, [PropertyChange])
  /// The object was deleted. Nothing follows.
  case deleted
  /// The object cannot be observed any longer. Nothing follows.
  case error(any Error)
}

@available(*, unavailable)
extension ObjectChange: Sendable {}

/// A property with another value.
///
/// Values are compared exactly. Both may be equal with `==`: `0.0` and `-0.0`, or two spellings of a text
/// that differ only in Unicode's normal form.
public struct PropertyChange: Hashable, Sendable {
  /// The stored name of the property.
  public let name: String
  /// The value before the change. It is nil for a list, a set or a map.
  public let oldValue: PropertyValue?
  /// The value after the change. It is nil for a list, a set or a map.
  public let newValue: PropertyValue?
}

/// A change of the elements of a list or a set of values, or of a map.
public enum ElementsChange<Elements, Update: Sendable> {
  /// The elements are observed from now on. The same is told again if a change cannot be told in
  /// detail.
  case initial(Elements)
  /// The elements have changed. The collection shows the state after the change, and is empty if its
  /// owner was deleted.
  case update(Elements, Update)
  /// The elements cannot be observed any longer. Nothing follows.
  case error(any Error)
}

@available(*, unavailable)
extension ElementsChange: Sendable {}

/// The difference between the elements of a list or a set before and after a change.
public struct ElementsUpdate: Hashable, Sendable {
  /// The positions before the change of the elements that are gone or have moved, ascending.
  public let deletions: [Int]
  /// The positions after the change of the elements that came or have moved, ascending.
  public let insertions: [Int]
  /// The positions after the change of the elements in place of others, ascending.
  public let modifications: [Int]
  /// The positions before the change of the elements that were replaced, ascending.
  public let modificationsBefore: [Int]
}

/// The difference between the elements of a map before and after a change.
public struct MapUpdate: Hashable, Sendable {
  /// The keys that are gone, in order.
  public let deletions: [String]
  /// The keys that came, in order.
  public let insertions: [String]
  /// The keys with other values, in order.
  public let modifications: [String]
}

/// A change of an observed store: see ``Store/observe(isolation:_:)``.
public enum StoreChange {
  /// The store is observed from now on. The same is told again if a change cannot be told in detail.
  case initial(Store)
  /// Objects have changed. The store shows the state after the change.
  case update(Store, StoreUpdate)
  /// The store cannot be observed any longer. Nothing follows.
  case error(any Error)
}

@available(*, unavailable)
extension StoreChange: Sendable {}

/// The difference between the objects of a store before and after a change.
public struct StoreUpdate: Sendable {
  let change: ContentChange

  /// The names of the classes whose objects have changed, in order.
  public var classNames: [String] { change.classes.keys.sorted() }

  /// Returns the IDs of the objects of a class that came, in order.
  public func insertions(of className: String) -> [ObjectID] { ids(.added, className) }

  /// Returns the IDs of the objects of a class that are gone, in order.
  public func deletions(of className: String) -> [ObjectID] { ids(.deleted, className) }

  /// Returns the IDs of the objects of a class with other values, in order.
  public func modifications(of className: String) -> [ObjectID] { ids(.modified, className) }

  /// Returns the IDs of the objects of a model that came, in order.
  public func insertions(of type: (some Model).Type) -> [ObjectID] {
    insertions(of: type._$schema.name)
  }

  /// Returns the IDs of the objects of a model that are gone, in order.
  public func deletions(of type: (some Model).Type) -> [ObjectID] {
    deletions(of: type._$schema.name)
  }

  /// Returns the IDs of the objects of a model with other values, in order.
  public func modifications(of type: (some Model).Type) -> [ObjectID] {
    modifications(of: type._$schema.name)
  }

  private func ids(_ kind: ContentChange.Kind, _ className: String) -> [ObjectID] {
    (change.classes[className] ?? [:]).filter { $0.value == kind }.keys.sorted()
  }
}
