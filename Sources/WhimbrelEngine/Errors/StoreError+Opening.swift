internal import Foundation

// The errors of opening and using a store.

extension StoreError {
  package static func fileNotFound(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .fileNotFound,
      .store(
        "open", path, "the file does not exist",
        "Check the path. Opening a store for writing creates the file."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a symbolic link to a file that does not exist.
  package static func danglingLink(
    path: String, target: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .fileNotFound,
      .store(
        "open", path,
        "it is a symbolic link to \(quoted(target)), and that file does not exist",
        "Remove the link, or create the store at the path that it leads to."),
      Context(path: path), file: file, line: line)
  }

  package static func parentFolderMissing(
    path: String, verb: String = "open", file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .parentFolderMissing,
      .store(
        verb, path, "its folder \(quoted(folder(of: path))) does not exist",
        "Create the folder first."),
      Context(path: path), file: file, line: line)
  }

  package static func isDirectory(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .isDirectory,
      .store(
        "open", path, "it is a folder",
        "Give the path of a file, such as 'default.whimbrel' in that folder."),
      Context(path: path), file: file, line: line)
  }

  package static func emptyFile(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .emptyFile,
      .store(
        "open", path, "the file is empty", "Delete it to create a new store, or restore a copy."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a file of another format.
  package static func notAStore(
    path: String, detail: String? = nil, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .notAStore,
      .store(
        "open", path, "it is not a Whimbrel store" + (detail.map { "; \($0)" } ?? ""),
        "Check the path. The file is unchanged."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a file that is shorter than its header says.
  package static func truncated(
    path: String, expectedBytes: Int, actualBytes: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .truncated,
      .store(
        "open", path,
        "the file is truncated: it has \(actualBytes) bytes and needs \(expectedBytes)",
        "Restore a copy of the file."),
      Context(path: path, count: actualBytes, limit: expectedBytes), file: file, line: line)
  }

  /// Returns the error for a path that the system does not accept, or to which the names of the
  /// files beside the store cannot be added.
  package static func nameTooLong(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let size = path.utf8.reversed().prefix { $0 != UInt8(ascii: "/") }.count
    let limit = TemporaryFiles.longestName
    let (reason, recovery) =
      size > limit
      ? (
        "its name has \(size) bytes, which leaves no room for the names of the files beside it",
        "Give the store a name of at most \(limit) bytes."
      )
      : ("its path is too long for the system", "Move the store to a folder with a shorter path.")
    return StoreError(
      .ioError, .store("use", path, reason, recovery),
      Context(path: path, count: size, limit: limit).with(\.systemErrorNumber, ENAMETOOLONG),
      file: file, line: line)
  }

  /// Returns the error for a file whose content breaks a rule of the format.
  package static func damaged(
    path: String, detail: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .damaged,
      .store(
        "read", path, "the file is damaged: \(detail)",
        """
        Restore a copy of the file. 'whimbrel check' lists what is damaged, and 'whimbrel salvage' \
        copies what can be read into a new store.
        """),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a file that a newer version of Whimbrel wrote.
  package static func formatTooNew(
    path: String, found: Int, supported: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .formatTooNew,
      .store(
        "open", path,
        "its format version is \(found), and this version of Whimbrel supports up to \(supported)",
        "Open it with a newer version of Whimbrel."),
      Context(path: path, count: found, limit: supported), file: file, line: line)
  }

  /// Returns the error for a file that a newer version of the app migrated.
  package static func schemaVersionTooNew(
    path: String, found: SchemaVersion, declared: SchemaVersion, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaVersionTooNew,
      .store(
        "open", path, "its schema version is \(found) and this app declares \(declared)",
        "Open it with a newer version of the app, or restore a copy made before it was upgraded."),
      Context(path: path, stored: found, declared: declared), file: file, line: line)
  }

  /// Returns the error for models that changed while the schema version did
  /// not.
  package static func schemaMismatch(
    path: String, version: SchemaVersion, changes: [SchemaChange], file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaMismatch,
      .store(
        "open", path, "migration is required due to the following errors",
        items: changes.map(\.description), "Declare a schema version above \(version)."),
      Context(path: path, stored: version, declared: version).with(\.changes, changes), file: file,
      line: line)
  }

  /// Returns the error for a read-only store that needs a migration.
  package static func migrationNeeded(
    path: String, found: SchemaVersion, declared: SchemaVersion, changes: [SchemaChange] = [],
    file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let versions =
      found == declared
      ? "the models have changed"
      : "its schema version is \(found), this app declares \(declared)"
    let other =
      found == declared
      ? "the models as they were" : "the schema version \(found) with its models"
    return StoreError(
      .migrationNeeded,
      .store(
        "open", path, "\(versions), and a read-only store is not migrated",
        items: changes.map(\.description), "Open it for writing once, or declare \(other)."),
      Context(path: path, stored: found, declared: declared).with(\.changes, changes), file: file,
      line: line)
  }

  package static func permissionDenied(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .permissionDenied,
      .store(
        "open", path, "permission was denied",
        "Check the permissions of the file and of its folder."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a folder in which a new store, or the lock file of a store, cannot be
  /// created.
  package static func readOnlyFolder(
    path: String, verb: String = "open", file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .readOnlyFolder,
      verb == "create"
        ? .store(
          verb, path, "its folder \(quoted(folder(of: path))) cannot be written to",
          "Choose a folder in which you may create files.")
        : .store(
          verb, path, "its folder cannot be written to, and the lock file must be created there",
          "Move the store to a writable folder."),
      Context(path: path), file: file, line: line)
  }

  package static func lockFileUnusable(
    path: String, detail: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .lockFileUnusable,
      .store(
        "open", path, "its lock file \(quoted(path + "-lock")) cannot be used: \(detail)",
        "Check the permissions of the lock file."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a full disk, or for less free space than a migration
  /// needs.
  package static func noSpace(
    path: String, needed: Int? = nil, available: Int? = nil, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    var reason = "the disk is full"
    if let needed {
      reason = "\(needed) bytes of disk space are needed"
      if let available { reason += " and \(available) are free" }
    }
    return StoreError(
      .noSpace,
      .store("write to", path, reason, "Free some space and try again. Nothing was changed."),
      Context(path: path, count: available, limit: needed), file: file, line: line)
  }

  /// Returns the error for a disk that is too full for the lock file, which readers need, too.
  package static func noSpaceForLockFile(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .noSpace,
      .store(
        "open", path, "the disk is full, and the lock file must be created there",
        "Free some space and try again."),
      Context(path: path), file: file, line: line)
  }

  package static func diskQuotaExceeded(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .diskQuotaExceeded,
      .store(
        "write to", path, "the disk quota, or the limit on the size of a file, is reached",
        "Free some space, or raise the limit, and try again. Nothing was changed."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when the process cannot map as much memory as the size
  /// limit of the store.
  package static func addressSpaceExhausted(
    path: String, size: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .addressSpaceExhausted,
      .store(
        "open", path, "this process has no address space left for a memory map of \(size) bytes",
        "Configure a smaller 'maximumSize'."),
      Context(path: path, limit: size), file: file, line: line)
  }

  /// Returns the error for a store that has grown to its maximum size.
  package static func mapFull(
    path: String, size: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .mapFull,
      .store(
        "write to", path, "it has reached its maximum size of \(size) bytes",
        "Configure a larger 'maximumSize', or delete objects. The store is unchanged."),
      Context(path: path, limit: size), file: file, line: line)
  }

  /// Returns the error when another process has made the file larger than the map of this process,
  /// which snapshots of this process keep from growing.
  package static func enlargedElsewhere(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .mapFull,
      .store(
        "use", path,
        "another process has made it larger than the 'maximumSize' with which this process opened "
          + "it, and other stores or frozen objects of this process still show an earlier commit",
        "Refresh or close those stores and release the frozen objects, then try again; or "
          + "configure a larger 'maximumSize'."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when all reader slots of the lock file are in use.
  package static func tooManyReaders(
    path: String, limit: Int, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .tooManyReaders,
      .store(
        "read", path, "all of its \(limit) reader slots are in use",
        "Close stores and results that are no longer needed."),
      Context(path: path, limit: limit), file: file, line: line)
  }

  /// Returns the error for any other error of the operating system.
  package static func ioError(
    path: String, number: Int32, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .ioError,
      .store(
        "use", path,
        "the operating system reported \(quoted(systemMessage(number))) (error \(number))",
        advice(number)),
      Context(path: path).with(\.systemErrorNumber, number), file: file, line: line)
  }

  private static func advice(_ number: Int32) -> String {
    switch number {
    case EMFILE, ENFILE: "Close unused files, or raise the limit on open files."
    case EAGAIN: "End unused threads, or raise the limits on threads and address space."
    default: "Check the disk and try again."
    }
  }

  /// Returns the error for a process that runs with a version of LMDB whose files have another format.
  package static func wrongLibrary(
    path: String, version: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .ioError,
      .store(
        "open", path,
        "this process runs with LMDB \(version), whose files have another format than those of LMDB 0.9",
        "Install LMDB 0.9 and build the app again. The store is unchanged."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for any use of a store after one of its commits has failed at the last step,
  /// when LMDB does not know what is on the disk.
  package static func commitFailedBefore(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .ioError,
      .store(
        "use", path, "an earlier commit failed at its last step",
        "Check the disk. Close the store everywhere in this process, then open it again."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a store that was opened before the process was
  /// forked.
  package static func usedAfterFork(
    path: String, openedBy: Int32?, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let reason =
      openedBy.map { "process \($0) opened it, and this process was forked from that one" }
      ?? "it was opened before this process was forked"
    return StoreError(
      .usedAfterFork,
      .store("use", path, reason, "Open the store again in this process."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for a contradiction in a configuration.
  package static func invalidConfiguration(
    path: String, reason: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidConfiguration,
      .store(
        "open", path, "its configuration is not valid: \(reason)", "Correct the configuration."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for one or more contradictions in a configuration.
  package static func invalidConfiguration(
    path: String, problems: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    let only = problems.count == 1 ? ": \(problems[0])" : ""
    return StoreError(
      .invalidConfiguration,
      .store(
        "open", path, "its configuration is not valid\(only)",
        items: problems.count == 1 ? [] : problems, "Correct the configuration."),
      Context(path: path).with(\.problems, problems), file: file, line: line)
  }

  /// Returns the error for models that break the rules of schemas.
  package static func invalidSchema(
    problems: [String], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .invalidSchema,
      Sentence(
        "use the schema", "schema validation failed due to the following errors", items: problems,
        "Correct the models, and add those that are missing to the 'models' of the configuration."),
      Context().with(\.problems, problems), file: file, line: line)
  }

  /// Returns the error for a store that this process already has open with
  /// other settings.
  package static func openWithOtherSettings(
    path: String, setting: String, current: String, requested: String, file: String = #fileID,
    line: Int = #line
  ) -> StoreError {
    StoreError(
      .openWithOtherSettings,
      .store(
        "open", path,
        "this process has it open with \(quoted(setting)) \(current), and now asks for \(requested)",
        "Use the same configuration everywhere, or close the other store first."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error for using a store while the thread that opened it
  /// writes.
  package static func usedByOtherThread(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeClosed,
      .store(
        "use", path, "it was opened on another thread, and that thread is writing to it",
        "Open a store on each thread, and use objects and results only with their own store."),
      Context(path: path), file: file, line: line)
  }

  package static func storeClosed(
    path: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .storeClosed,
      .store("use", path, "it has been closed", "Open it again."),
      Context(path: path), file: file, line: line)
  }

  /// Returns the error when another process or thread has migrated the store
  /// since it was opened.
  package static func schemaChangedElsewhere(
    path: String, changes: [SchemaChange], file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .schemaChangedElsewhere,
      .store(
        "use", path, "another process or thread has changed its schema",
        items: changes.map(\.description), "Open it again with the models of the new schema."),
      Context(path: path).with(\.changes, changes), file: file, line: line)
  }

  /// Returns the error for a change of a store that was opened read-only.
  package static func readOnlyStore(
    verb: String, file: String = #fileID, line: Int = #line
  ) -> StoreError {
    StoreError(
      .readOnlyStore,
      Sentence(verb, "the store was opened read-only", "Open it without 'isReadOnly'."),
      Context(), file: file, line: line)
  }

  /// Returns the error for a write in a closure of `values`, which would be called again and again.
  package static func writeInValues(file: String = #fileID, line: Int = #line) -> StoreError {
    StoreError(
      .readOnlyStore,
      Sentence(
        "write", "the closure of 'values' can only read from its store",
        "Only read in the closure, and write with another store."),
      Context(), file: file, line: line)
  }
}
