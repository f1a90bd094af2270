/// The objects of a query that were modified, with the properties that have changed.
package struct ModifiedObjects: Sendable {
  /// The limit on the modified objects of one commit. Above it, all properties of each object count
  /// as changed.
  private static let exactLimit = 10_000

  private var ids: SortedIDs = []
  /// The positions of the changed properties, by object, or nil if too many objects have changed.
  private var positions: [ObjectID: Set<Int>]? = [:]
  /// The names of the properties, by position.
  private var names: [String] = []
  /// The objects that were deleted, and those that were added, if IDs are keys: a new object may
  /// then have the ID of a deleted one.
  private var deleted: SortedIDs = []
  private var added: SortedIDs = []

  /// Adds the objects that a commit has modified.
  mutating func add(_ outcome: ObservedOrder.Outcome, _ own: ClassChanges) {
    if own.table.resolved.entry.isClustered {
      deleted = SortedIDs(own.changes.filter { $0.new == nil }.map(\.id))
      added = SortedIDs(own.changes.filter { $0.old == nil }.map(\.id))
    }
    if isEmpty, outcome.modified.isEmpty { return }
    if names.isEmpty { names = own.table.resolved.properties.map(\.name) }
    ids.formUnion(outcome.modified)
    if outcome.modified.count > Self.exactLimit { positions = nil }
    guard positions != nil else { return }
    for id in outcome.modified {
      guard let change = own.change(of: id) else { continue }
      positions?[id, default: []].formUnion(own.positions(of: change))
    }
  }

  /// Adds the objects that a later commit has modified. An object with the ID of one that was
  /// deleted before is a modified one, with other values of any properties.
  mutating func add(_ other: ModifiedObjects) {
    if other.isEmpty { return }
    if isEmpty {
      self = other
      return
    }
    let again = SortedIDs(other.added.filter(deleted.contains))
    deleted.formUnion(other.deleted)
    ids.formUnion(other.ids.union(again))
    guard positions != nil, let new = other.positions else {
      positions = nil
      return
    }
    positions?.merge(new) { $0.union($1) }
    for id in again { positions?[id] = Set(names.indices) }
  }

  private var isEmpty: Bool { ids.isEmpty && deleted.isEmpty && added.isEmpty }

  package func contains(_ id: ObjectID) -> Bool { ids.contains(id) }

  /// A filter for fast lookups of many objects, most of which are not in the set.
  var sieve: SievedIDs { SievedIDs(ids) }

  /// Returns the names of the changed properties of an object: all properties if too many objects
  /// have changed.
  package func changedProperties(of id: ObjectID) -> Set<String> {
    guard contains(id) else { return [] }
    guard let positions else { return Set(names) }
    return Set((positions[id] ?? []).map { names[$0] })
  }
}
