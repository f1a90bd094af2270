internal import CWhimbrelLMDB
internal import Synchronization

/// A named table of a file, or the main table, which holds the names.
package struct Table: Hashable, Sendable {
  let handle: UInt32
  package let keys: Keys
  package let guarding: Guard
  /// The seed of the checksums after the values, or 0 if there are none.
  let seed: UInt64

  init(handle: UInt32, keys: Keys, guarding: Guard = .nothing, seed: UInt64 = 0) {
    (self.handle, self.keys, self.guarding, self.seed) = (handle, keys, guarding, seed)
  }

  init(handle: UInt32, _ name: TableName) {
    let seed: UInt64 =
      if case .entries(let salt) = name.guarding {
        EntryChecksum.seed(of: name.name, salt: salt)
      } else { 0 }
    self.init(handle: handle, keys: name.keys, guarding: name.guarding, seed: seed)
  }

  /// The protection of a table's entries against damage.
  package enum Guard: Hashable, Sendable {
    /// No protection: the values have checksums of their own, or need none.
    case nothing
    /// Values have checksums of their own. The number of entries is also stored separately.
    case count
    /// Each entry has a checksum after its value. Every read verifies it and leaves it out of the
    /// value. The salt distinguishes the entries from those of a table of the same name in another
    /// file.
    case entries(salt: UInt64)
  }

  /// The type of the keys in a table.
  package enum Keys: Hashable, Sendable {
    /// Bytes, ordered lexicographically.
    case bytes
    /// Unsigned 64-bit integers.
    case integers
  }

  /// The main table. It has the names of the other tables, and further entries.
  ///
  /// LMDB: the main database has the fixed handle 1.
  package static let main = Table(handle: 1, keys: .bytes)

  /// The lists of free pages, each preceded by its length.
  ///
  /// LMDB: the handle of its database is 0.
  static let freeList = Table(handle: 0, keys: .integers)

  /// A table that does not exist in any file. It reads as empty; writing to it is an error.
  ///
  /// LMDB: no database gets this handle, and using it returns `EINVAL`.
  package static let none = Table(handle: .max, keys: .bytes)
}

/// The name of a table, the type of its keys, and its protection.
package struct TableName: Hashable, Sendable {
  package let name: String
  package let keys: Table.Keys
  package let guarding: Table.Guard

  package init(_ name: String, keys: Table.Keys, guarding: Table.Guard = .nothing) {
    self.name = name
    self.keys = keys
    self.guarding = guarding
  }

  fileprivate var flags: UInt32 { keys == .integers ? UInt32(MDB_INTEGERKEY) : 0 }
}

extension Environment {
  /// Opens tables by name. Names that the file does not have are left out of the result.
  ///
  /// Earlier snapshots do not see a table that is first opened here.
  ///
  /// The corresponding C function is `mdb_dbi_open`.
  package func openTables(_ names: [TableName]) throws(LMDBError) -> [String: Table] {
    try requireSameProcess()
    return try tables.withLock { open throws(LMDBError) in
      if names.contains(where: { open[$0.name] == nil }) {
        // LMDB: a handle opened in a read-only transaction is kept on commit.
        let transaction = try ReadTransaction(self)
        var opened: [String: Table] = [:]
        for name in names where open[name.name] == nil {
          var handle: MDB_dbi = 0
          let code = unsafe mdb_dbi_open(
            transaction.view.handle, name.name, name.flags, &handle)
          if code == MDB_NOTFOUND { continue }
          try LMDBError.check(code, "mdb_dbi_open")
          opened[name.name] = tables.add(name, handle)
        }
        try transaction.commit()
        open.merge(opened) { $1 }
        if !opened.isEmpty { tables.didOpen() }
      }
      var found: [String: Table] = [:]
      for name in names { found[name.name] = open[name.name] }
      return found
    }
  }

  /// Creates and opens empty tables. Existing ones are only opened.
  ///
  /// - Parameter body: Further writes in the transaction that creates or opens tables, if there is
  ///   one. It may be called again if the map was full.
  package func createTables(
    _ names: [TableName], also body: (WriteView) throws(LMDBError) -> Void = { _ in }
  ) throws(LMDBError) -> [String: Table] {
    try requireSameProcess()
    while true {
      do throws(LMDBError) {
        return try createTablesOnce(names, body)
      } catch {
        guard error.code == .mapFull else { throw error }
        try removeDeadReaders()
        try grow(to: information().mapSize * 2)
      }
    }
  }

  /// Creates tables. Throws if the map is full.
  ///
  /// The transaction begins before the lock is taken, because another thread may open tables while
  /// it writes. The lock is held until the commit, which is when LMDB publishes new handles.
  private func createTablesOnce(
    _ names: [TableName], _ body: (WriteView) throws(LMDBError) -> Void
  ) throws(LMDBError) -> [String: Table] {
    var transaction: WriteTransaction? = try WriteTransaction(self)
    return try tables.withLock { open throws(LMDBError) in
      var opened: [String: Table] = [:]
      // An abort must happen inside the lock, because it releases handles.
      guard let writing = transaction.take() else { return opened }
      let missing = names.filter { open[$0.name] == nil }
      for name in missing {
        var handle: MDB_dbi = 0
        try LMDBError.check(
          unsafe mdb_dbi_open(
            writing.view.reading.handle, name.name, name.flags | UInt32(MDB_CREATE), &handle),
          "mdb_dbi_open")
        let table = tables.add(name, handle)
        try writing.view.reading.willWrite(table)
        opened[name.name] = table
      }
      if missing.isEmpty {
        writing.abort()
      } else {
        try body(writing.view)
        try writing.commit()
      }
      open.merge(opened) { $1 }
      if !opened.isEmpty { tables.didOpen() }
      var found: [String: Table] = [:]
      for name in names { found[name.name] = open[name.name] }
      return found
    }
  }

  /// Removes tables from the file. Returns whether their names are removed too.
  ///
  /// LMDB closes the handle of a dropped table before the commit. A reader with the old handle
  /// could then read the rows of another table. Names are therefore removed only while no other
  /// transaction of this process is alive. Otherwise the tables are emptied, and their names stay
  /// until a later call.
  ///
  /// - Parameter body: Further writes in the transaction that changes the tables.
  ///
  /// The corresponding C function is `mdb_drop`.
  @discardableResult
  package func dropTables(
    _ names: [TableName], also body: (WriteView) throws(LMDBError) -> Void = { _ in }
  ) throws(LMDBError) -> Bool {
    let found = try openTables(names)
    guard !found.isEmpty else { return true }
    // The transaction begins first, because readers wait while the gate is held alone.
    var transaction: WriteTransaction? = try WriteTransaction(self)
    let dropped: Void? = try tables.withLock { open throws(LMDBError) -> Void? in
      guard let writing = transaction.take() else { return nil }
      // Another thread may have dropped the table, and its handle may now belong to another.
      let present = found.filter { open[$0.key] == $0.value }
      for (name, table) in present {
        try writing.view.reading.willWrite(.main)
        try writing.view.reading.verifyAllPages(of: table, named: name)
      }
      var ending: WriteTransaction? = writing
      return try gate.alone { () throws(LMDBError) in
        guard let writing = ending.take() else { return }
        tables.willClose()
        for (name, table) in present {
          try LMDBError.check(
            unsafe mdb_drop(writing.view.reading.handle, table.handle, 1), "mdb_drop")
          open[name] = nil
          try writing.view.remove(.main, TableCount.key(of: name))
        }
        try body(writing.view)
        try writing.commit()
      }
    }
    if dropped != nil { return true }
    try write { view throws(LMDBError) in
      for table in found.values { try view.empty(table) }
      try body(view)
    }
    return false
  }

  /// Returns the names of all tables in the file, sorted.
  package func tableNames() throws(LMDBError) -> [String] {
    try tables.withLock { _ throws(LMDBError) in
      var names: [String] = []
      var start: [UInt8] = []
      while let next = try addTableNames(from: start, to: &names) { start = next }
      return names
    }
  }

  /// Adds the names of tables, beginning with a key of the main table. Returns the key at which the
  /// transaction ran out of handles, or nil at the end.
  private func addTableNames(
    from start: [UInt8], to names: inout [String]
  ) throws(LMDBError) -> [UInt8]? {
    let transaction = try ReadTransaction(self)
    let cursor = try transaction.view.cursor(.main)
    let known = names.count
    var isInside = try start.isEmpty ? cursor.move(to: .first) : cursor.seek(atLeast: start)
    while isInside {
      let name = cursor.key.text
      // LMDB: opening a name whose entry is a plain value is an error. Handles opened here
      // disappear with the transaction.
      var handle: MDB_dbi = 0
      let code = unsafe mdb_dbi_open(transaction.view.handle, name, 0, &handle)
      // A migration may leave more tables than a transaction can open.
      if code == MDB_DBS_FULL, names.count > known { return Array(name.utf8) }
      if code != MDB_INCOMPATIBLE {
        try LMDBError.check(code, "mdb_dbi_open")
        names.append(name)
      }
      isInside = try cursor.move(to: .next)
    }
    return nil
  }
}
