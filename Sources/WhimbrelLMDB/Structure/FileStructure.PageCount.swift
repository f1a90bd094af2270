extension FileStructure {
  /// How many pages of each kind a file has.
  package struct PageCount: Hashable, Sendable {
    /// The pages that lead to others, in all tables and the free list.
    package internal(set) var branchPages: UInt64 = 0
    /// The pages that hold entries, in all tables and the free list.
    package internal(set) var leafPages: UInt64 = 0
    /// The pages of values too long for a leaf page.
    package internal(set) var overflowPages: UInt64 = 0
    /// The pages listed as free.
    package internal(set) var freePages: UInt64 = 0
    /// The pages that are neither in use nor listed as free: lost, but harmless.
    package internal(set) var lostPages: UInt64 = 0
    /// The bytes of branch and leaf pages in which nothing stands.
    package internal(set) var unusedBytes: UInt64 = 0
    /// The named tables.
    package internal(set) var tables: UInt64 = 0
    /// The entries of the main database and of all named tables; a named table
    /// counts as an entry of the main database.
    package internal(set) var entries: UInt64 = 0

    package init() {}

    /// The meta pages and all pages that these lead to.
    package var usedPages: UInt64 { 2 + branchPages + leafPages + overflowPages }
  }
}
