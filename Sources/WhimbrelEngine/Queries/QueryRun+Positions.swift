internal import WhimbrelLMDB

/// The position of an object in the result of a query.
package enum ObjectPosition: Hashable, Sendable {
  case at(Int)
  /// The object is not in the result.
  case absent
  /// The position is known only after finding all objects.
  case unknown
}

extension BoundQuery {
  /// Returns the position of an object. The objects before it are counted, without a list of them.
  ///
  /// - Complexity: O(*n*) in time. O(1) in memory, unless indexes find objects that must still be
  ///   checked.
  package func position(of id: ObjectID) throws -> ObjectPosition {
    var run = QueryRun(self)
    return try run.position(of: id)
  }
}

extension QueryRun {
  fileprivate mutating func position(of id: ObjectID) throws -> ObjectPosition {
    guard query.request.source == .all, !table.isOfMigration else { return .unknown }
    var (place, order): (Int, QueryOrder?) = (0, nil)
    if case .sort(let first)? = query.stages.first { (place, order) = (1, first) }
    var window = QueryWindow()
    place += window.take(query.stages[place...])
    guard place == query.stages.count else { return .unknown }
    guard query.isPossible, let found = try table.record(id) else { return .absent }
    let condition = try query.condition
    guard try condition?.matches(found, id) ?? true else { return .absent }
    let record = try condition?.current(found, id) ?? found
    let position =
      if let order { try countBefore(id, record, by: order) } else { try countBefore(id) }
    guard position >= window.start, position < window.end ?? .max else { return .absent }
    return .at(position - window.start)
  }

  /// Returns the number of objects that satisfy the leading condition and have a smaller ID.
  private mutating func countBefore(_ id: ObjectID) throws -> Int {
    var count = 0
    guard query.leading != nil else {
      let cursor = try table.session.view.cursor(table.objects)
      var isInside = try cursor.move(to: .first)
      while isInside, cursor.integerKey < id.rawValue {
        count += 1
        isInside = try cursor.move(to: .next)
      }
      return count
    }
    if let count = try countByIndex(before: id) { return count }
    if let found = try findByIndex(upTo: nil) {
      let condition = try found.isExact ? nil : query.condition
      for other in found.ids.prefix(while: { $0 < id }) {
        let isMatch = try condition?.matches(table.requiredRecord(other, &tally), other)
        if isMatch ?? true { count += 1 }
      }
      return count
    }
    try scan { other, _ in
      if other >= id { return false }
      count += 1
      return true
    }
    return count
  }

  /// Returns the number of objects that satisfy the leading condition and precede an object in an
  /// order.
  private mutating func countBefore(
    _ id: ObjectID, _ record: PageBytes, by order: QueryOrder
  ) throws -> Int {
    if let walk = query.indexOrder, walk.isExact {
      var count = 0
      _ = try forEachObject(walk, order, reading: .max) { other in
        if other == id { return false }
        count += 1
        return true
      }
      return count
    }
    var counter = try OrderCounter(order, id, record)
    if let found = try findByIndex(upTo: nil) {
      let condition = try found.isExact ? nil : query.condition
      for other in found.ids {
        let record = try table.requiredRecord(other, &tally)
        guard try condition?.matches(record, other) ?? true else { continue }
        try counter.take(other, condition?.current(record, other) ?? record)
      }
    } else {
      try scan(touching: counter.firstOffset) { other, record in
        try counter.take(other, record)
        return true
      }
    }
    return counter.count
  }
}

/// A count of the objects that precede one object in an order. Objects that tie are in the order of
/// their IDs.
private struct OrderCounter {
  private(set) var count = 0
  private let order: QueryOrder
  private let id: ObjectID
  private let entry: SortEntry
  /// The reader whose memory contains the texts of the entry.
  private let entryReader: OrderReader
  private var reader: OrderReader
  private var taken = 0

  /// The number of objects after which a new reader frees the memory of the last one.
  private static let readerLimit = 1_024

  init(_ order: QueryOrder, _ id: ObjectID, _ record: PageBytes) throws {
    self.order = order
    self.id = id
    var first = OrderReader(order)
    let read = try first.entry(of: record, id)
    var entry = first.kept(read)
    entry.place = 1
    self.entry = entry
    entryReader = first
    reader = OrderReader(order)
  }

  var firstOffset: Int { reader.firstOffset }

  mutating func take(_ other: ObjectID, _ record: PageBytes) throws {
    if other == id { return }
    var next = try reader.entry(of: record, other)
    next.place = other < id ? 0 : 2
    if next.precedes(entry, isReversed: reader.isReversed) { count += 1 }
    taken += 1
    if taken % Self.readerLimit == 0 { reader = OrderReader(order) }
  }
}
