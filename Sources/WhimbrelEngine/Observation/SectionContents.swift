/// A key of a section, as sections compare it: all keys that do not equal themselves, such as NaN,
/// are one key.
package struct SectionKey<Key: Hashable>: Hashable {
  package let key: Key

  package init(_ key: Key) { self.key = key }

  package static func == (left: SectionKey, right: SectionKey) -> Bool {
    left.key == right.key || left.key != left.key && right.key != right.key
  }

  package func hash(into hasher: inout Hasher) {
    if key == key { hasher.combine(key) }
  }
}

extension SectionKey: Sendable where Key: Sendable {}

/// The objects of a query, grouped into sections. Each section has a key.
package struct SectionContents<Key: Hashable> {
  /// The keys, in the order of the first object of each section.
  package private(set) var keys: [Key] = []
  /// The objects of each section, in the order of the query.
  private var members: [SectionKey<Key>: ObjectOrder] = [:]

  package init() {}

  /// - Parameter elements: The objects in the order of the query, with their keys.
  package init(_ elements: some Sequence<(id: ObjectID, key: Key)>) {
    var ids: [SectionKey<Key>: [ObjectID]] = [:]
    for (id, key) in elements {
      let section = SectionKey(key)
      if ids[section] == nil { keys.append(key) }
      ids[section, default: []].append(id)
    }
    members = ids.mapValues { ObjectOrder($0) }
  }

  /// The objects of the section with a key, in the order of the query, or nil if there is none.
  package subscript(key: Key) -> ObjectOrder? { members[SectionKey(key)] }

  /// Returns the same sections with other keys, or nil if two sections would have the same key.
  package func mapKeys<Other>(
    _ transform: (Key, ObjectID) throws -> Other
  ) rethrows -> SectionContents<Other>? {
    var mapped = SectionContents<Other>()
    for key in keys {
      guard let members = self[key], let first = members.first else { continue }
      let other = try transform(key, first)
      guard mapped.members.updateValue(members, forKey: SectionKey(other)) == nil else {
        return nil
      }
      mapped.keys.append(other)
    }
    return mapped
  }
}

extension SectionContents: Sendable where Key: Sendable {}

extension SectionContents where Key == PropertyValue {
  /// Groups the objects of a query by a property.
  init(_ order: ObservedOrder, _ position: Int, _ source: QuerySource) throws {
    let table = order.table
    var failure: (any Error)?
    self.init(
      order.found.ids.lazy.compactMap { id in
        do {
          guard let record = try source.record(table, id) else { return nil }
          return (id, try source.value(table, position, of: record, id))
        } catch {
          failure = error
          return nil
        }
      })
    if let failure { throw failure }
  }

  /// Follows changes of some objects, which may have moved to other sections.
  ///
  /// - Throws: ``DamagedObservation`` if an object is not at its old place.
  mutating func follow(
    _ touched: SortedIDs, in order: ObservedOrder, _ position: Int, _ changes: StoreChanges
  ) throws {
    let table = order.table
    var removed: [SectionKey<Key>: [ObjectOrder.Place]] = [:]
    var added: [SectionKey<Key>: [ObjectID]] = [:]
    // Whether the order of the sections may have changed.
    var mayReorder = false
    let before = order.search(in: changes.before)
    for id in touched {
      if let record = try order.record(id, in: changes.before) {
        let key = SectionKey(try changes.before.value(table, position, of: record, id))
        guard let members = members[key], let place = try before.place(of: id, record, in: members)
        else { throw DamagedObservation() }
        if members.first == id { mayReorder = true }
        removed[key, default: []].append(place)
      }
      if let record = try order.record(id, in: changes.after) {
        let key = SectionKey(try changes.after.value(table, position, of: record, id))
        added[key, default: []].append(id)
      }
    }
    for (key, places) in removed { members[key]?.remove(at: places.sorted()) }
    let after = order.search(in: changes.after)
    for (key, ids) in added {
      var all = members[key] ?? ObjectOrder()
      try all.insert(after.places(for: ids, in: all))
      if members[key] == nil || all.first.map(ids.contains) == true { mayReorder = true }
      members[key] = all
    }
    guard mayReorder else { return }
    members = members.filter { $0.value.count > 0 }
    let firsts = members.compactMap { key, ids in ids.first.map { ($0, key.key) } }
    let byFirst = Dictionary(uniqueKeysWithValues: firsts)
    keys = try after.sorted(byFirst.keys.sorted()).compactMap { byFirst[$0] }
  }
}

/// The difference between the old and the new sections.
package struct SectionsDifference: Sendable {
  /// The position of an object in sections.
  package struct Position: Hashable, Sendable {
    package let section: Int
    package let item: Int
  }

  /// The old positions of the sections that were deleted or have moved, ascending.
  package let deletedSections: [Int]
  /// The new positions of the sections that were inserted or have moved, ascending.
  package let insertedSections: [Int]
  /// Deletions of objects in sections that stayed. This and the next properties are as in
  /// ``OrderDifference``.
  package private(set) var deletions: [Position] = []
  package private(set) var insertions: [Position] = []
  package private(set) var modifications: [Position] = []
  package private(set) var modificationsBefore: [Position] = []

  /// Compares sections.
  ///
  /// - Parameter touched: The objects that may have been inserted, deleted or moved, or nil if they
  ///   are not known.
  /// - Returns: Nil if nothing has changed.
  /// - Complexity: O(*n* log *n*). With `touched`, O(*k* log *k*) for *k* touched objects, plus the
  ///   number of sections.
  init?<Key: Hashable>(
    from before: SectionContents<Key>, to after: SectionContents<Key>, touched: SortedIDs?,
    _ modified: ModifiedObjects
  ) {
    // Sections are compared as objects are: each key gets a number in place of an object ID.
    var numbers: [SectionKey<Key>: UInt64] = [:]
    for key in before.keys + after.keys where numbers[SectionKey(key)] == nil {
      numbers[SectionKey(key)] = UInt64(numbers.count)
    }
    func ids(_ keys: [Key]) -> [ObjectID] {
      keys.map { ObjectID(rawValue: numbers[SectionKey($0)] ?? 0) }
    }
    let sections = OrderDifference(from: ids(before.keys), to: ids(after.keys))
    (deletedSections, insertedSections) = (sections.deletions, sections.insertions)

    let (deleted, inserted) = (Set(deletedSections), Set(insertedSections))
    let old = before.keys.indices.filter { !deleted.contains($0) }
    let new = after.keys.indices.filter { !inserted.contains($0) }
    let sieve = modified.sieve
    for (old, new) in zip(old, new) {
      guard let left = before[before.keys[old]], let right = after[after.keys[new]] else {
        continue
      }
      let difference: OrderDifference
      if let touched {
        if left.isIdentical(to: right) { continue }
        difference = OrderDifference(from: left, to: right, touched: touched)
      } else {
        difference = OrderDifference(from: left.ids, to: right.ids, touched: sieve.contains)
      }
      deletions += difference.deletions.map { Position(section: old, item: $0) }
      insertions += difference.insertions.map { Position(section: new, item: $0) }
      for stay in difference.stayed where modified.contains(stay.id) {
        modificationsBefore.append(Position(section: old, item: stay.move.from))
        modifications.append(Position(section: new, item: stay.move.to))
      }
    }
    let isEmpty =
      sections.isEmpty && deletions.isEmpty && insertions.isEmpty && modifications.isEmpty
    if isEmpty { return nil }
  }
}
