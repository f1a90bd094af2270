public import Foundation
internal import WhimbrelEngine

// MARK: - Closing

extension Store {
  /// Closes the store, even if the store or its objects are still referenced.
  ///
  /// ```swift
  /// try store.close()
  /// try Store.deleteFiles(at: url)
  /// ```
  ///
  /// Afterwards every throwing call of this store throws `storeClosed`. Its objects and collections
  /// are invalidated: `isInvalidated` is true, and reading a property stops the program, as for a
  /// deleted object. Other stores of the same file keep working. The file itself is closed when the
  /// last store in this process is closed, or is deallocated together with its objects.
  ///
  /// An asynchronous write whose closure has run is still committed. The file stays open until then:
  /// await such writes before you delete the file.
  ///
  /// Closing a closed store does nothing.
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
  /// Returns whether there is a file at a URL. Only opening it shows whether it is a store.
  ///
  /// ```swift
  /// if !Store.exists(at: url) { showWelcome() }
  /// ```
  public static func exists(at url: URL) -> Bool {
    url.isFileURL && StoreFile.exists(at: url.path)
  }

  /// Deletes a store: its file, its lock file, and temporary files that killed processes have left
  /// beside it.
  ///
  /// ```swift
  /// try store.close()
  /// try Store.deleteFiles(at: url)
  /// ```
  ///
  /// Backups stay, and so do old files that were moved by a fresh start. If the process dies during
  /// the call, either the whole store is left or nothing. A damaged store is deleted too. A file of
  /// another program is not deleted.
  ///
  /// - Returns: Whether there was anything to delete.
  /// - Throws: ``StoreError`` with `storeInUse` while the store is open in this process or in
  ///   another one, or is being migrated; with `notAStore` for a file of another program; with
  ///   `isDirectory` for a folder; with `permissionDenied`. Nothing is deleted then.
  @discardableResult
  public static func deleteFiles(at url: URL) throws -> Bool {
    try StoreFile.deleteFiles(at: requireFile(url))
  }

  /// Writes a copy of the store to a URL where no file exists yet, and waits until the copy is on
  /// the disk.
  ///
  /// ```swift
  /// try store.writeCopy(to: folder.appending(path: "zones-2026-11.whimbrel"))
  /// ```
  ///
  /// The copy contains the snapshot that this store shows, even if others write meanwhile. Writers
  /// do not wait for it. The copy is compact: it has no free pages, and it does not contain what is
  /// kept to undo a migration. It opens as the store does. It gets its name only when it is
  /// complete. After an error, or when the process dies, there is no file at the URL. A process
  /// that dies may leave a temporary file, named after the copy with `.new-` and a UUID appended.
  /// It goes with the next copy to the same URL, and with ``deleteFiles(at:)``.
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
        path: url.absoluteString, reason: "its URL is not a file URL")
    }
    return url.path
  }
}
