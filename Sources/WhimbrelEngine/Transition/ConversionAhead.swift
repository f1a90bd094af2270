internal import Dispatch
package import WhimbrelLMDB

/// The lookahead of a loop over objects with past shapes: another core converts the objects that
/// the loop reads next.
///
/// A loop that has met enough objects with past shapes gets the next ones in blocks. While the loop
/// uses one block, another core converts the next block. When the loop reaches that block, both
/// convert its remaining objects. Blocks grow, so that a loop that ends early has converted few
/// objects in vain.
///
/// A lookahead belongs to the snapshot in which it was made. Its records are valid as long as the
/// epoch of the session.
package final class ConversionAhead {
  /// The objects that a loop reads.
  package enum Objects {
    /// All objects of the class after one, up to another.
    case all(after: ObjectID?, through: ObjectID)
    case listed(ArraySlice<ObjectID>)
  }

  private let view: ReadView
  private let conversions: Conversions
  private let clock: Counter
  private let stored: ConversionBlock.StoredObjects
  private let help: ConversionBlock.Help
  private lazy var queue = DispatchQueue(label: "Whimbrel conversion", qos: .userInitiated)
  // Safe, here and below: one thread uses it, one call after another.
  /// The objects that are in no block yet.
  @safe @exclusivity(unchecked) private var objects: Objects
  /// The number of objects of the next block.
  @safe @exclusivity(unchecked) private var length = 256
  /// The number of objects with past shapes that the loop has met outside of blocks.
  @safe @exclusivity(unchecked) private var pastCount = 0
  @safe @exclusivity(unchecked) private var current: Finished?
  @safe @exclusivity(unchecked) private var next: ConversionBlock?

  /// The number of objects with past shapes that a loop must meet before objects are converted
  /// ahead of it.
  private static let firstCount = 64
  private static let lengthLimit = 2_048

  /// The block that the loop uses.
  private struct Finished {
    let ids: [ObjectID]
    let outcome: ConversionBlock.Outcome
    /// The position of the object that the loop reads next.
    var position = 0

    /// Moves past an object, and returns whether the block contains it.
    mutating func moves(behind id: ObjectID) -> Bool {
      while position < ids.count {
        position += 1
        if ids[position - 1] == id { return true }
      }
      return false
    }

    /// Moves to the first object after another, and returns whether there is one.
    mutating func moves(toFirstAfter id: ObjectID) -> Bool {
      while position > 0, ids[position - 1] > id { position -= 1 }
      while position < ids.count, ids[position] <= id { position += 1 }
      return position < ids.count
    }
  }

  /// - Returns: Nil if the loop converts its objects without help.
  package init?(_ table: ClassTable, _ objects: Objects) {
    let session = table.session
    guard table.converts, !session.isWriting, ParallelMap<Void>.coreCount(.max) > 1,
      let conversions = session.conversions, let environment = try? session.file.environment
    else { return nil }
    self.objects = objects
    self.conversions = conversions
    clock = session.clock
    view = session.currentView
    let areAll = if case .all = objects { true } else { false }
    stored = ConversionBlock.StoredObjects(
      resolved: table.resolved, objects: table.objects, overflow: table.overflowTable,
      verifies: table.verifiesReads, commit: view.transactionID, areAll: areAll)
    help = ConversionBlock.Help(
      environment: environment,
      converter: ConversionBlock.OtherConverter(conversions.source))
  }

  deinit {
    next?.end()
    forget(next)
    if current != nil { leave() }
  }

  /// Whether the loop reads objects that were converted ahead of it.
  package var isAhead: Bool { current != nil }

  /// Counts the objects with past shapes in a batch that the loop has read itself.
  package func note(_ batch: borrowing EntryBatch) {
    for index in 0..<batch.count { note(batch.value(index)) }
  }

  /// Counts an object that the loop has read itself if it has a past shape.
  package func note(_ record: PageBytes) {
    if stored.resolved.isStale(record) { pastCount += 1 }
  }

  /// Returns the record of the listed object that the loop reads next, or nil if the loop has to
  /// read the object itself. The record is sound and has the current shape of the class.
  package func record(of id: ObjectID) -> PageBytes? {
    if current?.moves(behind: id) != true {
      guard usesNext(from: id), current?.moves(behind: id) == true else { return nil }
    }
    return current.flatMap { $0.outcome.record(at: $0.position - 1) }
  }

  /// Fills a batch with the objects after another. Their records are sound and have the current
  /// shape of the class.
  ///
  /// - Returns: Whether there are any objects. If not, the loop has to read the next object itself.
  package func fill(_ batch: inout EntryBatch, after last: ObjectID) -> Bool {
    if current?.moves(toFirstAfter: last) != true {
      guard last.rawValue < .max, usesNext(from: ObjectID(rawValue: last.rawValue + 1)),
        current?.moves(toFirstAfter: last) == true
      else { return false }
    }
    guard let current else { return false }
    batch.removeAll()
    for position in current.position..<current.ids.count {
      guard let record = current.outcome.record(at: position),
        batch.append(current.ids[position].rawValue, record)
      else { break }
    }
    return batch.count > 0
  }

  // MARK: Blocks

  /// Moves to the next block, and returns whether there is one. If none was started, it may start
  /// one that begins with the given object.
  private func usesNext(from id: ObjectID) -> Bool {
    if next == nil {
      if current != nil { leave() }
      if pastCount >= Self.firstCount { next = makeBlock((try? takeIDs(from: id)) ?? []) }
    }
    guard let block = next.take() else { return false }
    length = min(length * 2, Self.lengthLimit)
    // The other core converts meanwhile.
    let rest = objects
    let following = (try? takeIDs(from: nil)) ?? []
    let outcome = block.finish(
      in: view, by: try? conversions.converter(of: stored.resolved.id))
    forget(block)
    // If few objects of the block had past shapes, the loop goes on alone until it meets more of
    // them.
    if outcome.convertedCount >= block.ids.count / 4 {
      next = makeBlock(following)
    } else {
      objects = rest
    }
    // The bytes of the old block are freed.
    if current != nil { clock.value &+= 1 }
    current = Finished(ids: block.ids, outcome: outcome)
    return true
  }

  /// Leaves the current block: the loop goes on alone.
  private func leave() {
    // The bytes of the block are freed.
    clock.value &+= 1
    (current, pastCount) = (nil, 0)
  }

  /// Removes a block that has ended from the blocks that the session must end.
  private func forget(_ block: ConversionBlock?) {
    conversions.blocks.removeAll { $0 === block }
  }

  /// Creates the next block, which another core begins to convert. Returns nil if there are no
  /// objects.
  private func makeBlock(_ ids: [ObjectID]) -> ConversionBlock? {
    if ids.isEmpty { return nil }
    let block = ConversionBlock(ids, stored, help, on: queue)
    conversions.blocks.append(block)
    return block
  }

  /// Takes the objects of a block: those from an object on, or those after all blocks so far.
  private func takeIDs(from first: ObjectID?) throws -> [ObjectID] {
    switch objects {
    case .listed(var rest):
      if let first { rest = rest.drop { $0 != first } }
      objects = .listed(rest.dropFirst(length))
      return Array(rest.prefix(length))
    case .all(let last, let end):
      if first == nil, let last, last >= end { return [] }
      var start: UInt64? = first?.rawValue ?? last.map { $0.rawValue + 1 } ?? 0
      let cursor = try view.cursor(stored.objects)
      var batch = EntryBatch()
      var ids: [ObjectID] = []
      ids.reserveCapacity(length)
      while ids.count < length,
        try batch.fill(
          cursor, from: start, through: end.rawValue, touching: nil, upTo: length - ids.count)
      {
        for index in 0..<batch.count { ids.append(ObjectID(rawValue: batch.key(index))) }
        start = nil
      }
      objects = .all(after: ids.last ?? last, through: end)
      return ids
    }
  }
}
