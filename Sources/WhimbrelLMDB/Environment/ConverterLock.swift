internal import Foundation

/// A lock for converting the objects of a file. Of all processes that have the file open, one holds
/// it.
///
/// The system releases it when the process dies.
package struct ConverterLock: ~Copyable {
  private let descriptor: Int32
  /// The locked byte, far beyond the end of any file.
  private static let byte: Int64 = (1 << 62) + 5

  /// Takes the lock. Returns nil if another process, or another environment of this one, holds it.
  ///
  /// LMDB: opening and closing the data file is safe. Only closing the lock file would drop LMDB's
  /// locks.
  package init?(_ environment: Environment) throws(LMDBError) {
    let descriptor = unsafe open(environment.path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: .init(rawValue: errno), function: "open") }
    do throws(LMDBError) {
      guard try ByteLock.take(Self.byte, .exclusive, in: descriptor) else {
        close(descriptor)
        return nil
      }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  deinit {
    ByteLock.drop(Self.byte, in: descriptor)
    close(descriptor)
  }
}
