import Foundation
import Testing
import Whimbrel
import WhimbrelTesting
import Zones

/// Migrations that fail where a test could overlook it.
struct HiddenFailureTests {
  private struct Mistake: Error {}

  private static func sample() throws -> SampleStore {
    try SampleStore("Zones.v1", in: ZonesSampleStore.folder)
  }

  /// An app may start with an empty store if a migration fails. Its tests passed then, whatever the
  /// migration did, because an empty store is intact.
  @Test func `a failing migration is found although the app would start fresh`() throws {
    let place = try TemporaryStoreFile()
    var mistaken = Releases.v2
    mistaken.migration = { _, _ in throw Mistake() }
    mistaken.whenMigrationFails = .startFresh(movingOldTo: place.url)
    expectFailure("Zones.v1", "it does not migrate", "Mistake()") {
      try Self.sample().expectMigration(with: mistaken)
    }
    expectFailure("Zones.v1", "it does not open with version 2", "Mistake()") {
      try Self.sample().migrate(with: mistaken)
    }
    #expect(!FileManager.default.fileExists(atPath: place.url.path))
  }

  /// An interrupted migration was taken for one that mixes old and new objects, because the app
  /// starts fresh after it. Compaction was taken for a change of the file.
  @Test func `a backup, a seed, a fresh start and compaction of the app are left out`() throws {
    let place = try TemporaryStoreFile()
    defer { withExtendedLifetime(place) {} }
    let folder = place.url.deletingLastPathComponent()
    var configuration = Releases.v2
    configuration.backup = .before(folder.appending(path: "Before.whimbrel"))
    configuration.whenMigrationFails = .startFresh(
      movingOldTo: folder.appending(path: "Failed.whimbrel"))
    configuration.shouldCompact = { _ in true }
    configuration.seedFileURL = folder.appending(path: "Missing.whimbrel")
    try Self.sample().expectMigration(with: configuration)
    try Self.sample().expectSurvival(of: [.failing], with: configuration)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  /// A child process that could not migrate ended the test of this interruption, which passed.
  @Test(arguments: [Interruption.killed, .diskFull])
  func `a migration that fails in each child process is found`(
    interruption: Interruption
  ) throws {
    var mistaken = Releases.v2
    let migration = mistaken.migration
    mistaken.migration = { old, version in
      let isChild = ProcessInfo.processInfo.environment["WHIMBREL_TESTING_CHILD"] != nil
      if isChild { throw Mistake() }
      try migration?(old, version)
    }
    expectFailure("Zones.v1", "does not migrate in a child process", "Mistake()") {
      try Self.sample().expectSurvival(of: [interruption], with: mistaken)
    }
  }

  /// Each of some sixty interruptions was said to give another result, as if it were the cause.
  @Test func `a migration that differs between processes fails once`() throws {
    var mistaken = Releases.v2
    mistaken.migration = { migration, _ in
      try migration.enumerateObjects(ofType: "Zone") { old, new in
        guard let old, let new else { return }
        try ZonesMigration.setPlace(of: new, from: old)
        // Like the order of a set, it is another one in each process.
        try new.set("comments", to: "\("comments".hashValue)")
      }
    }
    let messages = expectFailure("Zones.v1", "in another process gives other objects", "comments") {
      try Self.sample().expectSurvival(with: mistaken)
    }
    #expect(messages.count == 1)
  }

  /// The end of the output was the list of loaded libraries, below the backtrace.
  @Test func `the reason of a crash in a child process is shown`() throws {
    var mistaken = Releases.v2
    let migration = mistaken.migration
    mistaken.migration = { old, version in
      guard ProcessInfo.processInfo.environment["WHIMBREL_TESTING_CHILD"] != nil else {
        try migration?(old, version)
        return
      }
      let backtrace = String(repeating: "\n0 in a function", count: 100)
      let report = "Fatal error: no place\n\n*** Program crashed: Aborted ***\n\(backtrace)"
      FileHandle.standardError.write(Data(report.utf8))
      _exit(3)
    }
    expectFailure("Zones.v1", "a child process did not migrate it", "Fatal error: no place") {
      try Self.sample().expectSurvival(of: [.killed], with: mistaken)
    }
  }

  /// The conversion of the objects used the closed store: "mdb_env_open: Unknown error -4".
  @Test func `a test may close the migrated store`() throws {
    try Self.sample().migrate(with: Releases.v2) { try $0.close() }
  }

  /// The new store whose schema is compared was to be opened read-only, too: "the file does not exist".
  @Test func `a read-only configuration opens a sample of its version`() throws {
    var reading = Releases.v2
    reading.isReadOnly = true
    try SampleStore("Zones.v2", in: ZonesSampleStore.folder).expectMigration(with: reading)
    expectFailure("Zones.v1", "version 1 after the migration, not 2. A read-only store") {
      var configuration = Store.Configuration(
        url: reading.url, models: [SchemaV1.Zone.self], schemaVersion: 2)
      configuration.isReadOnly = true
      try Self.sample().migrate(with: configuration)
    }
  }

  /// The link was copied, so the test migrated the original. Later runs tested nothing.
  @Test func `a sample store behind a symbolic link stays as it is`() throws {
    let original = try Self.sample().copy()
    let bytes = try Data(contentsOf: original.url)
    let place = try TemporaryStoreFile(named: "Zones.v1.whimbrel")
    try FileManager.default.createSymbolicLink(at: place.url, withDestinationURL: original.url)
    try SampleStore(url: place.url).migrate(with: Releases.v2)
    #expect(try Data(contentsOf: original.url) == bytes)
    #expect(try Store.schemaVersion(at: place.url) == 1)
  }

  /// The copy could not be written either, and the migration was said to fail.
  @Test func `the copy of a read-only sample store can be written`() throws {
    let original = try Self.sample().copy()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: original.url.path)
    let copy = try TemporaryStoreFile(copying: original.url)
    // Not the migration itself: the superuser can write to any file.
    let attributes = try FileManager.default.attributesOfItem(atPath: copy.url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  /// Swift Testing does not know which test a detached task belongs to, so its failures were those
  /// of a test in XCTest, which does not run.
  @Test func `an expectation in a detached task makes the run fail`() async {
    await Task.detached {
      _ = expectFailure("Expected 1 object of 'Zone', but found 0.") {
        try Store.temporary(SchemaV1.Zone.self).expectCount(of: SchemaV1.Zone.self, 1)
      }
    }.value
  }
}
