internal import Foundation

/// The lock of the one process, of all that have a file open, that converts its objects.
///
/// The system drops it when the process dies.
package struct ConverterLock: ~Copyable {
  private let descriptor: Int32
  /// A byte far behind the end of any file.
  private static let byte: Int64 = (1 << 62) + 5

  /// Takes the lock, or returns nil if another process, or another environment of this one, has
  /// it.
  ///
  /// LMDB: opening and closing the data file is safe; only the lock file's own locks would be
  /// dropped by it.
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
