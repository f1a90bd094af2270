internal import CWhimbrelLMDB

/// The same functions as ``ReadView`` has.
extension PageSnapshot {
  /// Returns the value of a key of eight bytes, or nil. It is valid while the snapshot shows the
  /// same commit.
  ///
  /// - Complexity: O(log *n*).
  package func value(_ table: Table, _ key: UInt64) throws(LMDBError) -> PageBytes? {
    if table == .none { return nil }
    let tree = try tree(table)
    guard tree.hasNumberKeys else {
      var key = key
      return try PageBytes.with(&key) { key throws(LMDBError) in try value(table, key) }
    }
    guard let space else { throw LMDBError(code: .closed, function: "page") }
    do throws(FileStructure.Failure) {
      return try space.value(of: .number(key), in: tree, path)
    } catch {
      throw self.error(error, in: tree.handle)
    }
  }

  /// Returns the value of a key, or nil.
  package func value(_ table: Table, _ key: PageBytes) throws(LMDBError) -> PageBytes? {
    if table == .none { return nil }
    let tree = try tree(table)
    guard key.count > 0, !tree.hasNumberKeys || key.count == 8 else {
      throw LMDBError(code: .badValueSize, function: "page")
    }
    if tree.hasNumberKeys { return try value(table, key.load(UInt64.self, at: 0)) }
    guard let space else { throw LMDBError(code: .closed, function: "page") }
    do throws(FileStructure.Failure) {
      return try space.value(of: .bytes(key), in: tree, path, seed: table.seed)
    } catch {
      throw self.error(error, in: tree.handle)
    }
  }

  /// Returns the value of a key, or nil.
  package func value(_ table: Table, _ key: [UInt8]) throws(LMDBError) -> PageBytes? {
    try PageBytes.with(key) { key throws(LMDBError) in try value(table, key) }
  }

  /// Returns the value of a key, or nil.
  package func value(_ table: Table, _ key: String) throws(LMDBError) -> PageBytes? {
    try value(table, Array(key.utf8))
  }

  /// Returns the number of entries of a table.
  ///
  /// - Complexity: O(1).
  package func count(_ table: Table) throws(LMDBError) -> Int {
    let entries = try statistics(table).entries
    try checkCount(of: table)
    return entries
  }

  /// Returns the size of a table as its header claims it.
  package func statistics(_ table: Table) throws(LMDBError) -> ReadView.Statistics {
    if table == .none { return ReadView.Statistics(entries: 0, pages: 0, depth: 0) }
    let tree = try tree(table)
    return ReadView.Statistics(
      entries: Int(clamping: tree.entries), pages: Int(clamping: tree.pages), depth: tree.depth)
  }

  /// Returns a cursor over a table.
  package func cursor(_ table: Table) throws(LMDBError) -> PageCursor {
    if table == .none { return PageCursor(self, nil) }
    return PageCursor(self, try tree(table), seed: table.seed)
  }
}
