/// An observer of the objects that a query finds, in their order.
package final class OrderObserver: StoreObserver {
  /// Something to tell.
  package enum News {
    /// The objects are observed from now on, or could not be followed.
    case initial
    case change(OrderChange)
    case failure(any Error)
  }

  private let request: QueryRequest
  private let reported: [QueryPath]?
  private let tell: (News) -> Void
  private var order: ObservedOrder?
  private var isInitial = true
  /// The objects as they were told last.
  private var told = ObjectOrder()
  /// The objects that may have come, left or moved since; nil if that is not known.
  private var touched: SortedIDs? = []
  /// The objects that were modified since.
  private var modified = ModifiedObjects()

  /// - Parameters:
  ///   - reported: The paths to the values whose changes make an object a modified one. Nil for all
  ///     properties of the objects, and what the query reads.
  ///   - tell: A closure that is called with what has changed.
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
    if touched != nil, let new = outcome.touched { touched?.formUnion(new) } else { touched = nil }
    try modified.add(outcome, changes.of(order.table))
    return true
  }

  override func skip() {
    guard !isInitial, let order else { return }
    told = order.found
    forget()
  }

  private func forget() {
    touched = []
    modified.removeAll()
  }

  override func deliver() {
    guard let order else { return }
    let (before, after) = (told, order.found)
    let (touched, modified) = (touched, modified)
    told = after
    forget()
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    let change =
      if let touched {
        OrderChange(
          OrderDifference(from: before, to: after, touched: touched), before, after, modified)
      } else {
        OrderChange(from: before, to: after, modified)
      }
    if let change { tell(.change(change)) }
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}

/// The difference between the objects that a query found before a change and those that it finds after.
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
    let stayed = difference.stayed.filter { modified.contains($0.id) }
    if difference.isEmpty, stayed.isEmpty { return nil }
    (deletions, insertions) = (difference.deletions, difference.insertions)
    modifications = stayed.map(\.move.to)
    modificationsBefore = stayed.map(\.move.from)
    moves = difference.moves
    (self.before, self.after, self.modified) = (before, after, modified)
  }

  /// Compares objects before and after.
  ///
  /// - Returns: Nil if nothing has changed.
  package init?(from before: ObjectOrder, to after: ObjectOrder, _ modified: ModifiedObjects) {
    let sieve = modified.sieve
    self.init(
      OrderDifference(from: before.ids, to: after.ids, touched: sieve.contains), before, after,
      modified)
  }
}
