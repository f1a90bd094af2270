/// Counters of the work that answered a request.
struct QueryTally {
  /// The number of index entries that were read to find or order objects.
  var indexEntries = 0
  var records = 0
  /// Whether a scan could use several cores.
  var mayUseCores = false
  /// The indexes that found objects.
  var used: [IndexUse] = []
  /// Whether all objects were scanned.
  var isScan = false
  /// The classes that were scanned to find the objects that satisfy a condition on the target of a
  /// link.
  var scannedTargets: [String] = []
  var order: IndexOrder?
  /// The sorts in memory: for each, the number of objects kept, or nil for all.
  var sorts: [Int?] = []
}

extension QueryTally {
  /// An index that found objects of a class.
  struct IndexUse {
    let index: QueryIndex
    let table: ClassTable
    let entries: Entries

    /// The entries that were read.
    enum Entries {
      case passing([QueryTest])
      /// The entries of links to a number of objects of a class.
      case leading(toCount: Int, of: String)
    }
  }

  /// Adds the work of another run, which found objects for this one.
  mutating func add(_ other: QueryTally) {
    indexEntries += other.indexEntries
    records += other.records
    used += other.used
    scannedTargets += other.scannedTargets
  }
}
