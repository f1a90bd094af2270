internal import WhimbrelLMDB

/// An error for an order in which an object is not at its expected place. The query then runs
/// again.
struct DamagedObservation: Error {}

/// A search for objects in an order. The sort keys are read from one snapshot.
struct OrderSearch {
  private let order: QueryOrder?
  private let table: ClassTable
  private let source: QuerySource

  init(_ order: QueryOrder?, _ table: ClassTable, _ source: QuerySource) {
    self.order = order
    self.table = table
    self.source = source
  }

  /// Returns the place after the objects that precede an object.
  func place(
    for id: ObjectID, _ record: PageBytes, in all: ObjectOrder
  ) throws -> ObjectOrder.Place {
    guard let order else { return all.place { $0 < id } }
    var reader = OrderReader(order, source)
    let entry = try reader.entry(of: record, id)
    let key = reader.kept(entry)
    return try all.place { other in
      if other == id { return false }
      guard let record = try source.record(table, other) else { throw DamagedObservation() }
      let entry = try reader.entry(of: record, other)
      if entry.precedes(key, isReversed: reader.isReversed) { return true }
      return other < id && !key.precedes(entry, isReversed: reader.isReversed)
    }
  }

  /// Returns the place of an object, or nil if it is not there.
  func place(
    of id: ObjectID, _ record: PageBytes, in all: ObjectOrder
  ) throws -> ObjectOrder.Place? {
    all.place(of: id, at: try place(for: id, record, in: all))
  }

  /// Returns objects with the places after those that precede them, in the order of the places.
  func places(
    for ids: [ObjectID], in all: ObjectOrder
  ) throws -> [(id: ObjectID, place: ObjectOrder.Place)] {
    try sorted(ids).compactMap { id in
      guard let record = try source.record(table, id) else { return nil }
      return (id, try place(for: id, record, in: all))
    }
  }

  /// Sorts objects. Their IDs must ascend.
  func sorted(_ ids: [ObjectID]) throws -> [ObjectID] {
    guard let order, ids.count > 1 else { return ids }
    var buffer = SortBuffer(order, limit: nil, source)
    for id in ids {
      guard let record = try source.record(table, id) else { throw DamagedObservation() }
      try buffer.add(id, record)
    }
    return buffer.sorted()
  }
}
