internal import Foundation
internal import WhimbrelEngine

/// A load of a dump that ``StoreDump`` wrote into a new store.
///
/// ```swift
/// let load = StoreLoad(try .file(at: "zones.jsonl"), into: "zones.whimbrel")
/// try load.run()
/// ```
///
/// No file may exist at the store's path. The store is written under a temporary name beside it and
/// renamed when it is complete, so a failed load leaves nothing behind.
///
/// The lines of objects may stand in any order, and links may lead to objects that come later, by
/// primary key or by object ID. At the end every link must lead to an object, and every embedded
/// object must have exactly one owner. A missing value means the default of the property. The first
/// line counts the objects of each class, so a dump that was cut short is an error. If you remove
/// lines on purpose, remove `objects` from the first line.
public struct StoreLoad {
  private var source: DumpSource
  private let path: String
  private let monitor: WorkMonitor

  private static let verb = "load a dump into"
  /// The limit of objects per transaction.
  private static let batchCount = 10_000
  /// The limit of bytes of the dump per transaction.
  private static let batchSize = 4 << 20

  /// The size of the loaded store.
  public struct Summary: Hashable, Sendable {
    /// The number of classes.
    public let classes: Int
    /// The number of objects.
    public let objects: Int
  }

  /// Creates a load.
  ///
  /// - Parameters:
  ///   - source: The dump.
  ///   - path: The path of the new store.
  ///   - monitor: Receives the progress.
  public init(
    _ source: DumpSource, into path: String, monitor: WorkMonitor = .silent
  ) {
    self.source = source
    self.path = path
    self.monitor = monitor
  }

  /// Loads the dump.
  ///
  /// - Throws: ``InspectionError`` with `fileExists`, `badDump`, `incompleteDump`, `cannotRead` or
  ///   `cancelled`, and `StoreError` if the file cannot be created or the disk is full. Nothing is
  ///   left behind then.
  /// - Complexity: O(*n* log *n*). Memory: one line, one batch, and for a dump of version 2 or
  ///   later the primary keys that links may name, except integer keys that are the object IDs. A
  ///   dump with these keys is read twice; a pipe is first copied into a temporary file.
  @discardableResult
  public func run() throws -> Summary {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw InspectionError.fileExists(path, Self.verb)
    }
    let progress = LoadProgress(monitor, InspectionError.cancelled(path, Self.verb))
    var reader = LineReader(source) { try progress.update() }
    guard let first = try reader.next() else {
      throw InspectionError.badDump(source.name, line: nil, column: nil, "it is empty")
    }
    let (header, shape) = try locating(reader.lineNumber, first) {
      let header = try DumpHeader(line: first)
      return (header, try header.shape())
    }
    progress.expect(header)
    let builder = try makeStore(shape)
    let session = try builder.session()
    var keys = DumpKeys()
    // Errors name lines by the source that is read now.
    var load = self
    if DumpKeys.areNeeded(by: header, session.classes) {
      let copy = try repeatable(reader, first)
      var lines = LineReader(copy) { try progress.update() }
      _ = try lines.next()
      keys = try DumpKeys(&lines, session.classes) { try progress.update(lookedThrough: $0) }
      load.source = try copy.reopen?() ?? copy
      reader = LineReader(load.source) { try progress.update() }
      _ = try reader.next()
    }
    let summary = try load.fill(session, header, keys, &reader, progress)
    guard try builder.finish() else { throw InspectionError.fileExists(path, Self.verb) }
    return summary
  }

  private func makeStore(_ shape: StoreShape) throws -> StoreBuilder {
    do {
      return try StoreBuilder(path: path, shape: shape)
    } catch let error as StoreError where error.code == .invalidSchema {
      let problems = error.context.problems.map(\.withoutFullStop)
      throw source.badDump(
        line: 1, column: nil,
        "its schema is not valid: \(problems.joined(separator: "; "))")
    }
  }

  /// Returns a source that starts at the beginning of the dump. A source that can be read only once
  /// is copied into a temporary file.
  private func repeatable(_ reader: LineReader, _ first: [UInt8]) throws -> DumpSource {
    if let reopen = source.reopen { return try reopen() }
    return try RepeatableInput.Spool(
      reader.whole(beginningWith: first), monitor, orThrow: .cancelled(path, Self.verb)
    ).source()
  }

  private func fill(
    _ session: Session, _ header: DumpHeader, _ keys: DumpKeys, _ reader: inout LineReader,
    _ progress: LoadProgress
  ) throws -> Summary {
    // An embedded object may come before its owner. `firstOrphan` checks all of them at the end.
    session.checksOwners = false
    let values = ValueReader(session.classes, keys.resolver)
    let loaders = session.classes.map { table in
      ClassLoader(table, header.objectIDs.first { $0.className == table.name }, values, keys)
    }
    var objects = LoadedObjects(loaders)
    while true {
      let batch = try session.write { try loadBatch(into: &objects, &reader, progress) }
      if case .needsIndexes(let loader) = batch {
        try buildIndexes(of: objects.loadersInOrder(through: loader), progress)
      } else if case .last = batch {
        break
      }
    }
    try buildIndexes(of: objects.loadersInOrder, progress)
    for loader in loaders {
      if let expected = loader.header?.objects, expected != loader.count {
        throw InspectionError.incompleteDump(
          source.name, class: loader.table.name, expected: expected, found: loader.count)
      }
    }
    for loader in loaders { try check(loader.firstDanglingLink(), of: loader) }
    for loader in loaders { try check(loader.firstOrphan(), of: loader) }
    try session.write { for loader in loaders { try loader.setNextObjectID() } }
    return Summary(
      classes: loaders.count, objects: loaders.reduce(0) { $0 + $1.count })
  }

  /// The next step after a batch of lines.
  private enum Batch {
    case more, last
    /// The indexes of a class must be built before the next line.
    case needsIndexes(ClassLoader)
  }

  /// Loads one batch of lines.
  private func loadBatch(
    into objects: inout LoadedObjects, _ reader: inout LineReader, _ progress: LoadProgress
  ) throws -> Batch {
    var (lines, bytes) = (0, 0)
    do {
      while lines < Self.batchCount, bytes < Self.batchSize {
        guard let line = try reader.next() else { return .last }
        lines += 1
        bytes += line.count
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
        let (loader, outcome) = try locating(reader.lineNumber, line) {
          try objects.add(line, number: reader.lineNumber)
        }
        if outcome == .needsIndexes {
          reader.putBack(line)
          return .needsIndexes(loader)
        }
        progress.completed += 1
      }
      return .more
    } catch let error as InspectionError where error.code == .badDump {
      // A repetition in an earlier line is not known yet while objects are appended. Report it
      // first.
      for loader in objects.loadersInOrder { try check(loader.firstRepetition()) }
      throw error
    }
  }

  private func buildIndexes(of loaders: [ClassLoader], _ progress: LoadProgress) throws {
    for loader in loaders {
      let name = PlainText.escaped(loader.table.name)
      try check(
        loader.buildIndexes { try progress.update("Indexing \(name)", $0, of: $1) })
    }
  }

  private func check(_ repetition: ClassLoader.Repetition?) throws {
    guard let repetition else { return }
    throw InspectionError.badDump(
      source.name, line: repetition.line, column: repetition.column, repetition.reason)
  }

  private func check(_ problem: ClassLoader.Problem?, of loader: ClassLoader) throws {
    guard let problem else { return }
    throw source.badDump(line: try loader.line(of: problem.id), column: nil, problem.reason)
  }

  /// Runs `body`, and adds the line and column to its problems.
  private func locating<Result>(
    _ number: Int, _ line: [UInt8], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let problem as JSONProblem {
      throw source.badDump(line: number, column: problem.column(in: line), problem.reason)
    }
  }
}
