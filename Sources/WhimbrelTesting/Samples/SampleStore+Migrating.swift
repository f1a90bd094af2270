internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension SampleStore {
  /// Opens a copy of the file as the app does, and passes the migrated store to `body`.
  ///
  /// ```swift
  /// try SampleStore("Zones.v1", in: .module).migrate(with: .zones(url: anywhere)) { store in
  ///   store.expectCount(of: Zone.self, 312)
  /// }
  /// ```
  ///
  /// The test fails at the line of the call if the file does not open, if it does not have
  /// the configuration's schema version afterwards, if a rule cannot convert an object or
  /// leaves a required property unset, so that its old value is lost, or if the integrity check
  /// after `body` finds a problem in records, layouts, indexes, keys or links. The objects of an
  /// online migration are converted in memory in `body`, and stored converted before the check.
  ///
  /// `body` may close the store.
  ///
  /// The copy is removed afterwards. If something fails here, the copy stays and the message
  /// says where it is; in Swift Testing it also becomes an attachment. The trait
  /// `.keepsStores` does the same for expectations that fail in `body`.
  ///
  /// - Parameters:
  ///   - configuration: The app's own configuration. Its URL, backup, seed, fresh start and
  ///     compaction are not used.
  ///   - body: Checks the store. It is not called if the file does not open.
  ///   - fileID: The module and file of the test, for its failures.
  ///   - filePath: The path of that file.
  ///   - line: The line in it.
  ///   - column: The column in that line.
  /// - Throws: what `body` throws, or an error of the file system.
  public func migrate(
    with configuration: Store.Configuration, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: (Store) throws -> Void = { _ in }
  ) throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let copy = try copy()
    KeptStores.current?.add(copy)
    let store: Store
    do {
      store = try Store.opened(configuration.at(copy.url))
    } catch {
      return fail(
        "it does not open with version \(configuration.schemaVersion): \(error)", copy, place)
    }
    if store.schemaVersion != configuration.schemaVersion {
      let reason = configuration.isReadOnly ? " A read-only store is not migrated." : ""
      fail(
        "it has version \(store.schemaVersion) after the migration, not "
          + "\(configuration.schemaVersion).\(reason)", copy, place)
    }
    do {
      try body(store)
    } catch {
      copy.keepAsAttachment()
      throw error
    }
    do {
      let open = store.session.isClosed ? try Store.opened(configuration.at(copy.url)) : store
      if let problem = try open.convertAll() { fail(problem, copy, place) }
    } catch {
      return fail("its objects are not all converted: \(error)", copy, place)
    }
    for problem in try integrityProblems(of: copy).prefix(5) { fail(problem, copy, place) }
  }

  /// Fails the test and keeps the copy.
  func fail(_ problem: String, _ copy: TemporaryStoreFile, _ place: TestPlace) {
    copy.keepAsAttachment()
    place.fail("Sample store '\(name)': \(problem) The store is at '\(copy.url.path)'.")
  }
}
