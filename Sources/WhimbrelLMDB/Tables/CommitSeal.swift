/// The number of a commit, which the commit writes into the main table. It shows that the root in a
/// meta page belongs to the transaction number on that page.
///
/// It is a ``CheckedNumber`` of its key.
enum CommitSeal {
  /// The key in the main table.
  static let key = "seal"

  static func encode(_ transaction: UInt64) -> [UInt8] {
    CheckedNumber.encode(transaction, of: key)
  }

  /// Returns the number, or nil if its bytes are damaged.
  static func decode(_ bytes: [UInt8]) -> UInt64? {
    PageBytes.with(bytes) { CheckedNumber.decode($0, of: key) }
  }
}

extension FileStructure {
  /// Checks that the newest meta page leads to the main table of its own commit. Returns false if
  /// there is no seal to compare: a file that an earlier version wrote has none, and neither has a
  /// compact copy before its first commit.
  @discardableResult
  package func checkSeal() throws(Failure) -> Bool {
    // LMDB: a compact copy has all entries and begins with commit 1, even if it has the entries of
    // a later commit.
    guard newest.transaction > 1, let bytes = try mainValue(CommitSeal.key) else { return false }
    guard let number = CommitSeal.decode(bytes), number == newest.transaction else {
      throw .badMeta(
        page: newest.page,
        reason: .otherSeal(newest.transaction, seal: CommitSeal.decode(bytes) ?? 0))
    }
    return true
  }
}
