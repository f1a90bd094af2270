internal import Foundation
internal import WhimbrelLMDB

extension StoreFile {
  /// Carries out migrations in a row, in a copy of the file beside it that is removed again:
  /// each needs what the one before has made of the objects.
  func dryRunInCopy(
    _ stages: [(request: OpenRequest, declaration: Declaration)]
  ) throws -> [MigrationDryRun] {
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
      var options = stages[0].request.options
      options.syncsMetaPage = false
      let lease = try Environment.open(path: copyPath, options: options)
      // Errors are about the store.
      let copy = StoreFile(path: path, isReadOnly: false, lease: lease)
      return try stages.map { stage in
        try MigrationDryRun(
          running: Migrator(
            copy, stage.request, stage.declaration, for: .stepOfDryRun(storeVersion: version)))
      }
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
