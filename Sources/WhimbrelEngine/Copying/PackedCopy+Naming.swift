internal import Foundation
internal import WhimbrelLMDB

extension PackedCopy {
  /// Writes the store to a path where there is nothing yet: it is there only when it is whole and
  /// on the disk.
  ///
  /// - Throws: ``StoreError`` with `inWrite`, `fileExists` or `parentFolderMissing`, and for a disk
  ///   that is full; nothing is left then.
  package func write(asNew path: String) throws {
    if session.isWriting { throw StoreError.inWrite(verb: "write a copy of the store") }
    try session.requireOpen()
    try StoreFile.makeNew(path) { temporary in
      // The snapshot keeps writers from pages that are being checked.
      try FilePreflight.checkPages(session.file.path, isThorough: true)
      _ = try write(to: temporary, describedAs: path) { _, _ in }
    }
  }
}

extension StoreFile {
  /// Writes a copy of the file, page by page, to a path where there is nothing yet: it is there only
  /// when it is whole and on the disk.
  ///
  /// - Throws: ``StoreError`` with `fileExists` or `parentFolderMissing`, and for a disk that is
  ///   full; nothing is left then.
  package func writeCopy(asNew path: String) throws {
    try Self.makeNew(path) { temporary in
      do {
        try copy(to: temporary)
      } catch let error as LMDBError {
        throw StoreError.describing(error, path: path)
      }
    }
  }

  /// Makes a file under a temporary name, and gives it its own when it is whole.
  fileprivate static func makeNew(_ path: String, _ body: (String) throws -> Void) throws {
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw StoreError.fileExists(path: path) }
    guard FileIdentity(path: FilePreflight.folder(of: path)) != nil else {
      throw StoreError.parentFolderMissing(path: path)
    }
    let temporary = TemporaryFiles(path: path).newPath(.new)
    defer { removeFiles(at: temporary) }
    try body(temporary)
    _ = try header(ofFileAt: temporary, describedAs: path)
    FileStepProbe.reach(.copyWhole, path)
    guard unsafe link(temporary, path) == 0 else {
      if errno == EEXIST { throw StoreError.fileExists(path: path) }
      throw StoreError.describing(
        LMDBError(code: .init(rawValue: errno), function: "link"), path: path)
    }
    FilePreflight.syncFolder(of: path)
    FileStepProbe.reach(.copyNamed, path)
  }
}

extension Session {
  /// Writes a copy of the store, as this session shows it, to a path where there is nothing yet.
  package func writeCopy(to path: String) throws {
    do {
      try PackedCopy(of: self).write(asNew: path)
    } catch {
      throw file.explain(error)
    }
  }
}
