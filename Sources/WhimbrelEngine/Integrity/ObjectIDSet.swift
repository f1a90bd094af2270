internal import WhimbrelLMDB

/// The object IDs of a class, as one bit for each ID from the smallest to the largest.
struct ObjectIDSet: Sendable {
  private let first: UInt64
  private var words: [UInt64] = []

  /// The limit of bits for each object. A sparser class does not get a set.
  private static let greatestSpread = 8

  /// Reads the object IDs of a class. Returns nil if they are too far apart.
  init?(_ objects: Table, _ view: ReadView, _ environment: Environment?) throws {
    let ranges = try IntegrityCheck.ranges(of: objects, view)
    guard let first = ranges.first?.lowerBound, let last = ranges.last?.upperBound else {
      self.first = 0
      return
    }
    // If the number is damaged, only a small set is made.
    let count = (try? view.count(objects)) ?? 0
    // A class with few objects may take as many bits as one with 1,024.
    guard (last - first) / UInt64(Self.greatestSpread) <= UInt64(max(count, 1_024)) else {
      return nil
    }
    self.first = first
    var words: [UInt64] = []
    words.reserveCapacity(Int((last - first) / 64) + 1)
    try SnapshotWork(view, environment).run(ranges.count) { number, view in
      try Self.bits(of: objects, ranges[number], view)
    } taking: { _, piece in
      words += piece
    }
    self.words = words
  }

  /// Returns the bits of a range, beginning with its first ID.
  private static func bits(
    of objects: Table, _ range: ClosedRange<UInt64>, _ view: ReadView
  ) throws -> [UInt64] {
    var words = [UInt64](
      repeating: 0, count: Int((range.upperBound - range.lowerBound) / 64) + 1)
    let cursor = try view.cursor(objects)
    var batch = EntryBatch()
    var start: UInt64? = range.lowerBound
    while try batch.fill(cursor, from: start, through: range.upperBound, touching: nil) {
      for index in 0..<batch.count where range.contains(batch.key(index)) {
        let place = batch.key(index) - range.lowerBound
        words[Int(place / 64)] |= 1 << (place % 64)
      }
      start = nil
    }
    return words
  }

  @inline(__always)
  func contains(_ id: ObjectID) -> Bool {
    // An ID below `first` wraps around to a number far above the last.
    let place = id.rawValue &- first
    guard place / 64 < UInt64(words.count) else { return false }
    return words[Int(place / 64)] & 1 << (place % 64) != 0
  }
}
