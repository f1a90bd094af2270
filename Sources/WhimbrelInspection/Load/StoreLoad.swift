internal import Foundation
internal import WhimbrelEngine

/// Makes a store from a dump that ``StoreDump`` wrote.
///
/// ```swift
/// let load = StoreLoad(try .file(at: "zones.jsonl"), into: "zones.whimbrel")
/// try load.run()
/// ```
///
/// There must be no file at the store's path. The store is made under a
/// temporary name beside it and gets its own when it is complete, so a load that
/// fails leaves nothing.
///
/// The lines of objects may stand in any order, and links may lead to objects
/// that follow, by primary key or by ID; in the end each has to lead to an object, and to each embedded
/// object exactly one. A value that is left out is the property's default. The first
/// line counts the objects of each class, so that a dump that was cut short is
/// an error; who takes lines out on purpose takes `objects` out of that line.
public struct StoreLoad {
  private var source: DumpSource
  private let path: String
  private let monitor: WorkMonitor

  private static let verb = "load a dump into"
  /// How many objects are written before a commit.
  private static let batchCount = 10_000
  /// How many bytes of the dump are read before a commit.
  private static let batchSize = 4 << 20

  /// What has been loaded.
  public struct Summary: Hashable, Sendable {
    /// How many classes the store has.
    public let classes: Int
    /// How many objects the store has.
    public let objects: Int
  }

  /// - Parameters:
  ///   - source: where the dump is.
  ///   - path: where the store is to be.
  ///   - monitor: is told how far it is.
  public init(
    _ source: DumpSource, into path: String, monitor: WorkMonitor = .silent
  ) {
    self.source = source
    self.path = path
    self.monitor = monitor
  }

  /// Makes the store.
  ///
  /// - Throws: ``InspectionError`` with `fileExists`, `badDump`, `incompleteDump`,
  ///   `cannotRead` or `cancelled`, and `StoreError` when the file cannot be made or the disk
  ///   is full. Nothing is left then.
  /// - Complexity: O(*n* log *n*), in memory for one line, one batch, and the primary keys of
  ///   objects that links of a dump from version 2 on may name, but for integer keys that object IDs
  ///   are made of. Such a dump is read twice, from a temporary copy if it comes from a pipe.
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
    // Errors say where a line stands in what is being read.
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
      let problems = error.context.problems.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
      throw source.badDump(
        line: 1, column: nil,
        "its schema is not valid: \(problems.joined(separator: "; "))")
    }
  }

  /// The dump once more, from its beginning; what can be read but once is copied into a temporary
  /// file.
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
    // A line may be that of an embedded object whose owner comes later; all are looked at in
    // the end.
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

  /// What is to be done after a batch of lines.
  private enum Batch {
    case more, last
    /// The indexes of a class are to be built before the next line.
    case needsIndexes(ClassLoader)
  }

  /// Loads some lines.
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
      // What is wrong in a line before is told instead.
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

  /// Adds the place to a problem of a line.
  private func locating<Result>(
    _ number: Int, _ line: [UInt8], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let problem as JSONProblem {
      let before = String(decoding: line.prefix(problem.offset), as: UTF8.self)
      throw source.badDump(line: number, column: before.count + 1, problem.reason)
    }
  }
}
