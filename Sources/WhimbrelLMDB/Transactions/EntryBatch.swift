internal import CWhimbrelLMDB

/// A batch of entries of a table whose keys have eight bytes. A scan by batches spends less on
/// calls than one by single entries.
///
/// The entries are valid as long as the transaction's bytes are.
// Safe: it owns its memory, cannot be copied, and checks each index. Its values: rules 1 and 2 of
// ``PageBytes``.
@safe
@usableFromInline
package struct EntryBatch: ~Copyable {
  @usableFromInline
  struct Entry {
    @usableFromInline var key: UInt64
    @usableFromInline var value: PageBytes
  }

  private static let capacity = 64

  @usableFromInline let base: UnsafeMutablePointer<Entry>
  /// The number of entries.
  @usableFromInline package private(set) var count = 0
  /// The sum of the bytes that were touched. They are read so that their pages are loaded.
  private var touched: UInt8 = 0

  /// Creates an empty batch.
  package init() {
    unsafe base = UnsafeMutablePointer.allocate(capacity: Self.capacity)
  }

  deinit { unsafe base.deallocate() }

  /// Returns the key of an entry.
  @inlinable
  @inline(__always)
  package func key(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < count)
    return unsafe base[index].key
  }

  /// Removes all entries.
  package mutating func removeAll() { count = 0 }

  /// Appends an entry. Returns false if the batch is full.
  package mutating func append(_ key: UInt64, _ value: PageBytes) -> Bool {
    guard count < Self.capacity else { return false }
    // Safe: there is room for `capacity` entries.
    unsafe (base + count).initialize(to: Entry(key: key, value: value))
    count += 1
    return true
  }

  /// Returns the value of an entry.
  @inlinable
  @inline(__always)
  package func value(_ index: Int) -> PageBytes {
    precondition(index >= 0 && index < count)
    return unsafe base[index].value
  }

  /// Fills the batch with the entries after the cursor's current entry, or from a key on, up to the
  /// entry with the last key.
  ///
  /// If an offset is given, a byte of each value at that offset is read at once. Memory then loads
  /// these bytes while the following entries are searched.
  ///
  /// Entries whose keys do not have eight bytes count as if they had the key 0.
  ///
  /// - Parameter limit: The limit of entries, in addition to the capacity.
  /// - Returns: Whether there are any.
  package mutating func fill(
    _ cursor: Cursor, from first: UInt64?, through last: UInt64, touching offset: Int?,
    upTo limit: Int = .max
  ) throws(LMDBError) -> Bool {
    let limit = min(limit, Self.capacity)
    count = 0
    if let first {
      guard try cursor.seek(atLeast: first) else { return false }
      guard cursor.integerKey <= last else { return false }
      add(cursor.integerKey, cursor.value, touching: offset)
    }
    if let pages = cursor.pages {
      try fill(pages, through: last, touching: offset, upTo: limit)
      return count > 0
    }
    let hasEntries = unsafe try cursor.withHandle { handle throws(LMDBError) in
      var (key, value) = unsafe (MDB_val(), MDB_val())
      while count < limit {
        let code = unsafe mdb_cursor_get(handle, &key, &value, MDB_NEXT)
        if code == MDB_NOTFOUND { break }
        try cursor.check(code)
        let number = unsafe key.mv_size == 8 ? PageBytes(key).load(UInt64.self, at: 0) : 0
        if number > last { break }
        add(number, unsafe PageBytes(value), touching: offset)
      }
      return count > 0
    }
    return hasEntries ?? false
  }

  /// Adds the following entries in the pages of a snapshot.
  private mutating func fill(
    _ pages: PageCursor, through last: UInt64, touching offset: Int?, upTo limit: Int
  ) throws(LMDBError) {
    while count < limit {
      try pages.moveAlongPage { key, value in
        guard count < limit, key <= last else { return false }
        add(key, value, touching: offset)
        return true
      }
      guard count < limit, try pages.move(to: .next), pages.integerKey <= last else { return }
      add(pages.integerKey, pages.value, touching: offset)
    }
  }

  /// Adds an entry to a batch that is not full.
  @inline(__always)
  private mutating func add(_ key: UInt64, _ value: PageBytes, touching offset: Int?) {
    // Safe: there is room for `capacity` entries.
    unsafe (base + count).initialize(to: Entry(key: key, value: value))
    if let offset, offset < value.count { touched &+= value.load(UInt8.self, at: offset) }
    count += 1
  }
}
