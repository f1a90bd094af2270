internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// Returns the number of snapshots that other processes hold of this file.
  ///
  /// The corresponding C function is `mdb_reader_list`.
  package func otherReaders() throws(LMDBError) -> Int {
    try requireSameProcess()
    var count: Int = 0
    // LMDB: prints a heading, then a line for each slot with process, thread
    // and transaction. The transaction is "-" if the slot is idle.
    let code = unsafe withUnsafeMutablePointer(to: &count) { count in
      unsafe mdb_reader_list(
        handle,
        { text, context in
          guard let text = unsafe text, let context = unsafe context else { return 0 }
          let words = unsafe String(cString: text).split { $0.isWhitespace }
          guard words.count == 3, let process = Int32(words[0]), words[2] != "-",
            process != getpid()
          else { return 0 }
          unsafe context.assumingMemoryBound(to: Int.self).pointee += 1
          return 0
        }, count)
    }
    guard code >= 0 else {
      throw LMDBError(code: .init(rawValue: code), function: "mdb_reader_list")
    }
    return count
  }
}
