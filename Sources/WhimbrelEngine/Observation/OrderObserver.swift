/// An observer of the objects that a query finds, in their order.
package final class OrderObserver: StoreObserver {
  /// Something to tell.
  package enum News {
    /// The objects are observed from now on, or could not be followed.
    case initial
    case change(OrderChange)
    case failure(any Error)
  }

  /// The limit on the objects of one commit whose changed properties are looked for. Of more, all
  /// properties count as changed.
  private static let exactLimit = 10_000

  private let request: QueryRequest
  private let reported: [QueryPath]?
  private let tell: (News) -> Void
  private var order: ObservedOrder?
  private var isInitial = true
  /// The objects as they were told last.
  private var told = ObjectOrder()
  /// The objects that may have come, left or moved since; nil if that is not known.
  private var touched: Set<ObjectID>? = []
  /// The objects that were modified since, with the properties that changed.
  private var modified: [ObjectID: Set<Int>] = [:]
  private var table: ClassTable?

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

  override package func begin(in session: Session) throws {
    let query = try BoundQuery(request, in: session)
    order = try ObservedOrder(query, reporting: reported)
    table = query.table
    isInitial = true
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let order, let outcome = try order.follow(changes) else { return false }
    if isInitial { return true }
    if let new = outcome.touched { touched?.formUnion(new) } else { touched = nil }
    let own = try changes.of(order.table)
    let all = Set(order.table.resolved.properties.indices)
    let isExact = outcome.modified.count <= Self.exactLimit
    for id in outcome.modified {
      let change = own.change(of: id)
      let positions = try isExact ? change.map { try own.positions(of: $0) } ?? [] : all
      modified[id, default: []].formUnion(positions)
    }
    return true
  }

  override func skip() {
    guard !isInitial, let order else { return }
    (told, touched) = (order.found, [])
    modified.removeAll()
  }

  override func deliver() {
    guard let order else { return }
    let (before, after) = (told, order.found)
    let (touched, modified) = (touched, modified)
    (told, self.touched) = (after, [])
    self.modified.removeAll()
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    let difference =
      if let touched {
        OrderDifference(from: before, to: after, touched: touched)
      } else {
        OrderDifference(from: before.ids, to: after.ids) { modified[$0] != nil }
      }
    let stayed = difference.stayed.filter { modified[$0.id] != nil }
    if difference.isEmpty, stayed.isEmpty { return }
    let names = modified.mapValues { positions in
      Set(positions.compactMap { table?.resolved.properties[$0].name })
    }
    tell(
      .change(
        OrderChange(
          deletions: difference.deletions, insertions: difference.insertions,
          modifications: stayed.map(\.move.to), modificationsBefore: stayed.map(\.move.from),
          moves: difference.moves, before: before, after: after, changedProperties: names)))
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}

/// What leads from the objects that a query found to those that it finds.
package struct OrderChange: Sendable {
  package let deletions: [Int]
  package let insertions: [Int]
  package let modifications: [Int]
  package let modificationsBefore: [Int]
  package let moves: [OrderDifference.Move]
  package let before: ObjectOrder
  package let after: ObjectOrder
  /// The names of the properties of each modified object that have changed.
  package let changedProperties: [ObjectID: Set<String>]
}
