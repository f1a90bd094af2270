internal import WhimbrelLMDB

/// The change of one object.
struct ObjectDelta: Sendable {
  var isDeleted: Bool
  /// The old values of the properties that differ, by position. A value is nil for a collection,
  /// and if the object is new.
  var old: [Int: PropertyValue?] = [:]
}

/// The changed objects of a class, with the properties that have changed.
///
/// Both records of a change are verified and compared when the change is found, while they are in
/// the CPU cache. Later questions are answered from one bit for each property.
final class ClassChanges {
  /// A change of one object.
  struct Change {
    let id: ObjectID
    /// The record before, or nil if the object is new. The records are not converted.
    let old: PageBytes?
    /// The record after, or nil if the object was deleted.
    let new: PageBytes?
    /// The index of the first word with the bits of the changed properties.
    fileprivate let firstWord: Int

    var isAddedOrRemoved: Bool { old == nil || new == nil }
  }

  /// The arrays that hold the changes. Freeing large ones takes milliseconds.
  typealias Content = (changes: [Change], words: [UInt64])

  let table: ClassTable
  /// The changes, in the order of the objects' IDs.
  private(set) var changes: [Change] = []
  /// The changed properties: one bit for each position, in ``wordCount`` words for each change. All
  /// bits are set if the object is new or was deleted.
  private var words: [UInt64] = []
  private let wordCount: Int
  /// The objects that have equal elements of a collection in other nodes.
  private var withEqualElements: Set<ObjectID> = []
  private unowned let all: StoreChanges

  var isEmpty: Bool { changes.isEmpty }

  /// Finds the changes of a class. See ``StoreChanges/of(_:beyond:whenMany:)``.
  init(
    of table: ClassTable, _ all: StoreChanges, beyond limit: Int,
    whenMany: (ClassChanges) -> Void
  ) throws {
    self.table = table
    self.all = all
    wordCount = table.resolved.properties.count / 64 + 1
    guard table.objects != .none else { return }
    var failure: (any Error)?
    try all.after.view.forEachChange(of: table.objects, since: all.before.view) { key, old, new in
      if changes.count == limit { whenMany(self) }
      do {
        try add(ObjectID(rawValue: key.load(UInt64.self, at: 0)), from: old, to: new)
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    try addChangesOutsideOfRecords()
    removeUnchanged()
  }
}

// MARK: - Finding changes

extension ClassChanges {
  private func add(_ id: ObjectID, from old: PageBytes?, to new: PageBytes?) throws {
    if let old { try table.requireSound(old, id) }
    if let new { try table.requireSound(new, id) }
    let change = append(id, from: old, to: new)
    guard let old, let new else { return }
    if isStale(change) { return try setBitsByValues(of: change) }
    let (before, after) = (try table.layout(of: old, id), try table.layout(of: new, id))
    let records = RecordChange(id, from: old, to: new)
    for position in table.resolved.properties.indices
    where !records.keeps(position, before, after) {
      // A conversion may give the same value.
      let hasConversion =
        before.slotView[position].access == .conversion
        || after.slotView[position].access == .conversion
      let isChanged =
        try hasConversion
        ? hasOtherValue(position, change) : hasOtherElements(position, change)
      if isChanged { setBit(position, of: change) }
    }
  }

  private func append(_ id: ObjectID, from old: PageBytes?, to new: PageBytes?) -> Change {
    let change = Change(id: id, old: old, new: new, firstWord: words.count)
    changes.append(change)
    let isChange = old != nil && new != nil
    for _ in 0..<wordCount { words.append(isChange ? 0 : .max) }
    return change
  }

  /// Adds changes of values that are stored outside of records. Their records may be unchanged.
  private func addChangesOutsideOfRecords() throws {
    guard let overflow = table.overflowTable else { return }
    var outside: [ObjectID: Set<PropertyID>] = [:]
    try all.after.view.forEachChange(of: overflow, since: all.before.view) { key, _, _ in
      guard key.count == 16 else { return true }
      let id = ObjectID(rawValue: key.loadBigEndian(at: 0))
      let property = UInt32(bigEndian: key.load(UInt32.self, at: 8))
      outside[id, default: []].insert(PropertyID(rawValue: property))
      return true
    }
    let countOfRecords = changes.count
    for (id, properties) in outside {
      if let change = change(of: id, upTo: countOfRecords) {
        // The values of a record with a past shape have been compared already.
        if !isStale(change) { setBits(of: properties, in: change) }
        continue
      }
      guard let record = try table.storedRecord(id, in: all.after.view) else { continue }
      let change = append(id, from: record, to: record)
      if isStale(change) {
        try setBitsByValues(of: change)
      } else {
        setBits(of: properties, in: change)
      }
    }
    if changes.count > countOfRecords { changes.sort { $0.id < $1.id } }
  }

  private func setBits(of properties: Set<PropertyID>, in change: Change) {
    for (position, property) in table.resolved.properties.enumerated()
    where properties.contains(property.id) && hasOtherElements(position, change) {
      setBit(position, of: change)
    }
  }

  /// Returns whether a property whose stored bytes differ has another value. Equal elements of a
  /// long collection may be stored in different nodes, for example after it was emptied and filled
  /// again. Other properties have another value if their bytes differ.
  private func hasOtherElements(_ position: Int, _ change: Change) -> Bool {
    guard table.resolved.properties[position].type.isCollection, let old = change.old,
      let new = change.new
    else { return true }
    let isSame = try? all.before.readCollection(table, position, of: old, change.id) { before in
      try all.after.readCollection(table, position, of: new, change.id) { after in
        try before.hasSameElements(as: after)
      }
    }
    // What cannot be read counts as changed. An observer that reads it gets the error.
    guard isSame == true else { return true }
    withEqualElements.insert(change.id)
    return false
  }

  /// Removes the objects that were only stored in another shape, and those that only have equal
  /// elements in other nodes.
  private func removeUnchanged() {
    if !table.converts && withEqualElements.isEmpty { return }
    changes.removeAll { change in
      guard let old = change.old, let new = change.new,
        withEqualElements.contains(change.id)
          || table.resolved.isStale(old) != table.resolved.isStale(new)
      else { return false }
      return !hasChanged(change)
    }
  }

  /// Returns whether a record of the change has a past shape, so that values must be compared.
  private func isStale(_ change: Change) -> Bool {
    change.old.map(table.resolved.isStale) ?? false
      || change.new.map(table.resolved.isStale) ?? false
  }

  private func setBitsByValues(of change: Change) throws {
    for position in table.resolved.properties.indices where try hasOtherValue(position, change) {
      setBit(position, of: change)
    }
  }

  private func hasOtherValue(_ position: Int, _ change: Change) throws -> Bool {
    let old = try value(position, of: change, all.before)
    let new = try value(position, of: change, all.after)
    guard let old, let new else { return (old == nil) != (new == nil) }
    // Queries compare texts byte by byte, and a converted NaN is not another value.
    return !old.isIdentical(to: new)
  }

  private func setBit(_ position: Int, of change: Change) {
    words[change.firstWord + position >> 6] |= 1 << UInt64(position & 63)
  }
}

// MARK: - Asking for changes

extension ClassChanges {
  /// Returns whether one of the first 16 changes concerns one of some properties, or an object that
  /// is new or was deleted.
  func seemsToChange(_ positions: Set<Int>) -> Bool {
    changes.prefix(16).contains { change in
      change.isAddedOrRemoved || hasChanged(change, at: positions)
    }
  }

  /// Returns the change of an object, or nil.
  ///
  /// - Complexity: O(log *k*) for *k* changes.
  func change(of id: ObjectID) -> Change? { change(of: id, upTo: changes.count) }

  private func change(of id: ObjectID, upTo count: Int) -> Change? {
    let place = (0..<count).partitionPoint { changes[$0].id >= id }
    return place < count && changes[place].id == id ? changes[place] : nil
  }

  /// Returns the positions of the properties whose values differ: all positions if the object is
  /// new or was deleted.
  func positions(of change: Change) -> Set<Int> {
    Set(table.resolved.properties.indices.filter { hasChanged(change, at: $0) })
  }

  /// Returns whether the value of a property has changed. Equal values may be stored as different
  /// bytes.
  func hasChanged(_ change: Change, at position: Int) -> Bool {
    words[change.firstWord + position >> 6] & 1 << UInt64(position & 63) != 0
  }

  /// Returns whether the value of one of some properties has changed, or of any property if they
  /// are nil.
  func hasChanged(_ change: Change, at positions: Set<Int>? = nil) -> Bool {
    if let positions { return positions.contains { hasChanged(change, at: $0) } }
    return words[change.firstWord..<change.firstWord + wordCount].contains { $0 != 0 }
  }

  /// Returns the changes of those observed objects that have changed.
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
    for position in positions(of: change) {
      let isCollection = table.resolved.properties[position].type.isCollection
      // `.none`, not `nil`, which is the value null here.
      let old = isCollection ? .none : try value(position, of: change, all.before)
      delta.old[position] = .some(old)
    }
    return delta
  }

  /// Returns the value of a property in one of the two snapshots, or nil if the object does not
  /// exist there.
  func value(
    _ position: Int, of change: Change, _ source: QuerySource
  ) throws -> PropertyValue? {
    guard let record = try source.record(table, change.id) else { return nil }
    return try source.value(table, position, of: record, change.id)
  }

  /// Removes and returns the changes, so that the caller can free them elsewhere. Do not use the
  /// object afterwards.
  func takeContent() -> Content {
    defer { (changes, words) = ([], []) }
    return (changes, words)
  }
}
