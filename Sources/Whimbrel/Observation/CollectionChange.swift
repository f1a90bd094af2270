public import WhimbrelEngine

/// A change of observed objects: see ``QueryableObjects/observe(isolation:_:)``.
public enum CollectionChange<Element: Model> {
  /// The objects are observed from now on. The same is told again if a change cannot be told in
  /// detail: show the objects anew.
  case initial(Results<Element>)
  /// The objects have changed. The results show the state after the change, and the update says how it
  /// differs from the one before.
  case update(Results<Element>, CollectionUpdate)
  /// The objects cannot be observed any longer. Nothing follows.
  case error(any Error)
}

@available(*, unavailable)
extension CollectionChange: Sendable {}

/// The difference between the objects that a query found before a change and those that it finds after
/// it.
///
/// ```swift
/// token = zones.observe { change in
///   switch change {
///   case .initial: table.reloadData()
///   case .update(_, let update):
///     table.performBatchUpdates {
///       table.deleteItems(at: update.deletions)
///       table.insertItems(at: update.insertions)
///       table.reloadItems(at: update.modificationsBefore)
///     }
///   case .error(let error): show(error)
///   }
/// }
/// ```
///
/// Remove the objects at ``deletions`` from the objects before, from the last to the first. Insert
/// those at ``insertions``, from the first to the last. That gives the objects after. As few objects
/// as possible are removed and inserted again. There may be more if a list contains an object several
/// times and more than 256 places of it have changed.
public struct CollectionUpdate: Sendable {
  let change: OrderChange

  /// The positions before the change of the objects that are gone or have moved, ascending.
  public var deletions: [Int] { change.deletions }

  /// The positions after the change of the objects that came or have moved, ascending.
  public var insertions: [Int] { change.insertions }

  /// The positions after the change of the objects that were modified and did not move, ascending.
  public var modifications: [Int] { change.modifications }

  /// The positions before the change of the objects at ``modifications``, ascending. Table views want
  /// these, because they apply a batch to the rows before it.
  public var modificationsBefore: [Int] { change.modificationsBefore }

  /// The objects that have moved, in the order of their positions after the change. They are in
  /// ``deletions`` and ``insertions``, too.
  public var moves: [Move] { change.moves.map { Move(from: $0.from, to: $0.to) } }

  /// An object that has moved.
  public struct Move: Hashable, Sendable {
    /// The position before the change.
    public let from: Int
    /// The position after the change.
    public let to: Int
  }

  /// The IDs of the objects before the change.
  ///
  /// - Complexity: O(*n*). They are copied with each call.
  public var idsBefore: [ObjectID] { change.before.ids }

  /// The IDs of the objects after the change. They stay the same when the results have changed again.
  ///
  /// - Complexity: O(*n*). They are copied with each call.
  public var ids: [ObjectID] { change.after.ids }

  /// The number of objects before the change.
  public var countBefore: Int { change.before.count }

  /// The number of objects after the change.
  public var count: Int { change.after.count }

  /// Returns the names of the properties of a modified object whose values have changed.
  ///
  /// The set is empty if only objects that it links to have changed, and if the object itself is new
  /// or gone. If a commit modified more than 10,000 objects, the set has all properties.
  public func changedProperties(of id: ObjectID) -> Set<String> {
    change.modified.changedProperties(of: id)
  }
}

extension CollectionUpdate: CustomStringConvertible {
  /// The positions that have changed; of very many, the first ones.
  public var description: String {
    """
    deletions \(printed(deletions)), insertions \(printed(insertions)), \
    modifications \(printed(modifications))
    """
  }
}

/// Returns positions in brackets; of very many, the first ones and how many more there are.
func printed<Position: CustomStringConvertible>(_ positions: [Position]) -> String {
  PrintedValue.elements(positions.prefix(100).map(\.description), of: positions.count)
}
