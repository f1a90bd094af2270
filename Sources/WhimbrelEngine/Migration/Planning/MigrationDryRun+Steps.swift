internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Carries out migrations in a row, in a copy of the file beside it that is removed again:
  /// each needs what the one before has made of the objects.
  func dryRunInCopy(
    _ stages: [(request: OpenRequest, declaration: Declaration)]
  ) throws -> [MigrationDryRun] {
    try withCopy(stages[0].request) { copy, version in
      try stages.map { request, declaration in
        if request.isOnline {
          let start = try TransitionStart(copy, request, declaration)
          if start.isChosen {
            return try MigrationDryRun(running: start, in: copy, by: declaration.rules)
          }
        }
        try copy.finishTransition(by: declaration.rules)
        return try MigrationDryRun(
          running: Migrator(
            copy, request, declaration, for: .stepOfDryRun(storeVersion: version)))
      }
    }
  }

  /// Calls `body` with a copy of the file, which is removed again, and the version of the file.
  private func withCopy<Result>(
    _ request: OpenRequest, _ body: (StoreFile, SchemaVersion) throws -> Result
  ) throws -> Result {
    do {
      try requireRoomForCopy()
      let temporary = try TemporaryFile(.dryRun, beside: environment.path)
      defer { temporary.remove() }
      let copyPath = temporary.path
      let transaction = try ReadTransaction(environment)
      let version = try header(in: transaction.view).schemaVersion
      // The snapshot keeps writers from pages that are being checked.
      try FilePreflight.checkPages(path, isThorough: true)
      _ = consume transaction
      try environment.copy(to: copyPath, isCompacted: false)
      var options = request.options
      options.syncsMetaPage = false
      let lease = try Environment.open(path: copyPath, options: options)
      // Errors are about the store.
      return try body(StoreFile(path: path, isReadOnly: false, lease: lease), version)
    } catch {
      throw explain(error)
    }
  }

  /// Throws when the disk has no room for a copy of the file.
  private func requireRoomForCopy() throws {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    guard let available = FilePreflight.freeSpace(beside: path), size > available else { return }
    throw StoreError.noSpace(path: path, needed: size, available: available)
  }
}
