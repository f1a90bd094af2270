/// Counters of the work that answered a request.
struct QueryTally {
  /// The number of index entries that were read to find or order objects.
  var indexEntries = 0
  var records = 0
  /// Whether a scan could use several cores.
  var mayUseCores = false
  /// The indexes that found objects.
  var used: [IndexRanges] = []
  /// Whether all objects were scanned.
  var isScan = false
  var order: IndexOrder?
  /// The sorts that were done in memory: for each the number of objects kept, or nil for
  /// all.
  var sorts: [Int?] = []
}
