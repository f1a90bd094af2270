internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Changes objects of a store without the app that wrote it: all in one transaction, or nothing.
///
/// ```swift
/// let edit = StoreEdit(
///   path: "zones.whimbrel",
///   [.set(class: "Zone", .named(["Europe/Paris"]), .texts(["latitude=48.8667"]))])
/// try edit.run(.preview) { print($0.text, terminator: "") }
/// try edit.run(.write(backup: nil)) { _ in }
/// ```
///
/// What would change is found by changing it and taking that back, so that a preview says what
/// would be done to the last detail, and fails where that would fail. It needs the right to write
/// the file; it waits for others who write, and they wait for it.
///
/// Values are checked as those of an app are: required values, types, cases of enums, unique
/// values, links that lead somewhere. A primary key cannot be changed. Embedded objects are added as
/// parts of the JSON of their owners only. Default values that only the app's code can make, as
/// `UUID()`, have to be given.
///
/// A file of an older format than the library writes is refused: only opening it with an app
/// upgrades it. So are all while a migration goes on.
public struct StoreEdit {
  private let path: String
  private let operations: [Operation]
  private let monitor: WorkMonitor

  /// One thing to do.
  public enum Operation: Hashable, Sendable {
    /// Gives properties of objects values.
    case set(class: String, Objects, Values)
    /// Adds an object, with defaults for what is not given.
    case add(class: String, Values)
    /// Adds an object given as JSON, which stands in a line of an input with a name. Errors name
    /// both.
    case addRecord(class: String, json: String, line: Int, of: String)
    /// Removes objects, and the embedded objects that belong to them. Links to them become nil, and
    /// collections lose them.
    case remove(class: String, Objects)
  }

  /// Objects of a class.
  public enum Objects: Hashable, Sendable {
    /// Those with these names: primary keys, or object IDs as `id:17`.
    case named([String])
    /// Those that a query finds, as `latitude > 60`; all if it is empty.
    case query(String)
  }

  /// Values of properties.
  public enum Values: Hashable, Sendable {
    /// Texts as `latitude=48.87`. Text is itself, `null` is nil where there may be nil, a link is
    /// the name of an object, and collections are JSON.
    case texts([String])
    /// An object of JSON with values as in a dump. A link may be the name of an object too, and an
    /// embedded object an object of its properties, which is added.
    case json(String)
  }

  /// Whether something is done.
  public enum Mode: Hashable, Sendable {
    /// Nothing is written.
    case preview
    /// Everything is written. If there is a path, at which nothing may be yet, a copy of the store as
    /// it was before is made there.
    case write(backup: String?)
  }

  /// What was done, or would be.
  public struct Summary: Hashable, Sendable {
    /// How many objects were added, without those that are embedded.
    public internal(set) var added = 0
    /// How many objects were removed, without those that are embedded in others.
    public internal(set) var removed = 0
    /// How many objects got other values; links that became nil do not count.
    public internal(set) var changed = 0
    /// How many objects had the values given already.
    public internal(set) var same = 0
  }

  /// - Parameters:
  ///   - path: where the store is.
  ///   - operations: what to do, one after the other.
  public init(path: String, _ operations: [Operation], monitor: WorkMonitor = .silent) {
    self.path = path
    self.operations = operations
    self.monitor = monitor
  }

  /// Does it, or finds out what would be done.
  ///
  /// - Parameter report: is given each object that is added, changed or removed, before anything is
  ///   written; when it throws, nothing is.
  /// - Throws: ``InspectionError`` with `badArgument`, `noSuchObject`, `formatTooOld`,
  ///   `embeddedAlone`, `badImport` or `cancelled`, and `StoreError` for what the store refuses. Nothing is
  ///   changed then.
  /// - Complexity: O(*m* log *n*) for *m* objects that are changed, in memory for their IDs and for
  ///   the pages that one transaction writes.
  @discardableResult
  public func run(_ mode: Mode, _ report: (EditedObject) throws -> Void) throws -> Summary {
    let trace = LockFileTrace(path: path)
    defer { if mode == .preview { trace.remove() } }
    var request = OpenRequest(path: path)
    request.checksPages = true
    return try run(mode, Session(StoreFile.attach(request)), report)
  }

  private func run(
    _ mode: Mode, _ session: Session, _ report: (EditedObject) throws -> Void
  ) throws -> Summary {
    defer { session.close() }
    let format = session.loaded.header.formatVersion
    guard format >= Header.baseFormat else {
      throw InspectionError.formatTooOld(path, format: Int(format))
    }
    if case .write(let backup?) = mode { try copy(session, to: backup) }
    var summary = Summary()
    do {
      try monitor.write(session) {
        var run = EditRun(session, path, monitor)
        for operation in operations { try run.perform(operation, report) }
        summary = run.summary
        if mode == .preview { throw Preview() }
      }
    } catch is Preview {
    } catch {
      // A copy of what was not changed would be in the way of the next try.
      if case .write(let backup?) = mode { try? FileManager.default.removeItem(atPath: backup) }
      throw error
    }
    return summary
  }

  private func copy(_ session: Session, to backup: String) throws {
    do {
      try session.file.writeCopy(asNew: backup)
    } catch let error as StoreError {
      throw InspectionError.cannotBackUp(path, to: backup, error)
    }
  }

  /// Takes back what was done.
  private struct Preview: Error {}
}
