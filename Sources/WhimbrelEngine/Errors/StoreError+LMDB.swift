internal import Foundation
package import WhimbrelLMDB

extension StoreError {
  /// Runs `body`, and turns errors of LMDB into errors that name a file.
  static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as LMDBError { throw describing(error, path: path) }
  }

  /// Returns the store error for an LMDB error.
  package static func describing(
    _ error: LMDBError, path: String, environment: Environment? = nil
  ) -> StoreError {
    let error = environment?.cause(of: error) ?? error
    if let damage = error.damage {
      return FilePreflight.explain(damage.failure, path, table: damage.table)
    }
    return switch error.code {
    case .noSpace where error.function == Environment.reservation: .noSpaceForLockFile(path: path)
    case .noSpace: .noSpace(path: path, needed: nil, available: nil)
    case .quotaExceeded: .diskQuotaExceeded(path: path)
    case .fileTooLarge: .diskQuotaExceeded(path: path)
    case .accessDenied: .permissionDenied(path: path)
    case .noSuchFile: .fileNotFound(path: path)
    case .isDirectory: .isDirectory(path: path)
    case .nameTooLong: .nameTooLong(path: path)
    case .readOnlyFileSystem: .readOnlyFolder(path: path)
    case .noMemory: .addressSpaceExhausted(path: path, size: Environment.defaultMapSize)
    case .mapFull:
      .mapFull(path: path, size: environment.map { (try? $0.information().mapSize) ?? 0 } ?? 0)
    case .mapResized: .enlargedElsewhere(path: path)
    case .readersFull: .tooManyReaders(path: path, limit: Environment.maximumReaders)
    case .tablesFull: .tooManyTables(path: path, limit: Environment.maximumTables)
    case .nestedWrite: .nestedWrite()
    case .closed: .storeClosed(path: path)
    case .hardLinked: .hardLinked(path: path, otherName: SecondNames(path: path).find())
    case .lockFileReplaced: .lockFileReplaced(path: path)
    case .otherLockFile: .otherLockFile(path: path)
    case .otherContainer: .otherContainer(path: path)
    case .fileReplaced: .storeMoved(path: path)
    case .busy: .fileBusy(path: path)
    case .usedAfterFork: .usedAfterFork(path: path, openedBy: nil)
    case .otherSettings:
      .openWithOtherSettings(
        path: path, setting: "isReadOnly", current: "true", requested: "false")
    case .inputOutput:
      // LMDB: reports a partial write to the disk as EIO.
      if FilePreflight.isDiskFull(beside: path) {
        .noSpace(path: path, needed: nil, available: nil)
      } else if FilePreflight.isSizeLimited(path) {
        .diskQuotaExceeded(path: path)
      } else {
        .ioError(path: path, number: error.code.rawValue)
      }
    case .panic: .commitFailedBefore(path: path)
    case .versionMismatch: .lockFileUnusable(path: path, detail: error.description)
    case .otherLibrary: .wrongLibrary(path: path, version: Environment.libraryVersion)
    default:
      error.code.rawValue > 0
        ? .ioError(path: path, number: error.code.rawValue)
        : .damaged(path: path, detail: error.description)
    }
  }
}
