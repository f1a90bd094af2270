internal import WhimbrelLMDB

/// The objects that a query finds, kept up to date as the store changes.
///
/// A query with conditions and at most one sort is followed object by object. An order of IDs is
/// kept; a changed object is removed at its old place and inserted at its new one. The sort keys
/// are read from the two snapshots and are not kept. Any other query runs again when a change
/// concerns it, and so does a query for the first objects in the order of an index.
final class ObservedOrder {
  private let query: BoundQuery
  private let dependencies: QueryDependencies
  /// The values whose changes make an object a modified one, or nil for the object's own properties
  /// and the values that the query reads.
  private let reported: QueryDependencies?
  private let kind: Kind
  private let condition: BoundCondition?
  /// The names of the classes whose changes may concern the query, or nil for all.
  let classNames: Set<String>?
  private(set) var state = State()

  /// The objects of a query, in a value that can be passed to another thread.
  struct State: Sendable {
    /// All objects in order. If the query has a window, these include the objects outside of it.
    var all = ObjectOrder()
    /// The objects that the query finds.
    var found = ObjectOrder()
  }

  private enum Kind {
    /// A query that is followed object by object, with its order (nil for the order of IDs) and its
    /// window.
    case incremental(QueryOrder?, QueryWindow)
    case again
  }

  /// The result of following a change.
  struct Outcome: Sendable {
    /// The objects that were inserted, deleted or modified or that may have moved, or nil if all
    /// objects must be compared.
    var touched: SortedIDs?
    /// The objects that were modified.
    var modified: SortedIDs = []
  }

  var table: ClassTable { query.table }
  private var all: ObjectOrder { state.all }
  var found: ObjectOrder { state.found }

  /// - Parameters:
  ///   - reported: The paths to the values whose changes make an object a modified one, or nil for
  ///     all properties of the objects and the values that the query reads.
  ///   - property: Another property that counts as read by the query.
  ///   - state: The objects, or nil to run the query.
  init(
    _ query: BoundQuery, reporting reported: [QueryPath]?, alsoReading property: String? = nil,
    continuing state: State? = nil
  ) throws {
    self.query = query
    condition = try query.condition
    var dependencies = try QueryDependencies(of: query)
    if let property {
      dependencies.add(try query.table.resolved.requiredPosition(of: property))
    }
    self.dependencies = dependencies
    let reported = try reported.map { try QueryDependencies(of: query.table, $0) }
    self.reported = reported
    kind = Self.kind(of: query)
    classNames = try dependencies.propertiesRead(by: query).map { read in
      Set(read.keys.map(\.name)).union(reported?.tables.map(\.name) ?? [])
    }
    if let state { self.state = state } else { try findAgain() }
  }

  /// Adopts objects that were followed on another thread.
  func adopt(_ state: State) { self.state = state }

  private static func kind(of query: BoundQuery) -> Kind {
    guard query.request.source == .all, !query.table.isOfMigration else { return .again }
    var stages = query.stages[...]
    var order: QueryOrder?
    if case .sort(let first)? = stages.first {
      order = first
      stages = stages.dropFirst()
    }
    var window = QueryWindow()
    guard window.take(stages) == stages.count else { return .again }
    // Finding the first objects in the order of an index is just as fast.
    if let end = window.end, query.leading == nil || query.indexOrder != nil {
      let isFirstByIndex = order == nil || query.indexOrder?.isExact == true
      if isFirstByIndex, end <= 10_000 { return .again }
    }
    return .incremental(order, window)
  }

  /// - Parameter ahead: The query, if it is already running.
  private func findAgain(_ ahead: QueryAhead? = nil) throws {
    switch kind {
    case .again:
      state.found = ObjectOrder(try ahead?.objectIDs() ?? query.objectIDs())
    case .incremental(_, let window):
      state.all = ObjectOrder(try ahead?.objectIDs() ?? query.withoutWindow.objectIDs())
      setWindow(window)
    }
  }

  /// Starts the query on another core if it takes long enough to be worth it.
  private func startAhead(_ changes: StoreChanges) -> QueryAhead? {
    guard all.count > 10_000, case .incremental = kind else { return nil }
    return QueryAhead(query.request, withoutWindow: true, in: changes)
  }

  private func setWindow(_ window: QueryWindow) {
    let isAll = window.start == 0 && window.end ?? .max >= all.count
    state.found =
      isAll ? all : ObjectOrder(all.ids(at: window.start..<max(window.start, window.end ?? .max)))
  }

  /// Returns whether none of the classes that may concern the query has changed.
  private func isUnconcerned(by changes: StoreChanges) throws -> Bool {
    guard let classNames else { return false }
    return try classNames.allSatisfy { name in
      guard let table = changes.session.find(name) else { return false }
      return try changes.of(table).isEmpty
    }
  }
}

// MARK: - Following changes

extension ObservedOrder {
  /// Follows changes of the store.
  ///
  /// - Returns: Nil if no change concerns the query.
  func follow(_ changes: StoreChanges) throws -> Outcome? {
    // Above about this limit, checking each object costs more than finding all of them again.
    let limit = max(all.count / 64, 256)
    var ahead: QueryAhead?
    let own = try changes.of(table, beyond: limit) { found in
      if found.seemsToChange(dependencies.own) { ahead = startAhead(changes) }
    }
    if try isUnconcerned(by: changes) { return nil }
    guard case .incremental(_, let window) = kind,
      let concerned = concerned(own, upTo: limit),
      let linked = try dependencies.linkedObjects(changes, limit: limit),
      let further = reported == nil ? [] : try reported?.linkedObjects(changes, limit: limit)
    else { return try followByQuery(changes, ahead) }
    let touched = linked.union(further).union(SortedIDs(concerned))
    if touched.isEmpty { return nil }
    let before = all
    do {
      try move(touched, changes)
    } catch is DamagedObservation {
      return try followByQuery(changes)
    }
    let modified = modified(among: concerned.compactMap(own.change), of: own).union(
      reported == nil ? linked : further)
    if window.start == 0, window.end == nil {
      state.found = all
      return Outcome(touched: touched, modified: modified)
    }
    if before.isIdentical(to: all), modified.isEmpty { return nil }
    setWindow(window)
    // The window has new pieces, which must be compared as a whole.
    return Outcome(touched: nil, modified: modified)
  }

  /// Runs the query again, unless the result cannot differ.
  ///
  /// - Parameter ahead: The query, if it is already running.
  /// - Returns: Nil if no change concerns the query.
  private func followByQuery(
    _ changes: StoreChanges, _ ahead: QueryAhead? = nil
  ) throws -> Outcome? {
    let own = try changes.of(table)
    let mayFindOthers = try mayFindOthers(changes)
    let ahead = ahead ?? (mayFindOthers ? startAhead(changes) : nil)
    let further = try (reported ?? dependencies).linkedObjects(changes, limit: .max) ?? []
    let modified = modified(among: own.changes, of: own).union(further)
    if !mayFindOthers {
      return try hasAny(of: modified) ? Outcome(touched: nil, modified: modified) : nil
    }
    try findAgain(ahead)
    guard case .incremental(_, let window) = kind, window.start == 0, window.end == nil else {
      return Outcome(touched: nil, modified: modified)
    }
    // All other objects keep their order. If there are few others, all objects are compared.
    if modified.count > all.count / 4 { return Outcome(touched: nil, modified: modified) }
    var touched = further
    if reported != nil {
      touched.formUnion(try dependencies.linkedObjects(changes, limit: .max) ?? [])
    }
    touched.formUnion(SortedIDs(own.changes.map(\.id)))
    return Outcome(touched: touched, modified: modified)
  }

  /// Returns whether objects were inserted or deleted, or properties that the query reads have
  /// changed.
  private func mayFindOthers(_ changes: StoreChanges) throws -> Bool {
    let own = try changes.of(table)
    if try query.request.source.mayDiffer(changes, own) { return true }
    let isRead = own.changes.contains { change in
      !change.isAddedOrRemoved && own.hasChanged(change, at: dependencies.own)
    }
    if isRead { return true }
    return try dependencies.triggers.contains { trigger in
      let other = try changes.of(trigger.table)
      return other.changes.contains { other.hasChanged($0, at: trigger.position) }
    }
  }

  /// Returns whether some objects may be among those that the query finds.
  private func hasAny(of objects: SortedIDs) throws -> Bool {
    if objects.count > 256 { return true }
    return try objects.contains { try query.request.source.mayHave($0, of: table) }
  }

  /// Returns the objects with changes that the query reads or reports, or nil if there are more
  /// than a limit.
  private func concerned(_ own: ClassChanges, upTo limit: Int) -> [ObjectID]? {
    let read = reported.map { $0.own.union(dependencies.own) }
    var ids: [ObjectID] = []
    for change in own.changes {
      if let read, change.old != nil, change.new != nil, !own.hasChanged(change, at: read) {
        continue
      }
      if ids.count == limit { return nil }
      ids.append(change.id)
    }
    return ids
  }

  /// Returns the objects that were modified, out of some changed ones.
  private func modified(
    among changes: [ClassChanges.Change], of own: ClassChanges
  ) -> SortedIDs {
    var modified: [ObjectID] = []
    for change in changes where change.old != nil && change.new != nil {
      if own.hasChanged(change, at: reported?.own) { modified.append(change.id) }
    }
    return SortedIDs(modified)
  }

  /// Removes objects at their old places, and inserts those that the query now finds at their new
  /// ones.
  private func move(_ touched: SortedIDs, _ changes: StoreChanges) throws {
    let before = search(in: changes.before)
    var removed: [ObjectOrder.Place] = []
    var added: [ObjectID] = []
    for id in touched {
      if let record = try record(id, in: changes.before) {
        guard let place = try before.place(of: id, record, in: all) else {
          throw DamagedObservation()
        }
        removed.append(place)
      }
      if try record(id, in: changes.after) != nil { added.append(id) }
    }
    removed.sort()
    state.all.remove(at: removed)
    state.all.insert(try search(in: changes.after).places(for: added, in: all))
  }

  /// Returns the record of an object in a snapshot if it satisfies the conditions of the query.
  func record(_ id: ObjectID, in source: QuerySource) throws -> PageBytes? {
    guard query.isPossible, let record = try source.record(table, id),
      try condition?.matches(record, id, source) ?? true
    else { return nil }
    return try condition?.current(record, id, source) ?? record
  }

  /// Returns a search for objects in the order of the query.
  func search(in source: QuerySource) -> OrderSearch {
    if case .incremental(let order, _) = kind { return OrderSearch(order, table, source) }
    return OrderSearch(nil, table, source)
  }
}
