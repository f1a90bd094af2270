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
  private var touched: SortedIDs? = []
  /// The objects that were modified since.
  private var modified: SortedIDs = []
  /// The positions of their properties that changed, by object; nil if too many objects changed.
  private var positions: [ObjectID: Set<Int>]? = [:]
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

  override var classNames: Set<String>? { order?.classNames }

  override package func begin(in session: Session) throws {
    let query = try BoundQuery(request, in: session)
    order = try ObservedOrder(query, reporting: reported)
    table = query.table
    isInitial = true
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let order, let outcome = try order.follow(changes) else { return false }
    if isInitial { return true }
    if touched != nil, let new = outcome.touched { touched?.formUnion(new) } else { touched = nil }
    modified.formUnion(outcome.modified)
    if outcome.modified.count > Self.exactLimit { positions = nil }
    guard positions != nil else { return true }
    let own = try changes.of(order.table)
    for id in outcome.modified {
      guard let change = own.change(of: id) else { continue }
      positions?[id, default: []].formUnion(try own.positions(of: change))
    }
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
    positions = [:]
  }

  override func deliver() {
    guard let order else { return }
    let (before, after) = (told, order.found)
    let (touched, modified, positions) = (touched, modified, positions)
    told = after
    forget()
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    let sieve = SievedIDs(modified)
    let difference =
      if let touched {
        OrderDifference(from: before, to: after, touched: touched)
      } else {
        OrderDifference(from: before.ids, to: after.ids, touched: sieve.contains)
      }
    let stayed = difference.stayed.filter { modified.contains($0.id) }
    if difference.isEmpty, stayed.isEmpty { return }
    tell(
      .change(
        OrderChange(
          deletions: difference.deletions, insertions: difference.insertions,
          modifications: stayed.map(\.move.to), modificationsBefore: stayed.map(\.move.from),
          moves: difference.moves, before: before, after: after, modified: modified,
          positions: positions, names: table?.resolved.properties.map(\.name) ?? [])))
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
  fileprivate let modified: SortedIDs
  fileprivate let positions: [ObjectID: Set<Int>]?
  /// The names of the properties, by position.
  fileprivate let names: [String]

  /// Returns the names of the properties of a modified object that have changed. They are all if very
  /// many objects changed.
  package func changedProperties(of id: ObjectID) -> Set<String> {
    guard modified.contains(id) else { return [] }
    guard let positions else { return Set(names) }
    return Set((positions[id] ?? []).map { names[$0] })
  }
}
