import Foundation

/// Limits the size of the files that this process writes, in bytes.
///
/// The system also sends `SIGXFSZ`, which ends the process where it is not blocked.
///
/// - Parameter size: The limit, or nil to end it.
package func limitFiles(to size: Int?) throws {
  #if os(Linux)
    let unlimited = rlim_t.max
  #else
    let unlimited = rlim_t(Int64.max)
  #endif
  var limit = rlimit(rlim_cur: size.map { rlim_t($0) } ?? unlimited, rlim_max: unlimited)
  #if os(Linux)
    let code = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  #else
    let code = unsafe setrlimit(RLIMIT_FSIZE, &limit)
  #endif
  guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
