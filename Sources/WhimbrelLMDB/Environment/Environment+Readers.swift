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
    return try slotLines().compactMap { words in
      guard let process = Int32(words[0]), let thread = UInt(words[1], radix: 16),
        let transaction = Int(words[2])
      else { return nil }
      return ReaderSlot(processID: process, thread: thread, transaction: transaction)
    }
  }

  /// Returns whether there are slots with the ID of this process, idle ones included. Before this
  /// process takes its first snapshot, they are those of a dead process.
  ///
  /// LMDB: takes them for slots of this process, and never frees them while the file is open. A
  /// process that calls `exec` leaves such slots. So does one that is killed in a container, where
  /// the next one often has the same ID.
  func hasOwnSlots() throws(LMDBError) -> Bool {
    try slotLines().contains { Int32($0[0]) == getpid() }
  }

  /// Returns the words about each slot: process, thread and transaction. The transaction is "-" if
  /// the slot is idle.
  private func slotLines() throws(LMDBError) -> [[Substring]] {
    var text = ""
    let code = unsafe withUnsafeMutablePointer(to: &text) { text in
      unsafe mdb_reader_list(
        handle,
        { part, context in
          guard let part = unsafe part, let context = unsafe context else { return 0 }
          unsafe context.assumingMemoryBound(to: String.self).pointee += String(cString: part)
          return 0
        }, text)
    }
    guard code >= 0 else {
      throw LMDBError(code: .init(rawValue: code), function: "mdb_reader_list")
    }
    // LMDB: the first line is a heading.
    return text.split(separator: "\n").map { $0.split { $0.isWhitespace } }
      .filter { $0.count == 3 && Int32($0[0]) != nil }
  }

  /// Returns the number of snapshots that other processes hold of this file.
  package func otherReaders() throws(LMDBError) -> Int {
    try readerSlots().count { $0.processID != getpid() }
  }
}
