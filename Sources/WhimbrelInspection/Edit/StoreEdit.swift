internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// An edit of objects in a store without the app that wrote it. All operations happen in one
/// transaction: either all of them take effect or none does.
///
/// ```swift
/// let edit = StoreEdit(
///   path: "zones.whimbrel",
///   [.set(class: "Zone", .named(["Europe/Paris"]), .texts(["latitude=48.8667"]))])
/// try edit.run(.preview) { print($0.text, terminator: "") }
/// try edit.run(.write(backup: nil)) { _ in }
/// ```
///
/// A preview performs the operations and rolls back. It therefore reports exactly what a write
/// would do, and fails where a write would fail. It needs write access to the file, waits for other
/// writers, and makes them wait.
///
/// The store checks values as it checks those of an app: required values, types, cases of enums,
/// unique values, targets of links. A primary key cannot change. Embedded objects are added only
/// inside the JSON of their owners. Default values that the app's code computes, such as `UUID()`,
/// must be given.
///
/// An edit refuses a file of an older format, because only opening it with an app upgrades it. It
/// refuses every file while a migration runs.
public struct StoreEdit {
  private let path: String
  private let content: Content
  private let discardsDamagedValues: Bool
  private let maximumSize: Int?
  private let monitor: WorkMonitor

  private enum Content {
    case operations([Operation])
    /// An earlier edit is taken back.
    case reversal(EditReversal)
  }

  /// One operation of an edit.
  public enum Operation: Hashable, Sendable {
    /// Sets properties of objects.
    case set(class: String, Objects, Values)
    /// Adds an object. Properties without a value get their defaults.
    case add(class: String, Values)
    /// Adds an object from JSON text. Errors name the input and the line that hold the text.
    case addRecord(class: String, json: String, line: Int, of: String)
    /// Removes objects and their embedded objects. Links to them become nil, and collections lose
    /// the elements.
    case remove(class: String, Objects)
  }

  /// A choice of objects of a class.
  public enum Objects: Hashable, Sendable {
    /// The objects with these names: primary keys, or object IDs such as `id:17`.
    case named([String])
    /// The objects that match a query such as `latitude > 60`. An empty query matches all.
    case query(String)
  }

  /// Values for properties.
  public enum Values: Hashable, Sendable {
    /// Texts such as `latitude=48.87`. A string is written as it is, nil is `null` if the property
    /// may be nil, a link is the name of an object, and a collection is JSON.
    case texts([String])
    /// A JSON object with values as in a dump. A link may also be the name of an object. An
    /// embedded object may be a JSON object with its properties, and is then added.
    case json(String)
  }

  /// The choice of whether the edit is written.
  public enum Mode: Hashable, Sendable {
    /// Nothing is written.
    case preview
    /// The changes are written. If `backup` is a path, at which no file may exist, the unchanged
    /// store is copied there first.
    case write(backup: String?)
  }

  /// The number of objects that an edit concerns, or would concern.
  public struct Summary: Hashable, Sendable {
    /// The number of added objects, without embedded objects.
    public internal(set) var added = 0
    /// The number of removed objects, without the embedded objects that go with their owners.
    public internal(set) var removed = 0
    /// The number of objects with new values, without those whose links became nil.
    public internal(set) var changed = 0
    /// The number of objects that had the given values already.
    public internal(set) var same = 0
    /// Whether the edit can be taken back. Always false for ``StoreEdit/run(_:_:)``: see
    /// ``StoreEdit/runReversibly(_:objectLimit:confirm:_:)``.
    package internal(set) var isReversible = false
  }

  /// Creates an edit.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - operations: The operations, in order.
  ///   - discardsDamagedValues: Whether objects that ``Operation/set(class:_:_:)`` names may be
  ///     damaged. Such an object is rewritten with the values that can still be read, although its
  ///     checksum does not confirm them. All others become nil or the default, and
  ///     ``EditedObject/Effect/discards(property:)`` names them. The default is to refuse a change
  ///     of a damaged object.
  ///   - monitor: Receives the progress, and can cancel.
  public init(
    path: String, _ operations: [Operation], discardsDamagedValues: Bool = false,
    monitor: WorkMonitor = .silent
  ) {
    self.init(
      path: path, operations, discardsDamagedValues: discardsDamagedValues, maximumSize: nil,
      monitor: monitor)
  }

  /// - Parameter maximumSize: The size of the map at the beginning, or nil for the default.
  package init(
    path: String, _ operations: [Operation], discardsDamagedValues: Bool = false,
    maximumSize: Int?, monitor: WorkMonitor = .silent
  ) {
    self.path = path
    content = .operations(operations)
    self.discardsDamagedValues = discardsDamagedValues
    self.maximumSize = maximumSize
    self.monitor = monitor
  }

  /// Creates an edit that takes an earlier one back.
  ///
  /// Running it throws ``InspectionError`` with `changedMeanwhile` if an object has changed since
  /// the earlier edit. It throws `StoreError` with `duplicateValues` or `duplicatePrimaryKey` if
  /// another object now has a value that must be restored.
  package init(
    path: String, takingBack reversal: EditReversal, monitor: WorkMonitor = .silent
  ) {
    self.path = path
    content = .reversal(reversal)
    discardsDamagedValues = false
    maximumSize = nil
    self.monitor = monitor
  }

  /// Performs the edit, or previews it.
  ///
  /// - Parameters:
  ///   - mode: Whether to write the changes.
  ///   - report: Receives each object that is added, changed or removed, before anything is
  ///     written. If it throws, nothing is written.
  /// - Returns: The number of objects concerned.
  /// - Throws: ``InspectionError`` with `badArgument`, `noSuchObject`, `formatTooOld`,
  ///   `embeddedAlone`, `badImport` or `cancelled`, and `StoreError` if the store refuses a change.
  ///   Nothing has changed then.
  /// - Complexity: O(*m* log *n*) for *m* changed objects. Memory: their IDs, and the pages that
  ///   one transaction writes.
  @discardableResult
  public func run(_ mode: Mode, _ report: (EditedObject) throws -> Void) throws -> Summary {
    try run(mode, recordingUpTo: nil, report).summary
  }

  /// Performs the edit, or previews it, and returns its reversal.
  ///
  /// There is no reversal of an edit that concerns very many objects, discards damaged values, or
  /// concerns objects that an online migration has not yet converted. The summary of a preview
  /// tells whether a write would have a reversal.
  ///
  /// - Parameters:
  ///   - mode: As for ``run(_:_:)``.
  ///   - objectLimit: The limit of objects that the reversal keeps. The default is 10,000.
  ///   - confirm: A closure that is called after the last report, before anything is written. If it
  ///     throws, nothing is written.
  ///   - report: As for ``run(_:_:)``.
  /// - Returns: The number of objects concerned, and the reversal. The reversal is nil after a
  ///   preview, or if there is none.
  /// - Throws: As ``run(_:_:)``.
  package func runReversibly(
    _ mode: Mode, objectLimit: Int = EditReversal.objectLimit,
    confirm: () throws -> Void = {}, _ report: (EditedObject) throws -> Void
  ) throws -> (summary: Summary, reversal: EditReversal?) {
    try run(mode, recordingUpTo: objectLimit, confirm: confirm, report)
  }

  private func run(
    _ mode: Mode, recordingUpTo objectLimit: Int?, confirm: () throws -> Void = {},
    _ report: (EditedObject) throws -> Void
  ) throws -> (summary: Summary, reversal: EditReversal?) {
    let trace = LockFileTrace(path: path)
    defer { if mode == .preview { trace.remove() } }
    var request = OpenRequest(path: path)
    request.file.checks = .allPages
    request.file.maximumSize = maximumSize
    if mode != .preview {
      TemporaryFiles(path: Environment.resolve(path) ?? path).removeLeftovers()
    }
    let session = try Session(StoreFile.attach(request))
    // Objects may exchange values.
    session.checksUniqueAtEnd = true
    return try run(mode, session, recordingUpTo: objectLimit, confirm, report)
  }

  private func run(
    _ mode: Mode, _ session: Session, recordingUpTo objectLimit: Int?,
    _ confirm: () throws -> Void, _ report: (EditedObject) throws -> Void
  ) throws -> (summary: Summary, reversal: EditReversal?) {
    defer { session.close() }
    let format = session.loaded.header.formatVersion
    // An earlier library does not maintain the data that a later format added.
    guard format >= Header.formatWithGuardedIndexes else {
      throw InspectionError.formatTooOld(path, format: Int(format))
    }
    if case .write(let backup?) = mode { try copy(session, to: backup) }
    do {
      return try perform(mode, session, recordingUpTo: objectLimit, confirm, report)
    } catch {
      // The store has not changed. A left-over backup would make the next attempt fail.
      if case .write(let backup?) = mode { try? FileManager.default.removeItem(atPath: backup) }
      throw error
    }
  }

  /// Performs the operations. Repeats them if the map was too small: the failed write has enlarged
  /// it. Objects that were reported already are not reported again.
  private func perform(
    _ mode: Mode, _ session: Session, recordingUpTo objectLimit: Int?,
    _ confirm: () throws -> Void, _ report: (EditedObject) throws -> Void
  ) throws -> (summary: Summary, reversal: EditReversal?) {
    var reported = 0
    return try StoreError.retryingWhenFull {
      var count = 0
      return try attempt(mode, session, recordingUpTo: objectLimit, confirm) { object in
        count += 1
        guard count > reported else { return }
        reported = count
        try report(object)
      }
    }
  }

  private func attempt(
    _ mode: Mode, _ session: Session, recordingUpTo objectLimit: Int?,
    _ confirm: () throws -> Void, _ report: (EditedObject) throws -> Void
  ) throws -> (summary: Summary, reversal: EditReversal?) {
    var summary = Summary()
    var made: EditReversal?
    do {
      try monitor.write(session) {
        var run = EditRun(
          session, path, monitor, discardsDamagedValues: discardsDamagedValues,
          recorder: objectLimit.map { ReversalRecorder(session, objectLimit: $0) })
        switch content {
        case .operations(let operations):
          for operation in operations { try run.perform(operation, report) }
          made = try run.recorder?.finish()
        case .reversal(let reversal):
          try run.reverse(reversal, report)
          made = reversal.inverse
        }
        try session.requireUniqueValues()
        try confirm()
        summary = run.summary
        summary.isReversible = objectLimit != nil && made != nil
        if mode == .preview { throw Preview() }
      }
    } catch is Preview {}
    return (summary, mode == .preview ? nil : made)
  }

  private func copy(_ session: Session, to backup: String) throws {
    do {
      try session.file.writeCopy(asNew: backup)
    } catch let error as StoreError {
      throw InspectionError.cannotBackUp(path, to: backup, error)
    }
  }

  /// An error that rolls back the transaction of a preview.
  private struct Preview: Error {}
}
