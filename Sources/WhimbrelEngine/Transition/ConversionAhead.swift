internal import Dispatch
package import WhimbrelLMDB

/// The lookahead of a loop over objects with past shapes: another core converts the objects that
/// the loop reads next.
///
/// A loop that has met some objects with past shapes gets the following ones in blocks. While it
/// uses one block, another core converts the next; when it comes to that one, both convert what is
/// left of it. Blocks grow, so that a loop that ends soon has converted few objects in vain.
///
/// It belongs to the snapshot in which it was made. Records that it gives out are valid as long as
/// the epoch of the session is.
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

  /// The number of objects with past shapes that a loop must have met before others are converted
  /// for it.
  private static let firstCount = 64
  private static let lengthLimit = 2_048

  /// A block that the loop uses.
  private struct Finished {
    let ids: [ObjectID]
    let outcome: ConversionBlock.Outcome
    /// The place of the object that the loop comes to next.
    var position = 0

    /// Moves behind an object, and returns whether the block has it.
    mutating func moves(behind id: ObjectID) -> Bool {
      while position < ids.count {
        position += 1
        if ids[position - 1] == id { return true }
      }
      return false
    }

    /// Moves to the first object that comes after one, and returns whether there is any.
    mutating func moves(toFirstAfter id: ObjectID) -> Bool {
      while position > 0, ids[position - 1] > id { position -= 1 }
      while position < ids.count, ids[position] <= id { position += 1 }
      return position < ids.count
    }
  }

  /// - Returns: Nil if a loop in the session converts its objects alone.
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
      converter: ConversionBlock.OtherConverter(conversions.ofOtherCore))
  }

  deinit {
    next?.end()
    forget(next)
    if current != nil { leave() }
  }

  /// Whether the loop is amidst objects that were converted for it.
  package var isAhead: Bool { current != nil }

  /// Notes objects that the loop has found itself.
  package func note(_ batch: borrowing EntryBatch) {
    for index in 0..<batch.count { note(batch.value(index)) }
  }

  /// Notes an object that the loop has found itself.
  package func note(_ record: PageBytes) {
    if stored.resolved.isStale(record) { pastCount += 1 }
  }

  /// Returns the record of the listed object that the loop has come to. It is sound, and in the shape
  /// that the class has now. Returns nil if the loop has to read the object itself.
  package func record(of id: ObjectID) -> PageBytes? {
    if current?.moves(behind: id) != true {
      guard usesNext(from: id), current?.moves(behind: id) == true else { return nil }
    }
    return current.flatMap { $0.outcome.record(at: $0.position - 1) }
  }

  /// Takes the objects that come after one. Their records are sound, and in the shape that the class
  /// has now.
  ///
  /// - Returns: Whether there are any. If not, the loop has to read the next object itself.
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

  /// Moves to the next block, and returns whether there is one. If none was started, one that begins
  /// with an object may be started now.
  private func usesNext(from id: ObjectID) -> Bool {
    if next == nil {
      if current != nil { leave() }
      if pastCount >= Self.firstCount { next = makeBlock((try? takeIDs(from: id)) ?? []) }
    }
    guard let block = next.take() else { return false }
    length = min(length * 2, Self.lengthLimit)
    // The other core works meanwhile.
    let rest = objects
    let following = (try? takeIDs(from: nil)) ?? []
    let outcome = block.finish(
      in: view, by: try? conversions.converter(of: stored.resolved.id))
    forget(block)
    // Where few objects have past shapes, the loop goes on alone until it meets more of them.
    if outcome.convertedCount >= block.ids.count / 4 {
      next = makeBlock(following)
    } else {
      objects = rest
    }
    // The bytes given out before are freed.
    if current != nil { clock.value &+= 1 }
    current = Finished(ids: block.ids, outcome: outcome)
    return true
  }

  /// Lets the loop go on alone.
  private func leave() {
    // The bytes given out are freed.
    clock.value &+= 1
    (current, pastCount) = (nil, 0)
  }

  /// Takes a block that has ended out of those that the session ends.
  private func forget(_ block: ConversionBlock?) {
    conversions.blocks.removeAll { $0 === block }
  }

  /// Makes the next block, which another core begins to convert. Returns nil if no objects are left.
  private func makeBlock(_ ids: [ObjectID]) -> ConversionBlock? {
    if ids.isEmpty { return nil }
    let block = ConversionBlock(ids, stored, help, on: queue)
    conversions.blocks.append(block)
    return block
  }

  /// Takes the objects of a block: those from one on, or those after all blocks so far.
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
