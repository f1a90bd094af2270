internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// A read-only mapping of a data file, apart from LMDB's.
///
/// LMDB does not tell where its own map is: `me_mapaddr` is the address of a fixed map, and nil
/// without one. Besides, this one outlives LMDB's when that grows, so that a pointer into it never
/// leads nowhere. Both show the same pages of the system's cache, so what a commit wrote is seen
/// here at once.
///
/// It reaches behind the end of the file, where reading is SIGBUS: a ``PageSpace`` says how far.
// Safe: the mapping is read-only. The environment keeps each one until the file is closed.
@safe
final class PageMap: Sendable {
  // Safe: neither the address nor what stands there is ever changed through it.
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
    // Safe: nobody can have the address without keeping this object.
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

  /// Returns a map of the first bytes of the data file at least; all snapshots share it until the
  /// file has outgrown it. Each is kept until the file is closed, so that bytes that somebody holds
  /// on to for too long are wrong ones at worst.
  func pageMap(reaching fileSize: Int) throws(LMDBError) -> PageMap {
    try pageMaps.withLock { maps throws(LMDBError) in
      if let map = maps.last, map.byteCount >= fileSize { return map }
      var statistics = MDB_stat()
      try LMDBError.check(unsafe mdb_env_stat(handle, &statistics), "mdb_env_stat")
      let (descriptor, pageSize) = (try descriptor(), Int(statistics.ms_psize))
      // Twice the size: a file that grows is mapped anew a few times, and not at each commit.
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
