internal import WhimbrelLMDB

/// A collector of objects with equal values in a unique index. Add the keys of the index in order.
struct DuplicateValues {
  private let index: ResolvedIndex
  /// The part of the latest key that encodes the values, without the object ID.
  private var prefix: [UInt8] = []
  /// The objects whose keys have that prefix, grouped by their actual values. There are several
  /// groups if long texts are truncated in the keys. The array is empty until a second object has
  /// the prefix.
  private var groups: [(values: [PropertyValue], objects: [ObjectID])] = []
  /// The groups that the error lists.
  private var named: [(values: [PropertyValue], objects: [ObjectID])] = []
  private var total = 0
  private var first: ObjectID?
  /// The object with the smallest ID that repeats the values of an earlier object.
  private(set) var earliest: IndexBuilder.Repeat?

  /// The limit on the values that the error lists, and on the objects listed for each.
  private static let limit = 10

  /// - Returns: Nil if the values do not have to be unique.
  init?(_ subject: IndexSubject) {
    guard case .values(let index) = subject, index.kind == .unique else { return nil }
    self.index = index
  }

  mutating func add(_ key: PageBytes, in entry: some IndexedObjects) throws {
    let (value, id) = key.split()
    if !value.isEqual(to: prefix) {
      close()
      prefix.removeAll(keepingCapacity: true)
      prefix.append(value)
      first = id
      return
    }
    if groups.isEmpty, let first {
      let values = try values(of: first, in: entry)
      if values.contains(where: \.isNull) { return }
      groups = [(values, [first])]
    }
    let values = try values(of: id, in: entry)
    if let place = groups.firstIndex(where: { isSame($0.values, values) }) {
      if let existing = groups[place].objects.first, earliest.map({ id < $0.id }) ?? true {
        earliest = IndexBuilder.Repeat(id: id, existing: existing)
      }
      if groups[place].objects.count < Self.limit { groups[place].objects.append(id) }
    } else {
      groups.append((values, [id]))
    }
  }

  /// Returns the error that lists the duplicates, or nil if there are none.
  mutating func error(in entry: some IndexedObjects) throws -> StoreError? {
    close()
    if total == 0 { return nil }
    return entry.duplicateValues(index, named, total: total)
  }

  /// Counts the duplicates of the latest values, and keeps them for the error.
  private mutating func close() {
    for group in groups where group.objects.count > 1 {
      total += 1
      if named.count < Self.limit { named.append(group) }
    }
    groups = []
  }

  /// Returns whether values with equal keys are equal. Only texts can differ. Here NaN equals NaN.
  private func isSame(_ left: [PropertyValue], _ right: [PropertyValue]) -> Bool {
    zip(left, right).allSatisfy { left, right in
      guard case .string = left else { return true }
      return left == right
    }
  }

  private func values(of id: ObjectID, in entry: some IndexedObjects) throws -> [PropertyValue] {
    guard let record = try entry.record(id) else { return [] }
    return try index.positions.map { try entry.value($0, of: record, id) }
  }
}
