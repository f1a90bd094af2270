internal import Foundation
internal import Synchronization
internal import WhimbrelLMDB

/// Goes through all objects of a class, on several cores where that pays.
///
/// The class is cut into blocks by object ID, the same whatever the number of cores; each
/// is looked at by one core, and what they find is put together in their order.
///
/// A core reads in a snapshot of its own, since LMDB's are not for two threads. It is of the
/// same commit as that of the session: a snapshot has the number of the commit that it
/// shows, which is never given twice. Where another commit came between, or while the
/// session writes, one core does it all.
struct ObjectScanner {
  private let table: ClassTable

  /// Classes with fewer objects are one block.
  static let smallestForBlocks = 8_192
  private static let blockCount: UInt64 = 32
  /// More cores than this wait for memory, not for each other.
  private static let coreLimit = 8

  init(_ table: ClassTable) { self.table = table }

  /// Runs a scan on all objects.
  func run<Scan: ObjectScan>(_ makeScan: () -> Scan) throws -> Scan {
    try table.session.requireOpen()
    let blocks = try blocks()
    var scans = blocks.map { _ in makeScan() }
    let views = blocks.count > 1 ? snapshots() : []
    if views.isEmpty {
      let source = QuerySource(table.session.view)
      for (number, block) in blocks.enumerated() {
        try scan(block, source, &scans[number])
      }
    } else {
      try runOnCores(blocks, &scans, views)
    }
    return scans.dropFirst().reduce(into: scans[0]) { $0.append($1) }
  }

  /// The IDs of the blocks.
  private func blocks() throws -> [ClosedRange<UInt64>] {
    let view = table.session.view
    guard try view.count(table.objects) >= Self.smallestForBlocks,
      let first = try table.objectID(at: .first)?.rawValue,
      let last = try table.objectID(at: .last)?.rawValue, first < last
    else { return [0 ... .max] }
    let width = (last - first) / Self.blockCount + 1
    return (0..<Self.blockCount).compactMap { number in
      let (start, isBeyond) = first.addingReportingOverflow(number * width)
      guard !isBeyond, start <= last else { return nil }
      let (end, ends) = start.addingReportingOverflow(width - 1)
      return start...(ends ? last : min(end, last))
    }
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
      for index in 0..<batch.count {
        try scan.take(ObjectID(rawValue: batch.key(index)), batch.value(index), source)
      }
      first = nil
    }
  }
}

// MARK: - Cores

extension ObjectScanner {
  /// How many cores work on a scan as things stand.
  var coreCount: Int {
    get throws { try blocks().count > 1 ? snapshots().count + 1 : 1 }
  }

  /// Snapshots for the other cores, of the commit that the session shows; none when there
  /// are no others.
  private func snapshots() -> [Snapshot] {
    let session = table.session
    let cores = min(ProcessInfo.processInfo.activeProcessorCount, Self.coreLimit)
    guard cores > 1, !session.isWriting, !table.isOfMigration else { return [] }
    var snapshots: [Snapshot] = []
    guard let environment = try? session.file.environment else { return [] }
    for _ in 1..<cores {
      guard let snapshot = try? Snapshot(environment),
        snapshot.view.transactionID == session.view.transactionID
      else { return [] }
      snapshots.append(snapshot)
    }
    return snapshots
  }

  private func runOnCores<Scan: ObjectScan>(
    _ blocks: [ClosedRange<UInt64>], _ scans: inout [Scan], _ snapshots: [Snapshot]
  ) throws {
    let sources = [QuerySource(table.session.view)] + snapshots.map { QuerySource($0.view) }
    let next = Atomic(0)
    let failure = Mutex<(any Error)?>(nil)
    try unsafe scans.withUnsafeMutableBufferPointer { scans in
      // Safe: each core has its own source, and nobody touches the session until all are done.
      nonisolated(unsafe) let (scanner, sources) = (self, sources)
      // Safe: each block is taken once, by one core.
      nonisolated(unsafe) let scans = unsafe scans
      unsafe DispatchQueue.concurrentPerform(iterations: sources.count) { core in
        while true {
          let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard number < blocks.count else { return }
          do {
            // Two cores that write to neighbouring memory would wait for each other.
            var scan = unsafe scans[number]
            try unsafe scanner.scan(blocks[number], sources[core], &scan)
            unsafe scans[number] = scan
          } catch {
            failure.withLock { $0 = $0 ?? error }
            return
          }
        }
      }
      if let error = failure.withLock({ $0 }) { throw error }
    }
    withExtendedLifetime(snapshots) {}
  }

  /// A snapshot that one core reads.
  private final class Snapshot {
    private let transaction: ReadTransaction
    var view: ReadView { transaction.view }

    init(_ environment: Environment) throws {
      transaction = try ReadTransaction(environment)
    }
  }
}
