extension Environment {
  /// Returns the number of free pages in the file.
  ///
  /// - Complexity: O(*n*) in the number of free pages.
  package func freePageCount() throws(LMDBError) -> Int {
    let transaction = try ReadTransaction(self)
    // LMDB: the table with handle 0 contains lists of free pages, each preceded by its length.
    let cursor = try transaction.view.cursor(Table(handle: 0, keys: .integers))
    var count = 0
    var isInside = try cursor.move(to: .first)
    while isInside {
      if cursor.value.count >= 8 {
        count += Int(clamping: cursor.value.load(UInt64.self, at: 0))
      }
      isInside = try cursor.move(to: .next)
    }
    return count
  }
}
