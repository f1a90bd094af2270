/// An observer of the objects that a query finds, in their order.
package final class OrderObserver: StoreObserver {
  /// A notification.
  package enum News {
    /// The first notification, and the one after changes that could not be followed.
    case initial
    case change(OrderChange)
    case failure(any Error)
  }

  private let request: QueryRequest
  private let reported: [QueryPath]?
  private let tell: (News) -> Void
  private var order: ObservedOrder?
  private var isInitial = true
  /// The objects at the last notification.
  private var told = ObjectOrder()
  /// The changes since the last notification.
  private var untold = UntoldChanges<OrderChange>()

  /// The objects after some changes, and the difference from those before.
  private struct Finding: Sendable {
    let state: ObservedOrder.State
    let touched: SortedIDs?
    let modified: ModifiedObjects
    let change: OrderChange?
  }

  /// - Parameters:
  ///   - reported: The paths to the values whose changes make an object a modified one, or nil for
  ///     all properties of the objects and the values that the query reads.
  ///   - tell: A closure that receives the notifications.
  package init(
    _ request: QueryRequest, reporting reported: [QueryPath]?, _ tell: @escaping (News) -> Void
  ) {
    self.request = request
    self.reported = reported
    self.tell = tell
  }

  override var classNames: Set<String>? { order?.classNames }

  override package func begin(in session: Session) throws {
    order = try ObservedOrder(BoundQuery(request, in: session), reporting: reported)
    isInitial = true
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let order, let outcome = try order.follow(changes) else { return false }
    if isInitial { return true }
    var modified = ModifiedObjects()
    modified.add(outcome, try changes.of(order.table))
    untold.add(outcome.touched, modified)
    return true
  }

  override var task: ObserverWork.Task? {
    guard let order else { return nil }
    let (request, reported, state) = (request, reported, order.state)
    return { changes in
      let query = try BoundQuery(request, in: changes.session)
      let order = try ObservedOrder(query, reporting: reported, continuing: state)
      guard let outcome = try order.follow(changes) else { return nil }
      var modified = ModifiedObjects()
      modified.add(outcome, try changes.of(order.table))
      return Finding(
        state: order.state, touched: outcome.touched, modified: modified,
        change: OrderChange(from: state.found, to: order.found, outcome.touched, modified))
    }
  }

  override func take(_ finding: any Sendable) -> Bool {
    guard let order, let finding = finding as? Finding else { return false }
    order.adopt(finding.state)
    if isInitial { return true }
    untold.add(finding.touched, finding.modified, known: .some(finding.change))
    return true
  }

  override func skip() {
    guard !isInitial, let order else { return }
    told = order.found
    untold = UntoldChanges()
  }

  override func deliver() {
    guard let order else { return }
    let (before, after, changes) = (told, order.found, untold)
    told = after
    untold = UntoldChanges()
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    let change =
      changes.knownDifference
      ?? OrderChange(from: before, to: after, changes.touched, changes.modified)
    if let change { tell(.change(change)) }
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}

/// The difference between the old and the new objects of a query.
package struct OrderChange: Sendable {
  package let deletions: [Int]
  package let insertions: [Int]
  package let modifications: [Int]
  package let modificationsBefore: [Int]
  package let moves: [OrderDifference.Move]
  package let before: ObjectOrder
  package let after: ObjectOrder
  package let modified: ModifiedObjects

  /// - Returns: Nil if nothing has changed.
  fileprivate init?(
    _ difference: OrderDifference, _ before: ObjectOrder, _ after: ObjectOrder,
    _ modified: ModifiedObjects
  ) {
    var stayed = difference.stayed
    if !stayed.isEmpty {
      let sieve = modified.sieve
      stayed.removeAll { !sieve.contains($0.id) }
    }
    if difference.isEmpty, stayed.isEmpty { return nil }
    (deletions, insertions) = (difference.deletions, difference.insertions)
    modifications = stayed.map(\.move.to)
    modificationsBefore = stayed.map(\.move.from)
    moves = difference.moves
    (self.before, self.after, self.modified) = (before, after, modified)
  }

  /// Compares the objects before and after a change.
  ///
  /// - Parameter touched: The objects that may have been inserted, deleted or moved, or nil if they
  ///   are not known.
  /// - Returns: Nil if nothing has changed.
  fileprivate init?(
    from before: ObjectOrder, to after: ObjectOrder, _ touched: SortedIDs?,
    _ modified: ModifiedObjects
  ) {
    guard let touched else {
      self.init(from: before, to: after, modified)
      return
    }
    self.init(
      OrderDifference(from: before, to: after, touched: touched), before, after, modified)
  }

  /// Compares the objects before and after a change. Any object may have been inserted, deleted or
  /// moved.
  ///
  /// - Returns: Nil if nothing has changed.
  package init?(from before: ObjectOrder, to after: ObjectOrder, _ modified: ModifiedObjects) {
    let sieve = modified.sieve
    self.init(
      OrderDifference(from: before.ids, to: after.ids, touched: sieve.contains), before, after,
      modified)
  }
}
