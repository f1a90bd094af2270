extension FileStructure {
  /// The numbers of pages in a file, by kind.
  package struct PageCount: Hashable, Sendable {
    /// The pages that refer to other pages, in all tables and the free list.
    package internal(set) var branchPages: UInt64 = 0
    /// The pages with entries, in all tables and the free list.
    package internal(set) var leafPages: UInt64 = 0
    /// The pages of values too long for a leaf page.
    package internal(set) var overflowPages: UInt64 = 0
    /// The pages listed as free.
    package internal(set) var freePages: UInt64 = 0
    /// The pages neither in use nor listed as free. They are lost, but
    /// harmless.
    package internal(set) var lostPages: UInt64 = 0
    /// The unused bytes of branch and leaf pages.
    package internal(set) var unusedBytes: UInt64 = 0
    package internal(set) var tables: UInt64 = 0
    /// The entries of the main database and of all named tables. A named table
    /// counts as one entry of the main database.
    package internal(set) var entries: UInt64 = 0

    package init() {}

    /// The meta pages and all pages reachable from them.
    package var usedPages: UInt64 { 2 + branchPages + leafPages + overflowPages }
  }
}
