internal import Foundation
internal import WhimbrelLMDB

/// The readable part of a damaged file's structure: header, catalog, roots of the tables and free
/// pages.
struct SalvageMap {
  let header: Header
  let catalog: Catalog
  /// The roots of the tables, by name.
  var tables: [String: SalvagedPages.Root]
  var nextObjectIDs: [ClassID: UInt64]
  /// The state of the transition in the file, or nil.
  var transition: [UInt8]?
  var freeList: FreeList
  var origin: Origin
  /// The newest header of the damaged file if the catalog is that of another store; nil if it has
  /// none that can be read.
  var ownHeader: Header?

  /// Whether the catalog's store and the damaged file are copies of one store; nil if the file does
  /// not tell. Only then do both have the same numbers for the same layouts.
  var isOfSameStore: Bool? { ownHeader.map { $0.uuid == header.uuid } }

  /// Whether the damaged file, of which the catalog is lost, was in transition.
  var isInTransition: Bool { ownHeader?.isInTransition == true }

  /// The pages that the newest commit does not use.
  struct FreeList {
    /// The pages that the readable entries name.
    let pages: LoosePageSet
    /// Whether every entry was readable. Other pages may be free otherwise.
    let isComplete: Bool
  }

  /// The place where a catalog was found.
  package enum Origin: String, Sendable {
    /// The newest meta page.
    case metaPage
    /// The older meta page, or one of two that contradict each other. Its trees may belong to the
    /// previous commit, or to an older one.
    case olderMetaPage
    /// A search of all pages.
    case search
    /// Another store.
    case otherStore
  }

  /// Entries found in pages of a main table.
  fileprivate struct MainEntries {
    var headers: [Header] = []
    var catalogs: [UInt32: [UInt8]] = [:]
    var tables: [String: SalvagedPages.Root] = [:]
    var nextObjectIDs: [ClassID: UInt64] = [:]
    var transition: [UInt8]?
    /// Whether any of the pages stands where another belongs. It may be from an earlier commit.
    var areMisplaced = false

    /// Adds the entries of the leaf page that was read last.
    mutating func add(from file: SalvagedPages) throws {
      areMisplaced = areMisplaced || file.isMisplaced
      try file.forEachEntry { entry in
        let name = entry.key.text
        if case .table(let root, _) = entry.content {
          tables[name] = root
          return
        }
        guard
          [MainKey.header, MainKey.catalog, MainKey.transition].contains(name)
            || name.hasPrefix("next."),
          let value = try file.value(of: entry.content)
        else { return }
        switch name {
        case MainKey.header:
          if let header = try? Header(value) { headers.append(header) }
        case MainKey.catalog:
          catalogs[Header.checksum(ofCatalog: value)] = value.array
        case MainKey.transition:
          transition = value.array
        default:
          if value.count == 8, let id = UInt32(name.dropFirst(5)) {
            nextObjectIDs[ClassID(rawValue: id)] = UInt64(
              littleEndian: value.load(UInt64.self, at: 0))
          }
        }
      }
    }

    /// The newest header whose catalog was found, and that catalog.
    var best: (Header, Catalog)? {
      for header in headers.sorted(by: { $0.catalogRevision > $1.catalogRevision }) {
        if let text = catalogs[header.catalogChecksum], let catalog = try? Catalog(json: Data(text))
        {
          return (header, catalog)
        }
      }
      return nil
    }
  }
}

extension SalvageMap {
  /// Reads the map of a file. Returns nil if the file has no catalog and no other store supplies
  /// one.
  ///
  /// - Parameters:
  ///   - other: A store with the same classes.
  ///   - progress: Hears of a search of all pages, and may end it.
  init?(
    _ file: SalvagedPages, orFrom other: LoadedCatalog?, _ progress: Salvage.Progress
  ) throws {
    // Only the newest free list counts: a page that was free one commit ago may be in use now.
    let freeList = try Self.freeList(file.hasAllRoots ? file.roots.first : nil, of: file)
    for (number, roots) in file.roots.enumerated() {
      var entries = MainEntries()
      try entries.add(below: roots.main.page, of: file)
      if let (header, catalog) = entries.best {
        let isNewest = number == 0 && file.hasAllRoots && !entries.areMisplaced
        self.init(
          header: header, catalog: catalog, tables: entries.tables,
          nextObjectIDs: entries.nextObjectIDs, transition: entries.transition,
          freeList: freeList,
          origin: isNewest ? .metaPage : .olderMetaPage)
        return
      }
    }
    let found = try Self.search(file, progress)
    func given() throws -> (Header, Catalog)? {
      try other.map {
        ($0.header, try SaltSearch.catalog($0.catalog, withSaltsOf: file, progress))
      }
    }
    guard let (header, catalog) = try found.best ?? given() else { return nil }
    self.init(
      header: header, catalog: catalog, tables: found.tables,
      nextObjectIDs: found.nextObjectIDs, transition: found.transition,
      freeList: freeList,
      origin: found.best == nil ? .otherStore : .search)
    if origin == .otherStore {
      ownHeader = found.headers.max { $0.catalogRevision < $1.catalogRevision }
    }
  }

  /// Searches all pages. Stale pages of the main table contradict the current one. The page with
  /// the highest next object IDs counts as the newest.
  private static func search(
    _ file: SalvagedPages, _ progress: Salvage.Progress
  ) throws -> MainEntries {
    var all = MainEntries()
    var best: (score: UInt64, entries: MainEntries)?
    try file.forEachLeafPage("Searching the catalog", progress) {
      var entries = MainEntries()
      try entries.add(from: file)
      all.headers += entries.headers
      all.catalogs.merge(entries.catalogs) { first, _ in first }
      guard !entries.tables.isEmpty else { return }
      let score = entries.nextObjectIDs.values.reduce(0) { $0 &+ $1 }
      if score >= best?.score ?? 0 { best = (score, entries) }
    }
    if let best {
      all.tables = best.entries.tables
      all.nextObjectIDs = best.entries.nextObjectIDs
      all.transition = best.entries.transition
    }
    return all
  }

  /// Reads the newest free list. If its root is unknown, nothing is known to be free.
  private static func freeList(
    _ roots: SalvagedPages.Roots?, of file: SalvagedPages
  ) throws -> FreeList {
    let pages = try LoosePageSet(for: file)
    guard let roots else { return FreeList(pages: pages, isComplete: false) }
    guard let root = roots.freeList.page else { return FreeList(pages: pages, isComplete: true) }
    var found: UInt64 = 0
    try file.forEachLeaf(from: root, seen: LoosePageSet(for: file)) { _ in
      // A misplaced page may be of an earlier commit, which had other free pages.
      guard !file.isMisplaced else { return }
      try file.forEachEntry { entry in
        guard entry.key.count == 8, try file.hasHeader(entry.content),
          let value = try file.value(of: entry.content),
          let numbers = pageNumbers(inFreeListEntry: value)
        else { return }
        found += 1
        for page in numbers where page < file.pageCount { pages.insert(page) }
      }
    }
    return FreeList(pages: pages, isComplete: found == roots.freeList.entries)
  }

  /// Returns the pages that an entry of the free list names, or nil if it is damaged: they are in
  /// descending order, and no meta page is among them.
  private static func pageNumbers(inFreeListEntry value: PageBytes) -> [UInt64]? {
    guard value.count >= 8 else { return nil }
    let count = value.load(UInt64.self, at: 0)
    guard count < UInt64(value.count / 8) else { return nil }
    let numbers = (0..<Int(count)).map { value.load(UInt64.self, at: 8 + 8 * $0) }
    guard numbers.last ?? 2 >= 2, zip(numbers, numbers.dropFirst()).allSatisfy({ $0 > $1 }) else {
      return nil
    }
    return numbers
  }
}

extension SalvageMap.MainEntries {
  fileprivate mutating func add(below root: UInt64?, of file: SalvagedPages) throws {
    guard let root else { return }
    try file.forEachLeaf(from: root, seen: LoosePageSet(for: file)) { _ in
      try add(from: file)
    }
  }
}

extension SalvagedPages {
  /// Calls `body` after each leaf page has been read, and `progress` in between, however few pages
  /// are leaves.
  func forEachLeafPage(
    _ step: String, _ progress: Salvage.Progress, _ body: () throws -> Void
  ) throws {
    for number in 2..<max(2, pageCount) {
      if number & 0xFFF == 0 {
        try progress(step, Int(clamping: number), Int(clamping: pageCount))
      }
      if try read(number) == .leaf { try body() }
    }
  }
}
