internal import WhimbrelLMDB

/// Objects that have the same values in a unique index, found from its keys as they come in
/// their order.
struct DuplicateValues {
  private let index: ResolvedIndex
  /// The part of the keys before the object ID.
  private var prefix: [UInt8] = []
  /// Of the keys with that part: objects with different values, as far as keys tell, and
  /// those that have the same. There are several where keys do not have all of long texts.
  private var groups: [(values: [PropertyValue], objects: [ObjectID])] = []
  private var named: [(values: [PropertyValue], objects: [ObjectID])] = []
  private var total = 0
  private var first: ObjectID?
  /// The object with the least ID that has the values of another before it.
  private(set) var earliest: IndexBuilder.Repeat?

  /// How many values, and objects of each, are named in the error.
  private static let limit = 10

  /// - Returns: nil when the values need not be unique.
  init?(_ subject: IndexSubject) {
    guard case .values(let index) = subject, index.kind == .unique else { return nil }
    self.index = index
  }

  /// Takes note of a key.
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

  /// What is wrong, or nil.
  mutating func error(in entry: some IndexedObjects) throws -> StoreError? {
    close()
    if total == 0 { return nil }
    return entry.duplicateValues(index, named, total: total)
  }

  /// Takes note of what the keys so far had in common.
  private mutating func close() {
    for group in groups where group.objects.count > 1 {
      total += 1
      if named.count < Self.limit { named.append(group) }
    }
    groups = []
  }

  /// Whether values are the same of which the keys are: numbers are then, NaN too.
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
