/// The objects of a query that were modified, with the properties that have changed.
package struct ModifiedObjects: Sendable {
  /// The limit on the objects of one commit whose changed properties are looked for. Of more, all
  /// properties count as changed.
  private static let exactLimit = 10_000

  private var ids: SortedIDs = []
  /// The positions of the properties that have changed, by object; nil if too many objects changed.
  private var positions: [ObjectID: Set<Int>]? = [:]
  /// The names of the properties, by position.
  private var names: [String] = []

  /// Adds the objects that a commit has modified.
  mutating func add(_ outcome: ObservedOrder.Outcome, _ own: ClassChanges) {
    if outcome.modified.isEmpty { return }
    if names.isEmpty { names = own.table.resolved.properties.map(\.name) }
    ids.formUnion(outcome.modified)
    if outcome.modified.count > Self.exactLimit { positions = nil }
    guard positions != nil else { return }
    for id in outcome.modified {
      guard let change = own.change(of: id) else { continue }
      positions?[id, default: []].formUnion(own.positions(of: change))
    }
  }

  /// Adds those of a later commit.
  mutating func add(_ other: ModifiedObjects) {
    if other.isEmpty { return }
    if isEmpty {
      self = other
      return
    }
    ids.formUnion(other.ids)
    guard positions != nil, let new = other.positions else {
      positions = nil
      return
    }
    positions?.merge(new) { $0.union($1) }
  }

  private var isEmpty: Bool { ids.isEmpty }

  package func contains(_ id: ObjectID) -> Bool { ids.contains(id) }

  /// A quick way to ask for many objects, of which most are not among these.
  var sieve: SievedIDs { SievedIDs(ids) }

  /// Returns the names of the properties of an object that have changed. They are all if very many
  /// objects changed.
  package func changedProperties(of id: ObjectID) -> Set<String> {
    guard contains(id) else { return [] }
    guard let positions else { return Set(names) }
    return Set((positions[id] ?? []).map { names[$0] })
  }
}
