internal import WhimbrelLMDB

/// A scanner of all objects of a class, which uses several cores if that pays.
///
/// The class is divided into blocks by object ID, the same for any number of cores. One core scans
/// each block, and the results are joined in the order of the blocks.
///
/// Each core reads in its own snapshot: see ``SnapshotWork``. While the session writes, one core
/// does all the work.
struct ObjectScanner {
  private let table: ClassTable
  private let blockCount: UInt64

  /// The number of objects below which a class is one block.
  static let smallestForBlocks = 8_192

  /// - Parameter blockCount: The number of blocks of a large class.
  init(_ table: ClassTable, blockCount: Int = 32) {
    self.table = table
    self.blockCount = UInt64(blockCount)
  }

  /// Runs a scan on all objects.
  func run<Scan: ObjectScan>(_ makeScan: () -> Scan) throws -> Scan {
    try table.session.requireOpen()
    let blocks = try blocks()
    var scans = blocks.map { _ in makeScan() }
    if blocks.count == 1 {
      try scan(blocks[0], QuerySource(table.session), &scans[0])
      return scans[0]
    }
    try unsafe scans.withUnsafeMutableBufferPointer { scans in
      // Safe: no other code uses the session until all cores are done. Each scan belongs to one
      // block, which one core takes.
      nonisolated(unsafe) let (scanner, scans) = unsafe (self, scans)
      let conversions = table.session.conversions?.source
      try SnapshotWork(table.session.view, environment).run(blocks.count) { number, view in
        // Two cores that write to neighbouring memory would wait for each other.
        var scan = unsafe scans[number]
        let source = QuerySource(view, conversions?.make())
        try unsafe scanner.scan(blocks[number], source, &scan)
        unsafe scans[number] = scan
      } taking: { _, _ in
      }
    }
    return Scan.joined(&scans)
  }

  /// Returns the ranges of object IDs of the blocks.
  private func blocks() throws -> [ClosedRange<UInt64>] {
    let view = table.session.view
    guard try view.count(table.objects) >= Self.smallestForBlocks,
      let first = try table.objectID(at: .first)?.rawValue,
      let last = try table.objectID(at: .last)?.rawValue, first < last
    else { return [0 ... .max] }
    let width = (last - first) / blockCount + 1
    return (first...last).pieces(blockCount, ofWidth: width)
  }

  private func scan<Scan: ObjectScan>(
    _ block: ClosedRange<UInt64>, _ source: QuerySource, _ scan: inout Scan
  ) throws {
    let cursor = try source.view.cursor(table.objects)
    var batch = EntryBatch()
    var first: UInt64? = block.lowerBound
    while try batch.fill(
      cursor, from: first, through: block.upperBound, touching: scan.firstOffset)
    {
      try table.session.checkInterruption()
      let sound = table.soundRecords(batch)
      for index in 0..<batch.count {
        let id = ObjectID(rawValue: batch.key(index))
        try scan.take(id, table.record(batch, index, sound, source), source)
      }
      first = nil
    }
    scan.finish()
  }
}

extension ClosedRange<UInt64> {
  /// Returns the first pieces of the range, up to a number of them. All but the last have the width.
  func pieces(_ count: UInt64, ofWidth width: UInt64) -> [ClosedRange<UInt64>] {
    (0..<count).compactMap { number in
      let (start, isBeyond) = lowerBound.addingReportingOverflow(number * width)
      guard !isBeyond, start <= upperBound else { return nil }
      let (end, ends) = start.addingReportingOverflow(width - 1)
      return start...(ends ? upperBound : Swift.min(end, upperBound))
    }
  }
}

// MARK: - Cores

extension ObjectScanner {
  /// The number of cores that a scan would use now.
  var coreCount: Int {
    get throws { SnapshotWork(table.session.view, environment).coreCount(try blocks().count) }
  }

  /// The environment of the file, or nil if other cores would not see what the session sees.
  private var environment: Environment? {
    let session = table.session
    return session.isWriting || table.isOfMigration ? nil : try? session.file.environment
  }
}
