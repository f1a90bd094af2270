internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Opens the file that a request names, creates it if it is missing, and migrates it to the
  /// declared schema.
  package static func open(_ request: OpenRequest) throws -> StoreFile {
    try request.validate()
    try compactIfAsked(request)
    return try openInPlace(request)
  }

  /// The number of attempts while others move or delete the file.
  private static let attempts = 50

  /// Opens the file as ``open(_:)`` does, but does not compact it.
  static func openInPlace(_ request: OpenRequest) throws -> StoreFile {
    var attempt = 1
    while true {
      do {
        return try openAndMigrate(request)
      } catch let failure as FailedMigration {
        return try startFresh(request, after: failure)
      } catch let error as StoreError where attempt < attempts && request.mayRetry(error) {
        // The path now leads to another file.
        attempt += 1
        usleep(1_000)
      }
    }
  }

  /// Opens the file that a request names, and creates or migrates it if necessary.
  static func openAndMigrate(_ request: OpenRequest) throws -> StoreFile {
    if try FilePreflight.isMissing(request) { try NewStoreFile(request).takePlace() }
    let file = try attach(request)
    if !request.isReadOnly { TemporaryFiles(path: try file.environment.path).removeLeftovers() }
    try file.upgradeFormat(request)
    try file.removeUselessGeneration()
    do {
      try file.bringUpToDate(request)
      if let declaration = request.declaration, !request.isReadOnly {
        try file.explaining { try file.beginConversion(request, declaration) }
      }
    } catch let error as StoreError
      where request.migration.failedStorePath != nil && !request.isReadOnly
      && error.isLastingFailure
    {
      throw FailedMigration(error: error, identity: file.identity)
    }
    return file
  }

  /// Opens an existing file and checks that it is a store.
  package static func attach(_ request: OpenRequest) throws -> StoreFile {
    try FilePreflight.check(request)
    let lease = try openFile(request)
    let file = StoreFile(
      path: request.path, isReadOnly: request.isReadOnly, verifiesReads: request.file.verifiesReads,
      lease: lease, belongings: request.file.memory, snapshotLimits: request.file.snapshotLimits)
    try file.explaining {
      let transaction = try ReadTransaction(lease.environment)
      // The pages are checked before the first one is read.
      try FilePreflight.checkPages(request.path, request.file.checks)
      let header = try file.header(in: transaction.view)
      if !request.isReadOnly, header.minimumWriter > Header.transitionFormat {
        throw StoreError.formatTooNew(
          path: request.path, found: Int(header.formatVersion),
          supported: Int(Header.transitionFormat))
      }
      // The catalog is parsed here so that damage is found before anything is done.
      _ = try file.catalog(in: transaction.view)
    }
    return file
  }

  /// Opens the file with LMDB. A second name that a killed process left behind is removed first.
  static func openFile(_ request: OpenRequest) throws -> EnvironmentLease {
    try FilePreflight.explaining(request) {
      do throws(LMDBError) {
        return try Environment.open(path: request.path, options: request.options)
      } catch {
        guard error.code == .hardLinked,
          SecondNames(path: request.path).removeLeftovers(
            movedTo: request.migration.failedStorePath)
        else { throw error }
      }
      return try Environment.open(path: request.path, options: request.options)
    }
  }

  /// Compares the declared schema with the file's, and migrates the file if they differ.
  private func bringUpToDate(_ request: OpenRequest) throws {
    guard let declaration = request.declaration else { return try removeTablesLeft() }
    do {
      let transaction = try ReadTransaction(environment)
      let header = try header(in: transaction.view)
      let isMarked = try transaction.view.value(.main, MainKey.migration) != nil
      let isCurrent =
        header.fingerprint == declaration.fingerprint
        && header.schemaVersion == request.schemaVersion
      // A snapshot that is held would keep tables from being dropped.
      _ = consume transaction
      if isCurrent { return isMarked ? try removeTablesLeft() : () }
      if header.schemaVersion > request.schemaVersion {
        throw StoreError.schemaVersionTooNew(
          path: path, found: header.schemaVersion, declared: request.schemaVersion)
      }
    } catch {
      throw explain(error)
    }
    try migrate(request, declaration)
  }

  /// Removes the tables that a migration has left, unless a migration is running.
  private func removeTablesLeft() throws {
    try removeLeftovers { view throws(LMDBError) in
      try view.value(.main, MainKey.migration) != nil
    }
  }

  /// Returns the plan of the migration that opening the file would run.
  package static func migrationPlan(
    _ request: OpenRequest, _ declaration: Declaration
  ) throws -> MigrationPlan {
    try request.validate()
    let file = try attachExisting(request)
    return try file.explaining {
      let stages = try file.stages(of: request, declaration)
      let (first, declaration) = (stages[0].request, stages[0].declaration)
      var plan = try MigrationPlan(file, declaration, version: first.schemaVersion)
      plan.remainingSteps = first.migration.remainingSteps
      try plan.findOnlineObstacles(in: file, first, declaration)
      return plan
    }
  }

  /// Opens an existing file without changing it. Throws `fileNotFound` if there is none.
  static func attachExisting(_ request: OpenRequest) throws -> StoreFile {
    guard FileIdentity(path: request.path) != nil else {
      throw StoreError.fileNotFound(path: request.path)
    }
    return try attach(request)
  }

  private func migrate(_ request: OpenRequest, _ declaration: Declaration) throws {
    if !isReadOnly {
      // If another process won the race, its migration is complete now and `Migrator` only
      // compares.
      return try asMigrator(for: request) {
        try explaining { try removeLeftovers() }
        for stage in try stages(of: request, declaration) {
          if try startTransition(stage.request, stage.declaration) { continue }
          _ = try explaining {
            try finishTransition(by: declaration.rules, for: stage.declaration.schema)
          }
          try Migrator(self, stage.request, stage.declaration).run()
        }
      }
    }
    try requireReadable(request, declaration)
  }

  /// Brings the catalog to the declared schema and leaves the objects to rules, if that is
  /// requested and possible. Returns whether it did.
  private func startTransition(
    _ request: OpenRequest, _ declaration: Declaration
  ) throws -> Bool {
    guard request.transition != nil else { return false }
    let start = try TransitionStart(self, request, declaration, for: .migration)
    guard start.isChosen else { return false }
    try start.run()
    return true
  }

  /// Throws unless the catalog of a read-only file has everything that the declared schema needs.
  private func requireReadable(_ request: OpenRequest, _ declaration: Declaration) throws {
    let loaded = try explaining { try currentCatalog() }
    let (found, declared) = (loaded.header.schemaVersion, request.schemaVersion)
    // Rules also set the new properties of objects that are not yet converted.
    let runsCode =
      found < declared
      && (request.hasCode(above: found) || loaded.catalog.needsRules(for: declaration.schema))
    let obstacles = loaded.gaps(to: declaration)
      .filter { !$0.isTolerableInReading(runsCode: runsCode) }.map(\.change)
    if obstacles.isEmpty { return }
    throw found == declared
      ? StoreError.schemaMismatch(path: path, version: found, changes: obstacles)
      : StoreError.migrationNeeded(
        path: path, found: found, declared: declared, changes: obstacles)
  }
}

extension StoreFile {
  /// Returns the migrations that bring the file to the declared schema. There is at least one.
  func stages(
    of request: OpenRequest, _ declaration: Declaration
  ) throws -> [(request: OpenRequest, declaration: Declaration)] {
    try explaining { request.stages(from: try currentHeader().schemaVersion, declaration) }
  }
}

extension OpenRequest {
  /// Returns whether another process may have caused an error by moving or deleting the file since
  /// it was checked.
  fileprivate func mayRetry(_ error: StoreError) -> Bool {
    switch error.code {
    case .storeMoved: true
    case .fileNotFound: declaration != nil && !isReadOnly && error.context.path == path
    default: false
    }
  }

  var options: Environment.Options {
    var options = Environment.Options()
    options.isReadOnly = isReadOnly
    options.syncsMetaPage = file.syncsMetaPage
    // A store in memory does not survive a crash, so it need not be synced.
    if file.memory != nil { options.syncsCommits = false }
    if let maximumSize = file.maximumSize { options.mapSize = maximumSize }
    options.ignoresLocks = isReadOnly && FilePreflight.isReadWithoutLockFile(path)
    return options
  }
}

extension WriteView {
  /// Writes the catalog and its header, and returns the header as written.
  @discardableResult
  func put(catalog json: Data, _ header: Header) throws(LMDBError) -> Header {
    let text = Array(json)
    var header = header
    header.catalogChecksum = PageBytes.with(text) { Header.checksum(ofCatalog: $0) }
    var buffer = ByteBuffer(capacity: 128)
    header.encode(into: &buffer)
    try put(.main, MainKey.catalog, text)
    try put(.main, MainKey.header, buffer.bytes.array)
    return header
  }
}
