/// The objects of a query in sections, which have a key each.
package struct SectionContents<Key: Hashable> {
  /// The keys, in the order of the first objects that have them.
  package private(set) var keys: [Key] = []
  /// The objects of each section, in the order of the query.
  package private(set) var members: [Key: [ObjectID]] = [:]

  package init() {}

  package mutating func append(_ id: ObjectID, to key: Key) {
    if members[key] == nil { keys.append(key) }
    members[key, default: []].append(id)
  }
}

/// What changes mean for the objects of sections.
private struct SectionsFinding: Sendable {
  let state: ObservedOrder.State
  let modified: ModifiedObjects
}

/// An observer of the objects that a query finds, in sections.
///
/// The query is followed as by an ``OrderObserver``. The key of a section may come from anywhere, so
/// the sections are made again when anything in the store has changed. If the key is a property, they
/// are made again when objects of the query, or the property of any object, have changed.
package final class SectionsObserver<Key: Hashable>: StoreObserver {
  /// Something to tell.
  package enum News {
    /// The sections are observed from now on, or could not be followed.
    case initial
    case change(Change)
    case failure(any Error)
  }

  /// The sections before and after a change.
  package struct Change {
    package let before: SectionContents<Key>
    package let after: SectionContents<Key>
    /// The objects that were modified.
    package let modified: ModifiedObjects
  }

  private let request: QueryRequest
  private let reported: [QueryPath]?
  private let keyProperty: String?
  private let contents: ([ObjectID]) -> SectionContents<Key>
  private let tell: (News) -> Void
  private var order: ObservedOrder?
  private var keyPosition: Int?
  private var isInitial = true
  private var modified = ModifiedObjects()
  /// The sections as they were told last.
  private var told = SectionContents<Key>()
  /// The sections as they are, or nil if they are not yet known.
  private var current: SectionContents<Key>?

  /// - Parameters:
  ///   - reported: The paths to the values whose changes make an object a modified one. Nil for all
  ///     properties of the objects, and what the query reads.
  ///   - keyProperty: The property that is the key, or nil if the key may come from anywhere.
  ///   - contents: A closure that returns the sections of objects, in the state that the session
  ///     shows.
  package init(
    _ request: QueryRequest, reporting reported: [QueryPath]?, keyProperty: String?,
    contents: @escaping ([ObjectID]) -> SectionContents<Key>, _ tell: @escaping (News) -> Void
  ) {
    self.request = request
    self.reported = reported
    self.keyProperty = keyProperty
    self.contents = contents
    self.tell = tell
  }

  override package func begin(in session: Session) throws {
    let query = try BoundQuery(request, in: session)
    order = try ObservedOrder(query, reporting: reported)
    keyPosition = try keyProperty.map { try query.table.resolved.requiredPosition(of: $0) }
    (isInitial, current) = (true, nil)
  }

  override func follow(_ changes: StoreChanges) throws -> Bool {
    guard let order else { return false }
    guard let finding = try Self.finding(changes, order, keyPosition) else { return false }
    return take(finding)
  }

  override var task: ObserverWork.Task? {
    guard let order else { return nil }
    let (request, reported, state, keyPosition) = (request, reported, order.state, keyPosition)
    return { changes in
      let query = try BoundQuery(request, in: changes.session)
      let order = try ObservedOrder(query, reporting: reported, continuing: state)
      return try Self.finding(changes, order, keyPosition)
    }
  }

  /// Follows changes, and returns nil if neither objects nor their keys may have changed.
  private static func finding(
    _ changes: StoreChanges, _ order: ObservedOrder, _ keyPosition: Int?
  ) throws -> SectionsFinding? {
    var modified = ModifiedObjects()
    if let outcome = try order.follow(changes) {
      try modified.add(outcome, changes.of(order.table))
    } else {
      guard try mayChangeKeys(changes, order, keyPosition) else { return nil }
    }
    return SectionsFinding(state: order.state, modified: modified)
  }

  /// Returns whether keys of objects may have changed, although no object of the query has.
  private static func mayChangeKeys(
    _ changes: StoreChanges, _ order: ObservedOrder, _ keyPosition: Int?
  ) throws -> Bool {
    guard let keyPosition else {
      return try changes.session.classes.contains { try !changes.of($0).isEmpty }
    }
    let own = try changes.of(order.table)
    return try own.changes.contains { try own.hasChanged($0, at: [keyPosition]) }
  }

  override func take(_ finding: any Sendable) -> Bool {
    guard let order, let finding = finding as? SectionsFinding else { return false }
    order.adopt(finding.state)
    modified.add(finding.modified)
    current = nil
    return true
  }

  private func sections() -> SectionContents<Key> {
    if let current { return current }
    let made = contents(order?.found.ids ?? [])
    current = made
    return made
  }

  override func skip() {
    if isInitial { return }
    told = sections()
    modified.removeAll()
  }

  override func deliver() {
    let (before, after) = (told, sections())
    let modified = modified
    told = after
    self.modified.removeAll()
    if isInitial {
      isInitial = false
      return tell(.initial)
    }
    tell(.change(Change(before: before, after: after, modified: modified)))
  }

  override package func fail(_ error: any Error) { tell(.failure(error)) }
}
