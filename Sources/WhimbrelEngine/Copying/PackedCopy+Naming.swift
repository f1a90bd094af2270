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
    var status = stat()
    if unsafe lstat(path, &status) == 0 { throw StoreError.fileExists(path: path) }
    guard FileIdentity(path: FilePreflight.folder(of: path)) != nil else {
      throw StoreError.parentFolderMissing(path: path)
    }
    let temporary = TemporaryFiles(path: path).newPath(.new)
    defer { StoreFile.removeFiles(at: temporary) }
    // The snapshot keeps writers from pages that are being checked.
    try FilePreflight.checkPages(session.file.path, isThorough: true)
    _ = try write(to: temporary, describedAs: path) { _, _ in }
    _ = try StoreFile.header(ofFileAt: temporary, describedAs: path)
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
