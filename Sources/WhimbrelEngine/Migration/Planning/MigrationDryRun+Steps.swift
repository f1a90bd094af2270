internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Runs consecutive migrations in a temporary copy beside the file: each needs the objects that
  /// the one before has written.
  func dryRunInCopy(
    _ stages: [(request: OpenRequest, declaration: Declaration)]
  ) throws -> [MigrationDryRun] {
    try withCopy(stages[0].request) { copy, version in
      try stages.map { request, declaration in
        let purpose = MigrationTask.Purpose.stepOfDryRun(storeVersion: version)
        if request.transition != nil {
          let start = try TransitionStart(copy, request, declaration, for: purpose)
          if start.isChosen {
            return try MigrationDryRun(running: start, in: copy, by: declaration.rules)
          }
        }
        try copy.finishTransition(by: declaration.rules, for: declaration.schema)
        return try MigrationDryRun(running: Migrator(copy, request, declaration, for: purpose))
      }
    }
  }

  /// Calls `body` with a temporary copy of the file and the version of the file.
  private func withCopy<Result>(
    _ request: OpenRequest, _ body: (StoreFile, SchemaVersion) throws -> Result
  ) throws -> Result {
    try explaining {
      try requireRoomForCopy()
      let temporary = try TemporaryFile(.dryRun, beside: environment.path)
      defer { temporary.remove() }
      let copyPath = temporary.path
      let transaction = try ReadTransaction(environment)
      let version = try header(in: transaction.view).schemaVersion
      // The snapshot keeps writers from reusing pages that are being checked.
      try FilePreflight.checkPages(path)
      _ = consume transaction
      try environment.copy(to: copyPath, isCompacted: false)
      var options = request.options
      options.syncsMetaPage = false
      let lease = try Environment.open(path: copyPath, options: options)
      // Errors name the path of the store.
      let copy = StoreFile(path: path, isReadOnly: false, lease: lease)
      // Its pages were checked before it was made. A check by this path would read the store, of
      // which no snapshot is held any more.
      copy.didCheckPages()
      return try body(copy, version)
    }
  }

  /// Throws if the disk has no room for a copy of the file.
  private func requireRoomForCopy() throws {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    guard let available = FilePreflight.freeSpace(beside: path), size > available else { return }
    throw StoreError.noSpace(path: path, needed: size, available: available)
  }
}
