internal import Foundation
internal import WhimbrelLMDB

extension PackedCopy {
  /// Writes the store to a new path. The file appears there only when it is complete and on the
  /// disk.
  ///
  /// - Throws: ``StoreError`` with `inWrite`, `fileExists` or `parentFolderMissing`, or with the
  ///   code for a full disk. No file is left in that case.
  package func write(asNew path: String) throws {
    if session.isWriting { throw StoreError.inWrite(verb: "write a copy of the store") }
    try session.requireOpen()
    try StoreFile.makeNew(path) { temporary in
      // The session's snapshot keeps writers from reusing pages during the check.
      let file = session.file
      try FilePreflight.checkPages(file.environment.openPath, describedAs: file.path)
      _ = try write(to: temporary, describedAs: path) { _, _ in }
    }
  }
}

extension StoreFile {
  /// Copies the file page by page to a new path. The copy appears there only when it is complete
  /// and on the disk.
  ///
  /// - Throws: ``StoreError`` with `fileExists` or `parentFolderMissing`, or with the code for a
  ///   full disk. No file is left in that case.
  package func writeCopy(asNew path: String) throws {
    try Self.makeNew(path) { temporary in
      try StoreError.naming(path) { try copy(to: temporary) }
    }
  }

  /// Creates a file under a temporary name and renames it when it is complete. The file appears at
  /// its path only when it is on the disk.
  ///
  /// - Parameter body: Writes the file to the given path, and waits until it is on the disk.
  /// - Throws: ``StoreError`` with `fileExists`, `parentFolderMissing` or `readOnlyFolder`, or with the
  ///   code of the system, and what `body` throws. No file is left in that case.
  package static func makeNew<Result>(
    _ path: String, _ body: (_ temporary: String) throws -> Result
  ) throws -> Result {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw StoreError.fileExists(path: path) }
    try FilePreflight.requireFolderForNewFile(path)
    let file = try TemporaryFile.new(beside: path)
    defer { file.remove() }
    let temporary = file.path
    let result: Result
    do {
      result = try body(temporary)
    } catch let error as StoreError {
      throw error.describing(temporary, as: path)
    }
    _ = try header(ofFileAt: temporary, describedAs: path)
    FileStepProbe.reach(.copyWhole, path)
    try StoreError.naming(path) {
      let isNamed = try Environment.giveName(path, to: temporary) { () throws(LMDBError) in
        try FilePreflight.syncFolder(of: path)
        FileStepProbe.reach(.copyNamed, path)
      }
      if !isNamed { throw StoreError.fileExists(path: path) }
    }
    return result
  }
}

extension Session {
  /// Writes a copy of the store, as this session sees it, to a new path.
  package func writeCopy(to path: String) throws {
    try file.explaining { try PackedCopy(of: self).write(asNew: path) }
  }
}
