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
/// that follow; in the end each has to lead to an object, and to each embedded
/// object exactly one. A value that is left out is the property's default. The first
/// line counts the objects of each class, so that a dump that was cut short is
/// an error; who takes lines out on purpose takes `objects` out of that line.
public struct StoreLoad {
  private let source: DumpSource
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
  /// - Complexity: O(*n* log *n*), in memory for one line and one batch.
  @discardableResult
  public func run() throws -> Summary {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw InspectionError.fileExists(path, Self.verb)
    }
    var reader = LineReader(source) {
      try monitor.update(
        "Loading", 0, of: nil, orThrow: InspectionError.cancelled(path, Self.verb))
    }
    guard let first = try reader.next() else {
      throw InspectionError.badDump(source.name, line: nil, column: nil, "it is empty")
    }
    let (header, shape) = try locating(reader.lineNumber, first) {
      let header = try DumpHeader(line: first)
      return (header, try header.shape())
    }
    let loading = try makeStore(shape)
    let summary = try fill(loading, header, &reader)
    guard try loading.finish() else { throw InspectionError.fileExists(path, Self.verb) }
    return summary
  }

  private func makeStore(_ shape: StoreShape) throws -> StoreLoading {
    do {
      return try StoreLoading(path: path, shape: shape)
    } catch let error as StoreError where error.code == .invalidSchema {
      let problems = error.context.problems.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
      throw source.badDump(
        line: 1, column: nil,
        "its schema is not valid: \(problems.joined(separator: "; "))")
    }
  }

  private func fill(
    _ loading: StoreLoading, _ header: DumpHeader, _ reader: inout LineReader
  ) throws -> Summary {
    let session = try loading.session()
    // A line may be that of an embedded object whose owner comes later; all are looked at in
    // the end.
    session.checksOwners = false
    let values = ValueReader(session.classes)
    let loaders = session.classes.map { table in
      ClassLoader(table, header.objectIDs.first { $0.className == table.name }, values)
    }
    let byName = Dictionary(
      loaders.map { ($0.table.name, $0) }, uniquingKeysWith: { first, _ in first })
    var isMore = true
    while isMore {
      isMore = try session.write { try loadBatch(into: byName, &reader) }
    }
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

  /// Loads some lines, and returns whether there may be more.
  private func loadBatch(
    into loaders: [String: ClassLoader], _ reader: inout LineReader
  ) throws -> Bool {
    var (lines, bytes) = (0, 0)
    while lines < Self.batchCount, bytes < Self.batchSize {
      guard let line = try reader.next() else { return false }
      lines += 1
      bytes += line.count
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      try locating(reader.lineNumber, line) { try load(line, reader.lineNumber, into: loaders) }
    }
    return true
  }

  private func load(
    _ line: [UInt8], _ number: Int, into loaders: [String: ClassLoader]
  ) throws {
    let node = try JSONParser.parse(line)
    guard case .object(let members) = node.content else {
      throw JSONProblem(node.offset, "an object should be here, and not \(node.kind)")
    }
    for member in members where !["class", "id", "values"].contains(member.name) {
      throw JSONProblem(
        member.offset, "an object's line has no \(PlainText.quoted(member.name))")
    }
    func member(_ name: String) throws -> JSONNode {
      let found = members.filter { $0.name == name }
      guard let first = found.first, found.count == 1 else {
        throw JSONProblem(node.offset, "'\(name)' is \(found.isEmpty ? "missing" : "there twice")")
      }
      return first.value
    }
    let className = try member("class")
    guard case .string(let name) = className.content, let loader = loaders[name] else {
      throw JSONProblem(className.offset, "the first line has no such class")
    }
    let idNode = try member("id")
    guard let id = ObjectID(idNode) else {
      throw JSONProblem(idNode.offset, "'id' should be a whole number from 0 to \(UInt64.max)")
    }
    try loader.add(id, member("values"), line: number, offset: idNode.offset)
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
