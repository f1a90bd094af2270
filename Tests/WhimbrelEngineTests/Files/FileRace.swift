import Foundation
import Testing
import WhimbrelEngine
import WhimbrelLMDB

/// Something that makes, moves, replaces or removes the file of a store, and what another thread or
/// process does to the same path meanwhile.
enum FileRace: String, Codable, CaseIterable, Sendable, CustomTestStringConvertible {
  case creation, freshStart, replacement, backup, deletion

  static let count = 12

  var testDescription: String { rawValue }

  /// The steps at which it is held up.
  var steps: [FileStep] {
    let opening: [FileStep] = [.openingFound, .openingGuarded, .openingOpened]
    let creation: [FileStep] = [.creationEmpty, .creationWhole, .creationNamed]
    return switch self {
    case .creation: creation + opening
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
    case .creation, .deletion: break
    case .replacement: request.shouldCompact = { _ in true }
    case .backup:
      request = BigMigration.request(path)
      request.backupPath = Self.beside(path, "backup.whimbrel")
    case .freshStart:
      request = BigMigration.request(path) { number in
        if number == 3 { throw BlockError() }
      }
      request.failedStorePath = Self.beside(path, "failed.whimbrel")
    }
    return request
  }

  /// What is held up at a step.
  func run(_ path: String) throws {
    guard self == .deletion else {
      _ = try StoreFile.open(request(path))
      return
    }
    do {
      _ = try StoreFile.deleteFiles(at: path)
    } catch StoreError.Code.storeInUse {
      // The other one has it open.
    }
  }

  /// What another does meanwhile: it must always get a whole store.
  func runOther(_ path: String) throws {
    let session = try Session(StoreFile.open(request(path)))
    let contents = try StoreContents(session)
    let count = contents.list("Item").count
    switch self {
    case .creation, .freshStart: #expect(count == 0)
    case .replacement, .backup: #expect(count == Self.count)
    case .deletion: #expect(count == 0 || count == Self.count)
    }
    #expect(contents.version == (self == .freshStart || self == .backup ? 2 : 1))
  }

  /// What must be true when all is over.
  func verify(_ store: TestStore, _ before: StoreContents?) throws {
    let names = try FileManager.default
      .contentsOfDirectory(atPath: (store.path as NSString).deletingLastPathComponent)
      .filter { $0.hasSuffix(".whimbrel") || $0.contains(".whimbrel.") }
    switch self {
    case .creation, .replacement: #expect(names == ["Test.whimbrel"])
    case .deletion: #expect(names.allSatisfy { $0 == "Test.whimbrel" })
    case .freshStart: #expect(Set(names) == ["Test.whimbrel", "failed.whimbrel"])
    case .backup: #expect(Set(names) == ["Test.whimbrel", "backup.whimbrel"])
    }
    // Not before: this makes a store where there is none.
    try runOther(store.path)
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
