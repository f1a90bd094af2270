internal import Foundation
internal import WhimbrelLMDB

/// The result of scanning the objects of a class.
package struct RecordTally: Sendable {
  package var objects = 0
  /// The bytes of their records, without overflow.
  package var bytes = 0
  /// The number of overflow entries that the records refer to.
  var overflow = 0
  /// The tallies that the indexes should have, in the order of the indexes.
  var entries: [IndexTally] = []
  /// The objects with unreadable records. Their index entries are unknown.
  var damaged: Set<ObjectID> = []
  var findings: IntegrityCheck.Findings

  mutating func append(_ other: Self) {
    objects += other.objects
    bytes += other.bytes
    overflow += other.overflow
    for (place, tally) in other.entries.enumerated() { entries[place].append(tally) }
    damaged.formUnion(other.damaged)
    findings.append(other.findings)
  }
}

extension IntegrityCheck {
  /// The results of scanning all classes.
  struct ScanResults {
    var records: [RecordTally]
    /// The actual contents of the indexes, by class and index.
    var indexes: [[IndexContent]]
  }

  /// A unit of work for one core.
  private enum Piece {
    case records(class: Int, ClosedRange<UInt64>)
    case index(class: Int, place: Int)
  }

  private enum Outcome: Sendable {
    case records(RecordTally)
    case index(IndexContent)
  }

  /// The number of objects below which a class is one piece.
  private static let smallestForPieces = 8_192
  private static let piecesOfClass: UInt64 = 64

  func scan(_ progress: Progress) throws -> ScanResults {
    var results = ScanResults(
      records: classes.map { emptyTally($0) },
      indexes: classes.map { $0.indexes.map { _ in IndexContent() } })
    let pieces = try pieces()
    var total = 0
    // The numbers are those of the headers, because `checkCount` reports a wrong second number.
    for table in classes {
      if let objects = table.objects { total += try view.statistics(objects).entries }
      guard depth == .everything, table.objects != nil else { continue }
      for index in table.indexes { total += try view.count(index.table) }
    }
    var completed = 0
    let targets = depth == .everything ? try LinkTargets(self) : LinkTargets()
    // Safe: the cores only read the shared values, and each has its own snapshot.
    nonisolated(unsafe) let check = self
    try SnapshotWork(view, environment).run(pieces.count) { number, view in
      try unsafe check.work(pieces[number], targets, view)
    } taking: { number, outcome in
      switch (pieces[number], outcome) {
      case (.records(let number, _), .records(let tally)):
        results.records[number].append(tally)
        completed += tally.objects
      case (.index(let number, let place), .index(let content)):
        results.indexes[number][place] = content
        completed += content.tally.count
      default: break
      }
      try progress(completed, total)
    }
    return results
  }

  private func emptyTally(_ table: ScannedClass) -> RecordTally {
    RecordTally(
      entries: table.indexes.map { _ in IndexTally() }, findings: Findings(limit: findings.limit))
  }

  private func work(
    _ piece: Piece, _ targets: LinkTargets, _ view: ReadView
  ) throws -> Outcome {
    switch piece {
    case .records(let number, let range):
      let table = classes[number]
      guard let objects = table.objects else { return .records(emptyTally(table)) }
      var scan = try RecordScan(table, self, targets, view, emptyTally(table))
      try scan.run(objects, range)
      return .records(scan.tally)
    case .index(let number, let place):
      return .index(try IndexContent(of: classes[number].indexes[place], in: view))
    }
  }

  private func pieces() throws -> [Piece] {
    var pieces: [Piece] = []
    for (number, table) in classes.enumerated() {
      guard let objects = table.objects else { continue }
      let records = try Self.ranges(of: objects, view).map { Piece.records(class: number, $0) }
      guard depth == .everything else {
        pieces += records
        continue
      }
      // An index is a large piece. Indexes are spread out so that none comes last and keeps the
      // other cores waiting.
      let count = max(table.indexes.count, 1)
      for place in 0..<count {
        if place < table.indexes.count { pieces.append(.index(class: number, place: place)) }
        pieces += records[records.count * place / count..<records.count * (place + 1) / count]
      }
    }
    return pieces
  }

  /// Returns the object IDs of a class as ranges of about the same size, or none when it is empty.
  ///
  /// The size of each range but the last is a multiple of 64, so that an ``ObjectIDSet`` can append
  /// the words of the ranges.
  static func ranges(of objects: Table, _ view: ReadView) throws -> [ClosedRange<UInt64>] {
    let cursor = try view.cursor(objects)
    guard try cursor.move(to: .first), case let first = cursor.integerKey,
      try cursor.move(to: .last), case let last = cursor.integerKey, first <= last
    else { return [] }
    guard try view.statistics(objects).entries >= smallestForPieces else { return [first...last] }
    let width = ((last - first) / (64 * piecesOfClass) + 1) * 64
    return (first...last).pieces(piecesOfClass, ofWidth: width)
  }
}
