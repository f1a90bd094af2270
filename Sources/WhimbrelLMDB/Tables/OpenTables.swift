internal import Synchronization

/// The tables of a file that this process has opened.
struct OpenTables: ~Copyable, Sendable {
  private let byName = Mutex<[String: Table]>([:])
  /// The names by handles.
  private let names = Mutex<[Int: String]>([:])
  private let openingCount = Atomic<UInt64>(0)
  private let closingCount = Atomic<UInt64>(0)

  /// Calls `body` with the tables by their names. Handles are opened and closed only in such calls.
  func withLock<Result: ~Copyable>(
    _ body: (inout sending [String: Table]) throws(LMDBError) -> sending Result
  ) throws(LMDBError) -> sending Result {
    try byName.withLock(body)
  }

  /// Returns the name of the open table with a handle.
  func openName(of handle: UInt32) -> String? {
    byName.withLock { $0.first { $0.value.handle == handle }?.key }
  }

  /// Returns the name of the table that has, or last had, a handle.
  func name(of handle: UInt32) -> String? { names.withLock { $0[Int(handle)] } }

  /// Returns the table for a new handle, and records its name.
  func add(_ name: TableName, _ handle: UInt32) -> Table {
    names.withLock { $0[Int(handle)] = name.name }
    return Table(handle: handle, name)
  }

  /// The number of times that tables were opened. A transaction sees those opened before it began.
  var openings: UInt64 { openingCount.load(ordering: .acquiring) }

  /// The number of times that handles were closed. Handles from before the last time may belong to
  /// other tables now.
  var epoch: UInt64 { closingCount.load(ordering: .acquiring) }

  func didOpen() { openingCount.add(1, ordering: .acquiringAndReleasing) }
  func willClose() { closingCount.add(1, ordering: .acquiringAndReleasing) }
}
