// The errors of opening and using a store: each takes the facts; StoreError+Sentences.swift words them.

extension StoreError {
  /// There is no file, and a store opened read-only is not created.
  package static func fileNotFound(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .fileNotFound, .fileNotFound(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The folder that the file should be in does not exist.
  package static func parentFolderMissing(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .parentFolderMissing, .parentFolderMissing(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The path is that of a folder.
  package static func isDirectory(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .isDirectory, .isDirectory(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The file has no bytes.
  package static func emptyFile(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .emptyFile, .emptyFile(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The file is of another format.
  package static func notAStore(
    path: String, detail: String? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notAStore, .notAStore(path: path, detail: detail),
      Context(path: path),
      file: file, line: line)
  }

  /// The file is shorter than its own header says.
  package static func truncated(
    path: String, expectedBytes: Int, actualBytes: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .truncated, .truncated(path: path, expectedBytes: expectedBytes, actualBytes: actualBytes),
      Context(path: path, count: actualBytes, limit: expectedBytes),
      file: file, line: line)
  }

  /// The content of the file breaks a rule of the format.
  package static func damaged(
    path: String, detail: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .damaged, .damaged(path: path, detail: detail),
      Context(path: path),
      file: file, line: line)
  }

  /// A newer version of Whimbrel wrote the file.
  package static func formatTooNew(
    path: String, found: Int, supported: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .formatTooNew, .formatTooNew(path: path, found: found, supported: supported),
      Context(path: path, count: found, limit: supported),
      file: file, line: line)
  }

  /// A newer version of the app has migrated the file.
  package static func schemaVersionTooNew(
    path: String, found: SchemaVersion, declared: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaVersionTooNew, .schemaVersionTooNew(path: path, found: found, declared: declared),
      Context(path: path, stored: found, declared: declared),
      file: file, line: line)
  }

  /// The models have changed and the schema version has not.
  package static func schemaMismatch(
    path: String, version: SchemaVersion, changes: [SchemaChange], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaMismatch, .schemaMismatch(path: path, version: version, changes: changes),
      Context(path: path, stored: version, declared: version).with(\.changes, changes),
      file: file, line: line)
  }

  /// The store is opened read-only and would have to be migrated.
  package static func migrationNeeded(
    path: String, found: SchemaVersion, declared: SchemaVersion, changes: [SchemaChange] = [],
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .migrationNeeded,
      .migrationNeeded(path: path, found: found, declared: declared, changes: changes),
      Context(path: path, stored: found, declared: declared).with(\.changes, changes),
      file: file, line: line)
  }

  /// The operating system does not let this process use the file.
  package static func permissionDenied(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .permissionDenied, .permissionDenied(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The lock file cannot be made because the folder cannot be written to.
  package static func readOnlyFolder(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .readOnlyFolder, .readOnlyFolder(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The lock file beside the store cannot be used.
  package static func lockFileUnusable(
    path: String, detail: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .lockFileUnusable, .lockFileUnusable(path: path, detail: detail),
      Context(path: path),
      file: file, line: line)
  }

  /// The disk is full, or has less space than a migration needs.
  package static func noSpace(
    path: String, needed: Int? = nil, available: Int? = nil, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .noSpace, .noSpace(path: path, needed: needed, available: available),
      Context(path: path, count: available, limit: needed),
      file: file, line: line)
  }

  /// The user's share of the disk is used up.
  package static func diskQuotaExceeded(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .diskQuotaExceeded, .diskQuotaExceeded(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// The process cannot map as much memory as the store may grow to.
  package static func addressSpaceExhausted(
    path: String, size: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .addressSpaceExhausted, .addressSpaceExhausted(path: path, size: size),
      Context(path: path, limit: size),
      file: file, line: line)
  }

  /// The store has grown to its maximum size.
  package static func mapFull(
    path: String, size: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .mapFull, .mapFull(path: path, size: size),
      Context(path: path, limit: size),
      file: file, line: line)
  }

  /// More snapshots are in use than the lock file has room for.
  package static func tooManyReaders(
    path: String, limit: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .tooManyReaders, .tooManyReaders(path: path, limit: limit),
      Context(path: path, limit: limit),
      file: file, line: line)
  }

  /// The operating system reported an error.
  package static func ioError(
    path: String, number: Int32, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .ioError, .ioError(path: path, number: number),
      Context(path: path).with(\.systemErrorNumber, number),
      file: file, line: line)
  }

  /// The store was opened before this process was forked.
  package static func usedAfterFork(
    path: String, openedBy: Int32?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .usedAfterFork, .usedAfterFork(path: path, openedBy: openedBy),
      Context(path: path),
      file: file, line: line)
  }

  /// The configuration of a store contradicts itself.
  package static func invalidConfiguration(
    path: String, reason: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidConfiguration, .invalidConfiguration(path: path, reason: reason),
      Context(path: path),
      file: file, line: line)
  }

  /// The configuration of a store contradicts itself in one or more ways.
  package static func invalidConfiguration(
    path: String, problems: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidConfiguration, .invalidConfiguration(path: path, problems: problems),
      Context(path: path).with(\.problems, problems),
      file: file, line: line)
  }

  /// The models break the rules of schemas.
  package static func invalidSchema(
    problems: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidSchema, .invalidSchema(problems: problems),
      Context().with(\.problems, problems),
      file: file, line: line)
  }

  /// This process has the store open with other settings.
  package static func openWithOtherSettings(
    path: String, setting: String, current: String, requested: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .openWithOtherSettings,
      .openWithOtherSettings(path: path, setting: setting, current: current, requested: requested),
      Context(path: path),
      file: file, line: line)
  }

  /// Another thread is in the midst of using the store.
  package static func usedByOtherThread(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeClosed, .usedByOtherThread(path: path), Context(path: path), file: file, line: line)
  }

  /// The store has been closed.
  package static func storeClosed(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeClosed, .storeClosed(path: path),
      Context(path: path),
      file: file, line: line)
  }

  /// Another process or thread has migrated the store since it was opened.
  package static func schemaChangedElsewhere(
    path: String, changes: [SchemaChange], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaChangedElsewhere, .schemaChangedElsewhere(path: path, changes: changes),
      Context(path: path).with(\.changes, changes),
      file: file, line: line)
  }

  /// The store was opened read-only.
  package static func readOnlyStore(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .readOnlyStore, .readOnlyStore(verb: verb),
      Context(),
      file: file, line: line)
  }
}
