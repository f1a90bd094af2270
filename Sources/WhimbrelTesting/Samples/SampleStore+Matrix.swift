internal import Foundation
internal import Synchronization
public import Whimbrel
internal import WhimbrelEngine
internal import WhimbrelInspection

extension SampleStore {
  /// Expects everything that must hold for any migration, on a copy of the file:
  ///
  /// - The file opens with the configuration, and passes the integrity check afterwards. Rules
  ///   convert all objects and leave no required property unset.
  /// - Opening it again calls no migration block and changes no byte.
  /// - Its schema is that of a new store.
  /// - If `releases` is given, migrating through each release in turn leads to the same
  ///   objects as migrating at once.
  ///
  /// With one test case for each sample store, this covers every version that users may
  /// have:
  ///
  /// ```swift
  /// @Test(arguments: try SampleStore.all(in: .module))
  /// func `a store of any release becomes one of this`(sample: SampleStore) throws {
  ///   try sample.expectMigration(with: .zones(url: sample.url), after: Releases.all)
  /// }
  /// ```
  ///
  /// A property that the file lacks may have a default that differs each time, such as
  /// `Date()` or `UUID()`. Its values are not compared. If it is a primary key, the objects
  /// of its class are only counted, and links to them are not compared.
  ///
  /// Objects without a primary key are paired by their object IDs. If the migration creates such
  /// objects, create them in the same order in both ways, or name their properties and the links
  /// to them in `ignoring`.
  ///
  /// - Parameters:
  ///   - configuration: The app's own configuration. Its URL, backup, seed, fresh start and
  ///     compaction are not used.
  ///   - releases: The earlier releases, oldest first. Each has its frozen models and the
  ///     migration from the release before it. Only releases with a higher version than
  ///     the file are used.
  ///   - properties: Properties that may differ between the two ways, such as
  ///     `Zone.comments`, because the migration generates their values. If it is a primary
  ///     key, the objects of its class are only counted. The default is none.
  ///   - fileID: The module and file of the test, for its failures.
  ///   - filePath: The path of that file.
  ///   - line: The line in it.
  ///   - column: The column in that line.
  /// - Throws: an error of the file system.
  public func expectMigration(
    with configuration: Store.Configuration, after releases: [Store.Configuration] = [],
    ignoring properties: [String] = [], fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) throws {
    let place = TestPlace(fileID: fileID, filePath: filePath, line: line, column: column)
    let copy = try copy()
    KeptStores.current?.add(copy)
    do {
      let store = try Store.opened(configuration.at(copy.url))
      if let problem = try store.convertAll() { fail(problem, copy, place) }
      let new = try TemporaryStoreFile()
      var writing = configuration.at(new.url)
      // A read-only store is not created.
      writing.isReadOnly = false
      let fresh = try Store(writing)
      let changes = SchemaDifference(from: fresh.schema, to: store.schema).changes
      if store.schema != fresh.schema {
        let list = changes.map { "\n  - \($0)" }.joined()
        fail("it does not have the schema of a new store.\(list)\n", copy, place)
      }
    } catch {
      return fail("it does not migrate: \(error)", copy, place)
    }
    for problem in try integrityProblems(of: copy).prefix(5) { fail(problem, copy, place) }
    if let problem = try problemOfOpeningAgain(copy, configuration) { fail(problem, copy, place) }
    let earlier = releases.filter { $0.schemaVersion > schemaVersion }
    if earlier.isEmpty { return }
    do {
      let omissions = try ComparisonOmissions(from: self.url, configuration, properties)
      try compare(copy, with: earlier + [configuration], omissions, place)
    } catch {
      fail("\(error)", copy, place)
    }
  }

  private func problemOfOpeningAgain(
    _ copy: TemporaryStoreFile, _ configuration: Store.Configuration
  ) throws -> String? {
    let before = try Data(contentsOf: copy.url)
    let calls = Atomic(0)
    var again = configuration.at(copy.url)
    let block: MigrationBlock = { _, _ in calls.add(1, ordering: .relaxed) }
    if let online = again.onlineMigration {
      again.onlineMigration = .online(online.rules, otherwise: block)
    } else if again.migrationSteps == nil {
      again.migration = block
    }
    _ = try Store(again)
    if calls.load(ordering: .relaxed) > 0 { return "opening it again migrates it again." }
    return try Data(contentsOf: copy.url) == before ? nil : "opening it again changes the file."
  }

  /// Migrates another copy through the releases one by one, and compares the results.
  private func compare(
    _ copy: TemporaryStoreFile, with releases: [Store.Configuration],
    _ omissions: ComparisonOmissions, _ place: TestPlace
  ) throws {
    let other = try self.copy()
    KeptStores.current?.add(other)
    for release in releases {
      do {
        try Store.migrated(release.at(other.url))
      } catch {
        return fail(
          "it does not migrate to version \(release.schemaVersion) on the way through all "
            + "releases: \(error)", other, place)
      }
    }
    let differences = try omissions.differences(from: other.url, to: copy.url)
    guard !differences.isEmpty else { return }
    _ = other.keep()
    fail(
      "migrating it at once gives other objects than migrating it release by release. '-' and the "
        + "left side are release by release:\n" + differences.joined(separator: "\n") + "\n", copy,
      place)
  }

  func integrityProblems(of copy: TemporaryStoreFile) throws -> [String] {
    do {
      return try StoreCheck.problems(ofStoreAt: copy.url)
    } catch {
      return ["\(error)"]
    }
  }
}

extension Store.Configuration {
  /// Returns the same configuration for another file, without what concerns the app's own
  /// files: a backup and an old store that is moved away would be written beside them. A fresh
  /// start would also hide that the migration fails, and compaction changes a file that is
  /// opened again.
  func at(_ url: URL) -> Store.Configuration {
    var configuration = self
    configuration.url = url
    configuration.backup = nil
    configuration.whenMigrationFails = .throw
    configuration.shouldCompact = nil
    configuration.seedFileURL = nil
    return configuration
  }
}
