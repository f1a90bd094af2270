internal import CWhimbrelLMDB
internal import Foundation

/// An error of an LMDB call: its code, the C function and the likely cause.
package struct LMDBError: Error, Hashable, Sendable {
  /// The code from LMDB or the operating system.
  package let code: Code
  /// The C function that returned the code.
  package let function: String
  /// The damage of a page that was read without LMDB, or nil.
  package let damage: PageDamage?

  package init(code: Code, function: String) {
    self.code = code
    self.function = function
    damage = nil
  }

  /// Creates the error for a damaged page.
  package init(_ damage: PageDamage) {
    code = .corrupted
    function = "page"
    self.damage = damage
  }

  /// Creates the error for pages that cannot be read: that of the operating system, or the one for
  /// a damaged page.
  init(_ failure: FileStructure.Failure, table: String? = nil, function: String = "page") {
    if case .io(let code) = failure {
      self.init(code: Code(rawValue: code), function: function)
    } else {
      self.init(PageDamage(table: table, failure: failure))
    }
  }

  /// A return code. Codes of LMDB are negative, those of the operating system
  /// positive.
  package struct Code: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let keyExists = Code(rawValue: MDB_KEYEXIST)
    package static let notFound = Code(rawValue: MDB_NOTFOUND)
    package static let pageNotFound = Code(rawValue: MDB_PAGE_NOTFOUND)
    package static let corrupted = Code(rawValue: MDB_CORRUPTED)
    package static let panic = Code(rawValue: MDB_PANIC)
    package static let versionMismatch = Code(rawValue: MDB_VERSION_MISMATCH)
    package static let invalid = Code(rawValue: MDB_INVALID)
    package static let mapFull = Code(rawValue: MDB_MAP_FULL)
    package static let tablesFull = Code(rawValue: MDB_DBS_FULL)
    package static let readersFull = Code(rawValue: MDB_READERS_FULL)
    package static let transactionFull = Code(rawValue: MDB_TXN_FULL)
    package static let mapResized = Code(rawValue: MDB_MAP_RESIZED)
    package static let incompatible = Code(rawValue: MDB_INCOMPATIBLE)
    package static let badTransaction = Code(rawValue: MDB_BAD_TXN)
    package static let badValueSize = Code(rawValue: MDB_BAD_VALSIZE)
    package static let badTable = Code(rawValue: MDB_BAD_DBI)
    package static let accessDenied = Code(rawValue: EACCES)
    package static let noSuchFile = Code(rawValue: ENOENT)
    package static let isDirectory = Code(rawValue: EISDIR)
    package static let noSpace = Code(rawValue: ENOSPC)
    package static let quotaExceeded = Code(rawValue: EDQUOT)
    package static let fileTooLarge = Code(rawValue: EFBIG)
    package static let inputOutput = Code(rawValue: EIO)
    package static let noMemory = Code(rawValue: ENOMEM)
    package static let readOnlyFileSystem = Code(rawValue: EROFS)
    package static let busy = Code(rawValue: EBUSY)
    package static let nameTooLong = Code(rawValue: ENAMETOOLONG)
    /// Not an LMDB code: the environment was opened before `fork`.
    package static let usedAfterFork = Code(rawValue: -1)
    /// Not an LMDB code: the file is open in this process with other settings.
    package static let otherSettings = Code(rawValue: -2)
    /// Not an LMDB code: this thread already has a write transaction.
    package static let nestedWrite = Code(rawValue: -3)
    /// Not an LMDB code: the transaction or the file has been closed.
    package static let closed = Code(rawValue: -4)
    /// Not an LMDB code: the file has more than one name.
    package static let hardLinked = Code(rawValue: -5)
    /// Not an LMDB code: the lock file is not the one that LMDB has open.
    package static let lockFileReplaced = Code(rawValue: -6)
    /// Not an LMDB code: the path does not lead to the open file.
    package static let fileReplaced = Code(rawValue: -7)
    /// Not an LMDB code: the files of the linked LMDB have another format.
    package static let otherLibrary = Code(rawValue: -8)
    /// Not an LMDB code: another process has the file open with another lock file.
    package static let otherLockFile = Code(rawValue: -9)
    /// Not an LMDB code: a process with other process IDs has the file open.
    package static let otherContainer = Code(rawValue: -10)
  }
}

/// The damage of a page, and the table that the page belongs to.
package struct PageDamage: Error, Hashable, Sendable {
  /// The name of the table, or nil for the main one and the meta pages.
  package let table: String?
  package let failure: FileStructure.Failure
}

extension LMDBError: CustomStringConvertible {
  /// The function, LMDB's message and the likely cause.
  package var description: String {
    let words = unsafe String(cString: mdb_strerror(code.rawValue))
    let reason = likelyCause.map { "; \($0)" } ?? ""
    return "\(function): \(words) (\(code.rawValue))\(reason)"
  }

  /// The likely cause of the error, if LMDB's own message does not name it.
  package var likelyCause: String? {
    switch code {
    case .panic: "an earlier write failed partway; close the store and open it again"
    case .versionMismatch: "the file or its lock file was written by another version of LMDB"
    case .invalid: "the file is not an LMDB file, or its lock file is not an LMDB lock file"
    case .mapFull: "the file has grown to its maximum size"
    case .readersFull: "too many snapshots are open at once"
    case .noMemory: "the address space is too small for the maximum size of the file"
    case .corrupted, .pageNotFound: "the file is damaged"
    case .badTable: "a table was dropped or created by another transaction"
    case .usedAfterFork: "the store was opened before fork; open it in the child"
    case .nestedWrite: "this thread is already writing to the file"
    case .otherSettings: "the file is open in this process with other settings"
    case .closed: "the store has been closed"
    case .hardLinked: "the file has another hard link"
    case .lockFileReplaced: "the lock file was deleted or replaced while the file was open"
    case .fileReplaced: "the file was deleted, moved or replaced while it was open"
    case .otherLockFile: "another process has the file open with another lock file"
    case .otherContainer: "a process in another PID namespace has the file open"
    case .otherLibrary: "the files of the linked version of LMDB have another format"
    default: nil
    }
  }

  /// Throws unless the code means success.
  static func check(_ code: Int32, _ function: String) throws(LMDBError) {
    guard code == MDB_SUCCESS else {
      throw LMDBError(code: Code(rawValue: code), function: function)
    }
  }
}
