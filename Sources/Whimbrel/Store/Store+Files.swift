public import Foundation
internal import WhimbrelEngine

// MARK: - Closing

extension Store {
  /// Lets go of the file, also while the store or its objects are still referenced.
  ///
  /// ```swift
  /// try store.close()
  /// try Store.deleteFiles(at: url)
  /// ```
  ///
  /// From then on every call of this store that can throw throws `storeClosed`. Its objects and
  /// collections are invalidated: `isInvalidated` is true, and reading a property of one stops the
  /// program, as it does for an object that was deleted. Other stores of the same file go on
  /// working; when the last one in this process has been closed, or has gone away with its objects,
  /// the file itself is closed.
  ///
  /// Closing a store that is closed does nothing.
  ///
  /// - Throws: ``StoreError`` with `inWrite` while a write is in progress.
  public func close() throws {
    if isInWrite { throw StoreError.inWrite(verb: "close the store") }
    session.close()
  }

  /// Whether ``close()`` has been called.
  public var isClosed: Bool { session.isClosed }
}

// MARK: - Files

extension Store {
  /// Whether there is a file at a URL. Whether it is a store shows when it is opened.
  ///
  /// ```swift
  /// if !Store.exists(at: url) { showWelcome() }
  /// ```
  public static func exists(at url: URL) -> Bool {
    url.isFileURL && StoreFile.exists(at: url.path)
  }

  /// Deletes a store: its file, the lock file, and what processes that died have left beside it.
  ///
  /// ```swift
  /// try store.close()
  /// try Store.deleteFiles(at: url)
  /// ```
  ///
  /// Backups, and old files that were moved to start fresh, stay. A process that dies meanwhile
  /// leaves the store, or nothing of it. A store that is damaged is deleted too; a file of another
  /// program is not.
  ///
  /// - Returns: whether there was anything to delete.
  /// - Throws: ``StoreError`` with `storeInUse` while the store is open in this process or
  ///   another one, or is being migrated; with `notAStore` for a file of another program; and with
  ///   `permissionDenied`. Nothing is deleted then.
  @discardableResult
  public static func deleteFiles(at url: URL) throws -> Bool {
    try StoreFile.deleteFiles(at: requireFile(url))
  }

  /// Writes a copy of the store to a URL where nothing is yet, and waits until it is on the disk.
  ///
  /// ```swift
  /// try store.writeCopy(to: folder.appending(path: "zones-2026-11.whimbrel"))
  /// ```
  ///
  /// The copy has what this store shows, whatever others write meanwhile, and nobody waits for it.
  /// It is compact, it has no free pages, and opens as the store does; what is kept to undo a
  /// migration is not in it. It gets its name when it is whole: after an error, or when the process
  /// dies, there is no file at the URL. A process that dies may leave a file beside it which has
  /// the same name with `.new-` and a UUID behind; ``deleteFiles(at:)`` removes that too.
  ///
  /// - Throws: ``StoreError`` with `fileExists`, `parentFolderMissing`, `inWrite` while a write of
  ///   this store is in progress, `damaged`, or `noSpace`.
  /// - Complexity: O(*n*) in the size of the store.
  public func writeCopy(to url: URL) throws {
    try session.writeCopy(to: Self.requireFile(url))
  }

  private static func requireFile(_ url: URL) throws -> String {
    guard url.isFileURL else {
      throw StoreError.invalidConfiguration(
        path: url.absoluteString, reason: "its URL is not that of a file")
    }
    return url.path
  }
}
