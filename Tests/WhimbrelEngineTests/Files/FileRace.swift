import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB

/// Something that makes, moves, replaces or removes the file of a store, and what another thread or
/// process does to the same path meanwhile.
enum FileRace: String, Codable, CaseIterable, Sendable, CustomTestStringConvertible {
  case creation, freshStart, replacement, backup, deletion
  /// A store is opened and written to, while another deletes or replaces it.
  case openingDeleted, openingReplaced

  static let count = 12

  var testDescription: String { rawValue }

  /// The steps at which it is held up.
  var steps: [FileStep] {
    let opening: [FileStep] = [.openingFound, .openingGuarded, .openingOpened]
    let creation: [FileStep] = [.creationEmpty, .creationWhole]
    return switch self {
    case .creation: creation + [.creationNamed] + opening
    case .freshStart:
      opening + creation + [
        .movingDecided, .movingGuarded, .movingLinked, .movingLockMoved, .movingDone,
      ]
    case .replacement:
      opening + [
        .replacementDecided, .replacementGuarded, .replacementLinked, .replacementLockMoved,
        .replacementNamed, .replacementChecked,
      ]
    case .backup: opening + [.backupWhole, .backupNamed]
    case .deletion: [.removalGuarded, .removalLockRemoved, .removalDone]
    case .openingDeleted, .openingReplaced: opening
    }
  }

  /// The store before.
  func store() throws -> TestStore {
    let store = try BigMigration.store(Self.count)
    if self == .creation {
      for name in [store.path, store.path + "-lock"] {
        try FileManager.default.removeItem(atPath: name)
      }
    }
    return store
  }

  static func beside(_ path: String, _ name: String) -> String {
    (path as NSString).deletingLastPathComponent + "/" + name
  }

  private func request(_ path: String) -> OpenRequest {
    var request = TestStore.request(path, BigMigration.old, version: 1)
    switch self {
    case .creation, .deletion, .openingDeleted, .openingReplaced: break
    case .replacement: request.file.shouldCompact = { _ in true }
    case .backup:
      request = BigMigration.request(path)
      request.migration.backupPath = Self.beside(path, "backup.whimbrel")
    case .freshStart:
      request = BigMigration.request(path) { number in
        if number == 3 { throw BlockError() }
      }
      request.migration.failedStorePath = Self.beside(path, "failed.whimbrel")
    }
    return request
  }

  /// What is held up at a step.
  func run(_ path: String) throws {
    switch self {
    case .deletion: try delete(path)
    case .openingDeleted, .openingReplaced:
      let session = try Session(StoreFile.open(request(path)))
      _ = try session.write { try session.create("Item", ["number": 777, "text": "t"]) }
    default: _ = try StoreFile.open(request(path))
    }
  }

  private func delete(_ path: String) throws {
    do {
      _ = try StoreFile.deleteFiles(at: path)
    } catch StoreError.Code.storeInUse {
      // The other one has it open.
    }
  }

  /// What another does meanwhile: who opens the store must always get a whole one.
  func runOther(_ path: String) throws {
    switch self {
    case .openingDeleted: return try delete(path)
    case .openingReplaced:
      var compacting = request(path)
      compacting.file.shouldCompact = { _ in true }
      _ = try StoreFile.open(compacting)
      return
    default: break
    }
    let session = try Session(StoreFile.open(request(path)))
    let contents = try StoreContents(session)
    let count = contents.list("Item").count
    switch self {
    case .creation, .freshStart: #expect(count == 0)
    case .replacement, .backup: #expect(count == Self.count)
    default: #expect(count == 0 || count == Self.count)
    }
    #expect(contents.version == (self == .freshStart || self == .backup ? 2 : 1))
  }

  /// What must be true when all is over.
  func verify(_ store: TestStore, _ before: StoreContents?) throws {
    let names = try FileManager.default
      .contentsOfDirectory(atPath: (store.path as NSString).deletingLastPathComponent)
      .filter { $0.hasSuffix(".whimbrel") || $0.contains(".whimbrel.") }
    switch self {
    case .creation, .replacement, .openingReplaced: #expect(names == ["Test.whimbrel"])
    case .deletion, .openingDeleted: #expect(names.allSatisfy { $0 == "Test.whimbrel" })
    case .freshStart: #expect(Set(names) == ["Test.whimbrel", "failed.whimbrel"])
    case .backup: #expect(Set(names) == ["Test.whimbrel", "backup.whimbrel"])
    }
    if self == .openingReplaced {
      // What was written is in the store, whoever came first.
      #expect(try store.contents().list("Item").count == Self.count + 1)
    }
    // Not before: this makes a store where there is none.
    _ = try StoreFile.open(request(store.path))
    if self != .openingReplaced, self != .openingDeleted { try runOther(store.path) }
    #expect(try store.findings() == [])
    let copy: String? =
      switch self {
      case .freshStart: "failed.whimbrel"
      case .backup: "backup.whimbrel"
      default: nil
      }
    guard let copy, let before else { return }
    let old = try Session(
      StoreFile.open(
        TestStore.request(Self.beside(store.path, copy), BigMigration.old, version: 1)))
    #expect(try StoreContents(old) == before)
    #expect(try IntegrityCheck.run(old).isEmpty)
  }
}
