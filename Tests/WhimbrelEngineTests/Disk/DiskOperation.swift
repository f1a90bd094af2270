#if os(Linux)
  import Foundation
  import WhimbrelTestSupport

  @testable import WhimbrelEngine

  /// What a disk is asked to do while it fails.
  enum DiskOperation: String, Codable, CaseIterable, Sendable {
    case create, open, write, largeWrite, relaxedWrite, migrate, migrateWithBackup, compact
    case writeCopy, copyFile, salvage, delete, transition, undo, freshStart

    private static let count = 24

    /// The store before, or nil for none.
    func makeStore() throws -> TestStore? {
      switch self {
      case .create: nil
      case .compact:
        try {
          let store = try BigMigration.store(Self.count)
          try store.write { session in
            let items = try session.table("Item")
            for id in try items.objectIDs().prefix(Self.count / 2) { try items.remove(id) }
          }
          return store
        }()
      case .undo:
        try {
          let store = try BigMigration.store(Self.count)
          var request = BigMigration.request(store.path)
          request.migration.keepsPreviousGeneration = true
          _ = try StoreFile.open(request)
          return store
        }()
      default: try BigMigration.store(Self.count)
      }
    }

    /// The operation may have taken effect although it threw.
    var hasSeveralCommits: Bool {
      switch self {
      // The last name of a new store may be the one that is not removed.
      case .create, .migrate, .migrateWithBackup, .writeCopy, .copyFile, .salvage, .delete,
        .transition, .undo, .freshStart:
        true
      case .open, .write, .largeWrite, .relaxedWrite, .compact: false
      }
    }

    /// What it makes beside the store, or nil.
    var product: String? {
      switch self {
      case .writeCopy, .copyFile, .salvage: "Product.whimbrel"
      case .migrateWithBackup: "Backup.whimbrel"
      case .freshStart: "Old.whimbrel"
      default: nil
      }
    }

    /// Carries it out.
    ///
    /// - Parameters:
    ///   - prepared: is called when what comes next may fail.
    ///   - failed: is called with the session of a write that has failed.
    func run(
      in folder: String, _ prepared: () -> Void = {},
      _ failed: (Session, any Error) throws -> Void = { _, _ in }
    ) throws {
      let path = folder + "/Test.whimbrel"
      let new = folder + "/" + (product ?? "")
      var request = TestStore.request(path, BigMigration.old, version: 1)
      request.identity.date = Date(timeIntervalSinceReferenceDate: 0)
      request.file.syncsMetaPage = self != .relaxedWrite
      switch self {
      case .create, .open:
        prepared()
        let session = try Session(StoreFile.open(request))
        _ = try StoreContents(session)
      case .write, .largeWrite, .relaxedWrite:
        let session = try Session(StoreFile.open(request))
        prepared()
        do { try write(session) } catch {
          try failed(session, error)
          throw error
        }
      case .migrate, .migrateWithBackup:
        var request = BigMigration.request(path)
        request.identity.date = Date(timeIntervalSinceReferenceDate: 0)
        request.migration.probe = MigrationProbe()
        request.migration.probe?.batchSize = 60_000
        if self == .migrateWithBackup { request.migration.backupPath = new }
        prepared()
        _ = try StoreFile.open(request)
      case .transition:
        let request = BigMigration.onlineRequest(path)
        prepared()
        let file = try StoreFile.open(request)
        try file.finishTransition(by: BigMigration.rules, inBatchesOf: .nanoseconds(1))
      case .compact:
        request.file.shouldCompact = { _ in true }
        prepared()
        _ = try StoreFile.open(request)
      case .writeCopy:
        let session = try Session(StoreFile.open(request))
        prepared()
        try session.writeCopy(to: new)
      case .copyFile:
        let file = try StoreFile.open(request)
        prepared()
        try file.writeCopy(asNew: new)
      case .salvage:
        prepared()
        let salvage = try Salvage(
          path: path, output: new, search: .usedPages, orCatalogOf: nil, { _, _, _ in })
        _ = try salvage.run(to: new)
      case .undo:
        let file = try StoreFile.open(OpenRequest(path: path))
        // It may have been undone although that threw.
        if try !file.canUndoMigration() { return }
        prepared()
        try file.undoMigration()
      case .freshStart:
        var request = BigMigration.request(path) { _ in throw BlockError() }
        request.migration.failedStorePath = new
        prepared()
        _ = try StoreFile.open(request)
      case .delete:
        prepared()
        _ = try StoreFile.deleteFiles(at: path)
      }
    }

    /// Does again what has failed, in the session in which it failed.
    func write(_ session: Session) throws {
      let count = self == .largeWrite ? 40 : 1
      let text = String(repeating: "x", count: self == .largeWrite ? 60_000 : 20)
      try session.write {
        for number in 0..<count {
          try session.create(
            "Item", ["number": .int(Int64(1_000 + number)), "text": .string("\(text) \(number)")])
        }
      }
    }
  }
#endif
