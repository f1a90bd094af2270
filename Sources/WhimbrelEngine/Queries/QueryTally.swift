/// What was done to answer a request.
struct QueryTally {
  /// How many entries of indexes were read to find objects, or to put them in order.
  var indexEntries = 0
  /// How many records were read.
  var records = 0
  /// Whether all objects were gone through by as many cores as there were.
  var mayUseCores = false
  /// The indexes that found objects.
  var used: [IndexRanges] = []
  /// Whether all objects were gone through.
  var isScan = false
  /// The index that gave the order.
  var order: IndexOrder?
  /// How the first sort was done in memory: how many were kept, or nil for all.
  var sorts: [Int?] = []
}
