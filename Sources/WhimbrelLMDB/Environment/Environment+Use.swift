extension Environment {
  /// Returns the number of free pages in the file.
  ///
  /// - Complexity: O(*n*) in the number of free pages.
  package func freePageCount() throws(LMDBError) -> Int {
    let transaction = try ReadTransaction(self)
    let cursor = try transaction.view.cursor(.freeList)
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
