internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// A read-only mapping of a data file, separate from LMDB's.
///
/// LMDB does not reveal the address of its own map: `me_mapaddr` is the address of a fixed map, and
/// nil without one. Besides, this mapping stays when LMDB's map grows, so a pointer into it always
/// remains mapped. Both show the same pages of the system's cache, so data that a commit has
/// written is visible here at once.
///
/// The mapping extends beyond the end of the file, where reading causes SIGBUS. A ``PageSpace``
/// knows the limit.
// Safe: the mapping is read-only. The environment keeps each one until the file is closed.
@safe
final class PageMap: Sendable {
  // Safe: neither the address nor the bytes are ever changed through it.
  nonisolated(unsafe) let base: UnsafeRawPointer
  let byteCount: Int
  let pageSize: Int

  init(descriptor: Int32, byteCount: Int, pageSize: Int) throws(LMDBError) {
    let memory = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw LMDBError(code: .init(rawValue: errno), function: "mmap")
    }
    unsafe base = UnsafeRawPointer(memory)
    self.byteCount = byteCount
    self.pageSize = pageSize
  }

  deinit {
    // Safe: code that has the address keeps this object.
    unsafe munmap(UnsafeMutableRawPointer(mutating: base), byteCount)
  }
}

extension Environment {
  private static let smallestPageMap = 1 << 28

  /// Returns the descriptor of the data file, which LMDB keeps open.
  ///
  /// The corresponding C function is `mdb_env_get_fd`.
  func descriptor() throws(LMDBError) -> Int32 {
    var descriptor: mdb_filehandle_t = -1
    try LMDBError.check(unsafe mdb_env_get_fd(handle, &descriptor), "mdb_env_get_fd")
    return descriptor
  }

  /// A path that leads to the open data file, also after it was moved, replaced or deleted.
  package var openPath: String {
    get throws(LMDBError) {
      let descriptor = try descriptor()
      return FileIdentity(path: path) == FileIdentity(descriptor: descriptor)
        ? path : "/dev/fd/\(descriptor)"
    }
  }

  /// Returns a map of at least the first bytes of the data file. All snapshots share it until the
  /// file outgrows it. Each map is kept until the file is closed, so bytes that are used for too
  /// long are at worst wrong.
  func pageMap(reaching fileSize: Int) throws(LMDBError) -> PageMap {
    try pool.maps.withLock { maps throws(LMDBError) in
      if let map = maps.last, map.byteCount >= fileSize { return map }
      var statistics = MDB_stat()
      try LMDBError.check(unsafe mdb_env_stat(handle, &statistics), "mdb_env_stat")
      let (descriptor, pageSize) = (try descriptor(), Int(statistics.ms_psize))
      // Twice the size, so that a growing file is mapped again only a few times and not at each
      // commit.
      var size = max(fileSize * 2, Self.smallestPageMap)
      while true {
        do throws(LMDBError) {
          let map = try PageMap(descriptor: descriptor, byteCount: size, pageSize: pageSize)
          maps.append(map)
          return map
        } catch {
          guard error.code == .noMemory, size > fileSize else { throw error }
          size = max(fileSize, size / 2)
        }
      }
    }
  }
}
