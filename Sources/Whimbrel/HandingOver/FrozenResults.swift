internal import WhimbrelEngine

/// Objects as they were at one commit, in the order of a query. They never change, and any number of
/// threads can read them.
///
/// ```swift
/// let zones = try store.objects(Zone.self).sorted(by: \.latitude).frozen
/// Task.detached {
///   for zone in zones { print(zone.identifier, zone.latitude) }
/// }
/// ```
///
/// The elements are ``Frozen`` objects. Frozen results take 8 bytes for each object, and pin the
/// pages of their commit: see ``Frozen``.
public struct FrozenResults<Object: Model>: Sendable {
  let snapshot: FrozenSnapshot
  /// The IDs of the objects, in their order.
  public let ids: [ObjectID]

  init(_ snapshot: FrozenSnapshot, _ ids: [ObjectID]) {
    self.snapshot = snapshot
    self.ids = ids
  }
}

extension FrozenResults: RandomAccessCollection {
  /// The index of the first object: 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { ids.count }

  /// The object at an index. An index out of range stops the program.
  ///
  /// - Complexity: O(1). The object is read when its properties are.
  public subscript(position: Int) -> Frozen<Object> { Frozen(snapshot, ids[position]) }
}

extension FrozenResults: CustomStringConvertible {
  /// The number of objects, and the first objects with their properties, one on each line.
  public var description: String {
    PrintedValue.objects(
      Object._$schema.name, count: count, prefix(PrintedValue.objectLimit).map(\.description))
  }
}

extension QueryableObjects {
  /// The objects that these contain now, for any thread: see ``FrozenResults``.
  ///
  /// ```swift
  /// let frozen = try store.objects(Zone.self).where { $0.latitude > 60 }.frozen
  /// ```
  ///
  /// - Throws: ``StoreError`` with `storeClosed`, with `inWrite` in a write or a migration of the
  ///   store, with `tooManyReaders` if a snapshot cannot be taken, and if objects cannot be read.
  /// - Complexity: O(*n*), and the cost of running the query if it has not run since the last write
  ///   or refresh.
  public var frozen: FrozenResults<Element> {
    get throws {
      let base = results.base
      let snapshot = try base.session.frozen()
      return FrozenResults(snapshot, try base.session.throwingDeferred { base.ids })
    }
  }
}
