internal import CWhimbrelLMDB
internal import Foundation

extension Environment {
  /// A snapshot in the reader table of the file.
  package struct ReaderSlot: Hashable, Sendable {
    package let processID: Int32
    /// The number that the system gives to the thread that took the slot.
    package let thread: UInt
    /// The number of the commit that the snapshot shows.
    package let transaction: Int
  }

  /// Returns the snapshots of this file, in all processes.
  ///
  /// The corresponding C function is `mdb_reader_list`.
  package func readerSlots() throws(LMDBError) -> [ReaderSlot] {
    try requireSameProcess()
    var slots: [ReaderSlot] = []
    // LMDB: prints a heading, then a line for each slot with process, thread
    // and transaction. The transaction is "-" if the slot is idle.
    let code = unsafe withUnsafeMutablePointer(to: &slots) { slots in
      unsafe mdb_reader_list(
        handle,
        { text, context in
          guard let text = unsafe text, let context = unsafe context else { return 0 }
          let words = unsafe String(cString: text).split { $0.isWhitespace }
          guard words.count == 3, let process = Int32(words[0]),
            let thread = UInt(words[1], radix: 16), let transaction = Int(words[2])
          else { return 0 }
          unsafe context.assumingMemoryBound(to: [ReaderSlot].self).pointee.append(
            ReaderSlot(processID: process, thread: thread, transaction: transaction))
          return 0
        }, slots)
    }
    guard code >= 0 else {
      throw LMDBError(code: .init(rawValue: code), function: "mdb_reader_list")
    }
    return slots
  }

  /// Returns the number of snapshots that other processes hold of this file.
  package func otherReaders() throws(LMDBError) -> Int {
    try readerSlots().count { $0.processID != getpid() }
  }
}
