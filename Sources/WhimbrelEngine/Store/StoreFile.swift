internal import Foundation
internal import Synchronization
package import WhimbrelLMDB

/// A store's file, open in this process.
package final class StoreFile: Sendable {
  package let path: String
  package let isReadOnly: Bool
  private let lease: EnvironmentLease
  private let shared: Shared
  /// What became of the file that was there before, if its migration failed.
  package let freshStart: FreshStart?

  package var environment: Environment { lease.environment }
  /// What file it is, wherever that has been moved to.
  var identity: FileIdentity { lease.identity }

  init(
    path: String, isReadOnly: Bool, lease: EnvironmentLease, freshStart: FreshStart? = nil
  ) {
    self.path = path
    self.isReadOnly = isReadOnly
    self.lease = lease
    self.freshStart = freshStart
    shared = lease.environment.companion { Shared() }
  }

  /// The same file, with what became of the one before.
  convenience init(_ file: StoreFile, after freshStart: FreshStart) {
    self.init(
      path: file.path, isReadOnly: file.isReadOnly, lease: file.lease, freshStart: freshStart)
  }

  /// What all stores of one file in this process share.
  private final class Shared: Sendable {
    let catalog = Mutex<LoadedCatalog?>(nil)
    let nextObjectIDs = Mutex<[ClassID: UInt64]>([:])
    /// The thread that migrates the file, or 0.
    let migrator = Atomic<UInt>(0)
  }

  /// Runs `body` as the migration of this thread, and waits before that for somebody
  /// else's as long as the request says.
  ///
  /// - Throws: ``StoreError`` with `migrationInProgress` when this thread is
  ///   migrating the file already, and would wait for itself, or when it has waited
  ///   too long; `migrationCancelled` when that was cancelled.
  func asMigrator(for request: OpenRequest, _ body: () throws -> Void) throws {
    let thread = Environment.currentThread
    guard shared.migrator.load(ordering: .relaxed) != thread else {
      throw StoreError.migrationInProgress(path: path, processID: getpid())
    }
    try takeMigrationLock(for: request).whileHeld {
      try requireInPlace()
      shared.migrator.store(thread, ordering: .relaxed)
      defer { shared.migrator.store(0, ordering: .relaxed) }
      try body()
    }
  }

  /// Throws when the path leads to another file by now: ``FreshStart`` moves files.
  func requireInPlace() throws {
    guard FileIdentity(path: path) == identity else { throw StoreError.storeMoved(path: path) }
  }

  /// The catalog that a transaction sees; it is parsed once in a process for
  /// each of its revisions.
  package func catalog(in view: ReadView) throws -> LoadedCatalog {
    let header = try header(in: view)
    let cached = shared.catalog.withLock { $0 }
    if let cached, cached.header == header { return cached }
    guard let json = try view.value(.main, MainKey.catalog) else {
      throw StoreError.damaged(path: path, detail: "it has no catalog")
    }
    guard Header.checksum(ofCatalog: json) == header.catalogChecksum else {
      throw StoreError.damaged(path: path, detail: "its catalog has a wrong checksum")
    }
    let loaded: LoadedCatalog
    do {
      loaded = LoadedCatalog(try Catalog(json: json.data), header)
    } catch {
      throw StoreError.damaged(path: path, detail: "its catalog cannot be read (\(error))")
    }
    shared.catalog.withLock { cached in
      if header.catalogRevision >= cached?.header.catalogRevision ?? 0 { cached = loaded }
    }
    return loaded
  }

  /// Takes a catalog for that of a header which has just been written, so that it is not
  /// parsed again.
  func adopt(_ catalog: Catalog, _ header: Header) {
    let loaded = LoadedCatalog(catalog, header)
    shared.catalog.withLock { $0 = loaded }
  }

  /// The header that a transaction sees.
  package func header(in view: ReadView) throws -> Header {
    guard let bytes = try view.value(.main, MainKey.header) else {
      throw StoreError.notAStore(path: path, detail: "it is an LMDB file of another program")
    }
    do throws(Header.Problem) {
      return try Header(bytes)
    } catch .tooNew(let found) {
      throw StoreError.formatTooNew(
        path: path, found: found, supported: Int(Header.currentFormat))
    } catch .damaged {
      throw StoreError.damaged(path: path, detail: "its header has a wrong checksum")
    } catch .notAStore {
      throw StoreError.notAStore(path: path, detail: "it is an LMDB file of another program")
    }
  }

  /// Gives out the next object ID of a class. IDs given out in a transaction that
  /// is rolled back are not given out again: a Swift object may still hold one.
  func takeObjectID(_ id: ClassID, atLeast stored: UInt64) -> UInt64 {
    shared.nextObjectIDs.withLock { next in
      let taken = max(next[id] ?? 1, stored)
      next[id] = taken &+ 1
      return taken
    }
  }
}

extension StoreFile {
  /// Puts an error of LMDB into words for this file.
  package func explain(_ error: any Error) -> any Error {
    guard let error = error as? LMDBError else { return error }
    return StoreError.describing(error, path: path, environment: lease.environment)
  }
}
