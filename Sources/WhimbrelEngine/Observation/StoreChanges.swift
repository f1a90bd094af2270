internal import WhimbrelLMDB

/// The changes between two snapshots of a session.
///
/// The changes of a class are looked for on first use: see ``PageComparison``. A class that did not
/// change costs a comparison of two page numbers.
final class StoreChanges {
  /// The session, which shows the state after the changes.
  let session: Session
  /// The source of values before the changes.
  let before: QuerySource
  /// The source of values after the changes.
  let after: QuerySource
  private var classes: [ClassID: ClassChanges] = [:]
  /// The reader that keeps the snapshot before, if nothing else does.
  private let reader: SharedSnapshot.Reader?
  /// Makes another session that shows the state after the changes, for another thread. Nil if there
  /// can be none.
  let makeSession: (@Sendable () throws -> Session)?

  /// - Parameters:
  ///   - view: The snapshot before, which was held since its commit.
  ///   - reader: The reader of that snapshot, if nothing else keeps it.
  ///   - makeSession: Makes another session as `session`, for another thread.
  init(
    of session: Session, since view: ReadView, keeping reader: SharedSnapshot.Reader? = nil,
    makeSession: (@Sendable () throws -> Session)? = nil
  ) {
    self.session = session
    self.reader = reader
    self.makeSession = makeSession
    before = QuerySource(view, session.conversions?.ofOtherCore.make())
    after = QuerySource(session)
  }

  /// Returns what has changed in a class.
  ///
  /// - Parameters:
  ///   - limit: The number of changes beyond which there are many.
  ///   - whenMany: A closure that is called as soon as it is known that there are many. It gets the
  ///     first ones, which are not verified yet.
  /// - Throws: ``StoreError`` with `damaged`.
  func of(
    _ table: ClassTable, beyond limit: Int = .max, whenMany: (ClassChanges) -> Void = { _ in }
  ) throws -> ClassChanges {
    if let known = classes[table.resolved.id] {
      if known.changes.count > limit { whenMany(known) }
      return known
    }
    let found = try ClassChanges(of: table, self, beyond: limit, whenMany: whenMany)
    try found.verify()
    classes[table.resolved.id] = found
    return found
  }
}

extension ClassTable {
  /// The root pages of the tables with the objects of a class.
  struct Roots: Hashable {
    var objects: UInt64 = 0
    var overflow: UInt64 = 0
  }

  /// Returns the root pages in a snapshot. When they are the same, so are the objects: see
  /// ``ReadView/root(of:)``.
  func roots(in view: ReadView) throws -> Roots {
    if objects == .none { return Roots() }
    return Roots(
      objects: try view.root(of: objects),
      overflow: try overflowTable.map { try view.root(of: $0) } ?? 0)
  }
}

/// How one object has changed.
struct ObjectDelta: Sendable {
  var isDeleted: Bool
  /// The values before of the properties with other values, by position; nil for collections, and if
  /// the object is new.
  var old: [Int: PropertyValue?] = [:]
}

/// The objects of a class that have changed, and how.
final class ClassChanges {
  /// A change of one object.
  struct Change {
    let id: ObjectID
    /// The record before, or nil if the object is new. Neither is converted.
    var old: PageBytes?
    /// The record after, or nil if the object was deleted.
    var new: PageBytes?
    /// Whether the record is the same, and only values outside of it changed.
    var isOutsideOnly = false
  }

  let table: ClassTable
  /// The changes, in the order of the objects' IDs.
  private(set) var changes: [Change] = []
  /// The properties with changes outside of the record, by object.
  private var outside: [ObjectID: Set<PropertyID>] = [:]
  private unowned let all: StoreChanges
  /// The changed properties that were asked for, by object.
  private var known: [ObjectID: Set<Int>] = [:]

  var isEmpty: Bool { changes.isEmpty }

  fileprivate init(
    of table: ClassTable, _ all: StoreChanges, beyond limit: Int,
    whenMany: (ClassChanges) -> Void
  ) throws {
    self.table = table
    self.all = all
    guard table.objects != .none else { return }
    var changes: [Change] = []
    try all.after.view.forEachChange(of: table.objects, since: all.before.view) { key, old, new in
      let id = ObjectID(rawValue: key.load(UInt64.self, at: 0))
      if changes.count == limit {
        self.changes = changes
        whenMany(self)
        self.changes = []
      }
      changes.append(Change(id: id, old: old, new: new))
      return true
    }
    if let overflow = table.overflowTable {
      var outside: [ObjectID: Set<PropertyID>] = [:]
      try all.after.view.forEachChange(of: overflow, since: all.before.view) { key, _, _ in
        guard key.count == 16 else { return true }
        let id = ObjectID(rawValue: key.loadBigEndian(at: 0))
        let property = UInt32(bigEndian: key.load(UInt32.self, at: 8))
        outside[id, default: []].insert(PropertyID(rawValue: property))
        return true
      }
      self.outside = outside
    }
    self.changes = changes
  }

  /// Verifies the records that have changed. Nothing else may be asked before.
  fileprivate func verify() throws {
    for change in changes { try verify(change) }
    try add(objectsChangedOutsideTo: &changes)
    if table.converts { try removeUnchanged(from: &changes) }
  }

  private func verify(_ change: Change) throws {
    if let record = change.old { try table.requireSound(record, change.id) }
    if let record = change.new { try table.requireSound(record, change.id) }
  }

  /// Returns whether one of the first changes is one of some properties, or of an object that is new
  /// or was deleted. It may be asked before the changes are verified, and is a guess: false if the
  /// first records are damaged.
  func seemsToChange(_ positions: Set<Int>) -> Bool {
    changes.prefix(16).contains { change in
      if change.old == nil || change.new == nil { return true }
      do {
        try verify(change)
        let sides = try sides(of: change)
        return try positions.contains { try isChanged($0, change, sides) }
      } catch {
        return false
      }
    }
  }

  /// Adds the objects whose records stayed the same while values outside of them changed.
  private func add(objectsChangedOutsideTo changes: inout [Change]) throws {
    guard !outside.isEmpty else { return }
    let known = Set(changes.lazy.map(\.id))
    let further = outside.keys.filter { !known.contains($0) }
    if further.isEmpty { return }
    for id in further {
      guard let record = try table.storedRecord(id, in: all.after.view) else { continue }
      changes.append(Change(id: id, old: record, new: record, isOutsideOnly: true))
    }
    changes.sort { $0.id < $1.id }
  }

  /// Leaves out the objects that were only stored in another shape.
  private func removeUnchanged(from changes: inout [Change]) throws {
    changes = try changes.filter { change in
      guard let old = change.old, let new = change.new,
        table.resolved.isStale(old) != table.resolved.isStale(new)
      else { return true }
      return try !positions(of: change).isEmpty
    }
  }

  /// Returns the change of an object, or nil.
  ///
  /// - Complexity: O(log *k*) for *k* changes.
  func change(of id: ObjectID) -> Change? {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < changes.count && changes[low].id == id ? changes[low] : nil
  }

  /// Returns the positions of the properties whose values differ. All do if the object is new or
  /// was deleted.
  func positions(of change: Change) throws -> Set<Int> {
    if let known = known[change.id] { return known }
    let all = table.resolved.properties.indices
    let sides = try sides(of: change)
    let found = try Set(all.filter { try isChanged($0, change, sides) })
    known[change.id] = found
    return found
  }

  /// Returns whether a property has another value: one of some, or any if they are nil. The same
  /// values may be stored in other bytes.
  func hasChanged(_ change: Change, at positions: Set<Int>?) throws -> Bool {
    if !known.isEmpty, let known = known[change.id] {
      return positions.map { !known.isDisjoint(with: $0) } ?? !known.isEmpty
    }
    let sides = try sides(of: change)
    guard let positions else {
      return try table.resolved.properties.indices.contains { try isChanged($0, change, sides) }
    }
    return try positions.contains { try isChanged($0, change, sides) }
  }

  /// The records of an object before and after a change.
  private struct Sides {
    let change: RecordChange
    let old: ResolvedLayout
    let new: ResolvedLayout
    /// Whether the values must be read, because one of the records has a past shape.
    let isStale: Bool
    /// The properties with changes outside of the record.
    let outside: Set<PropertyID>?
  }

  /// Returns nil if the object is new or was deleted.
  private func sides(of change: Change) throws -> Sides? {
    guard let old = change.old, let new = change.new else { return nil }
    return Sides(
      change: RecordChange(change.id, from: old, to: new),
      old: try table.layout(of: old, change.id), new: try table.layout(of: new, change.id),
      isStale: table.resolved.isStale(old) || table.resolved.isStale(new),
      outside: outside.isEmpty ? nil : outside[change.id])
  }

  private func isChanged(_ position: Int, _ change: Change, _ sides: Sides?) throws -> Bool {
    guard let sides else { return true }
    func differs() throws -> Bool {
      try value(position, of: change, all.before) != value(position, of: change, all.after)
    }
    if sides.isStale { return try differs() }
    if let outside = sides.outside,
      outside.contains(table.resolved.properties[position].id)
    {
      return true
    }
    if change.isOutsideOnly || sides.change.keeps(position, sides.old, sides.new) { return false }
    let hasConversion =
      sides.old.slotView[position].access == .conversion
      || sides.new.slotView[position].access == .conversion
    return try !hasConversion || differs()
  }

  /// Returns how observed objects have changed.
  func deltas(of ids: Set<ObjectID>) throws -> [ObjectID: ObjectDelta] {
    var deltas: [ObjectID: ObjectDelta] = [:]
    if changes.count < ids.count {
      for change in changes where ids.contains(change.id) {
        deltas[change.id] = try delta(of: change)
      }
    } else {
      for id in ids { deltas[id] = try change(of: id).map(delta) }
    }
    return deltas
  }

  func delta(of change: Change) throws -> ObjectDelta {
    var delta = ObjectDelta(isDeleted: change.new == nil)
    if delta.isDeleted { return delta }
    for position in try positions(of: change) {
      let isCollection = table.resolved.properties[position].type.isCollection
      delta.old[position] = isCollection ? .some(nil) : try value(position, of: change, all.before)
    }
    return delta
  }

  /// Returns the value of a property before or after the change, or nil if there is no object.
  func value(
    _ position: Int, of change: Change, _ source: QuerySource
  ) throws -> PropertyValue? {
    guard let record = try source.record(table, change.id) else { return nil }
    return try source.value(table, position, of: record, change.id)
  }
}
