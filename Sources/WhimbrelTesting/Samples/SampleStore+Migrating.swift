internal import Foundation
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension SampleStore {
  /// Opens a copy of the file as the app does, and looks at what has become of it.
  ///
  /// ```swift
  /// try SampleStore("Zones.v1", in: .module).migrate(with: .zones(url: anywhere)) { store in
  ///   store.expectCount(of: Zone.self, 312)
  /// }
  /// ```
  ///
  /// The test fails, at the line of the call, when the file does not open, when it does not have
  /// the configuration's schema version then, and when anything in it does not agree after
  /// `body`: records, layouts, indexes, keys and links. The copy goes away; if something failed here
  /// it stays, the message says where, and in Swift Testing it is an attachment too. The trait
  /// `.keepsStores` does that for expectations that fail in `body`.
  ///
  /// - Parameters:
  ///   - configuration: the app's own; its URL is not used.
  ///   - body: looks at the store. It is not called when the file does not open.
  ///   - fileID: the module and file of the test, for its failures.
  ///   - filePath: the path of that file.
  ///   - line: the line in it.
  ///   - column: the column in that line.
  /// - Throws: what `body` throws.
  public func migrate(
    with configuration: Store.Configuration, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    _ body: (Store) throws -> Void = { _ in }
  ) throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let copy = try copy()
    KeptStores.current?.add(copy)
    var configuration = configuration
    configuration.url = copy.url
    let store: Store
    do {
      store = try Store(configuration)
    } catch {
      return fail(
        "it does not open with version \(configuration.schemaVersion): \(error)", copy, place)
    }
    if store.schemaVersion != configuration.schemaVersion {
      fail(
        "it has version \(store.schemaVersion) after the migration, and not "
          + "\(configuration.schemaVersion)", copy, place)
    }
    do {
      try body(store)
    } catch {
      copy.keepAsAttachment()
      throw error
    }
    for problem in try integrityProblems(of: copy).prefix(5) { fail(problem, copy, place) }
  }

  /// Makes the test fail, and keeps the copy.
  func fail(_ problem: String, _ copy: TemporaryStoreFile, _ place: TestPlace) {
    copy.keepAsAttachment()
    place.fail("Sample store '\(name)': \(problem) The store is at '\(copy.url.path)'.")
  }
}
