internal import Foundation
internal import WhimbrelLMDB

/// The salvage of a damaged file: copies everything readable into a new store.
///
/// 1. Finds header and catalog through a meta page, otherwise by searching all pages, otherwise in
///   another store.
/// 2. Follows the trees of each class as far as possible. A record counts if its checksum matches
///   its class and object.
/// 3. Searches all other pages except free ones, because those may hold deleted objects.
/// 4. Drops incomplete objects, and embedded objects without an owner. Copies the rest, and sets
///   links to lost objects to nil.
///
/// LMDB never reads the damaged file. Found records first go into a temporary store.
package struct Salvage {
  /// The numbers of objects found and lost in a class.
  package struct ClassReport: Sendable {
    package let name: String
    /// The number of objects that the damaged file records, or nil if that is unreadable.
    package let expected: Int?
    package let kept: Int
    package let byTree: Int
    package let bySearch: Int
    /// The objects with a damaged part, sorted by ID.
    package let damaged: [ObjectID]
    /// The number of objects that are sound, but stored in a shape that the catalog does not have.
    package let unknownShapes: Int
    /// The number of embedded objects that lost their owners.
    package let orphans: Int
    /// The number of links to lost objects.
    package let lostLinks: Int
    /// The number of kept objects that may have been deleted before the damage, or have old values,
    /// in their record or in their overflow: see ``Salvage/mayHoldDeletedObjects(_:)``.
    package let perhapsDeleted: Int
  }

  package struct Report: Sendable {
    /// The reports of the classes, sorted by name.
    package var classes: [ClassReport] = []
    /// The place where the catalog was found: `metaPage`, `olderMetaPage`, `search` or
    /// `otherStore`.
    package var catalogOrigin = ""
    /// Whether the damaged file and the other store are copies of one store; nil if the file does
    /// not tell, or if its own catalog was found.
    package var isOfSameStore: Bool?
    /// Whether the whole free list was readable. If not, deleted objects and older versions of changed
    /// ones may reappear.
    package var knowsFreePages = true
    /// The contradiction between the meta pages, or between them and their commits, in words; nil if
    /// there is none.
    package var metaFault: String?
    /// The first fault of the file's structure in words, or nil if every page is sound. Only then
    /// is it proven which objects the file had.
    package var structureFault: String?
  }

  /// The reason why nothing can be salvaged.
  package enum Failure: Error {
    case noCatalog
    case noObjects
    /// All objects that can be read are stored in shapes that the catalog does not have.
    case unknownShapes
    /// The file is in transition, and the catalog is of a store that is not a copy of it: the same
    /// number may stand for another layout.
    case otherLayouts
    /// A file with the new store's name exists.
    case fileExists
  }

  /// The pages to search after the trees have been followed.
  package enum Search: Sendable {
    /// Only pages that are not free.
    case usedPages
    /// Also free pages, after all others.
    case allPages
  }

  /// A closure that receives the current step, the items done, and their total. An error that it
  /// throws ends the salvage.
  package typealias Progress = (_ step: String, _ completed: Int, _ total: Int?) throws -> Void

  private let path: String
  private let source: SalvagedPages
  private let map: SalvageMap
  private let store: SalvageStore
  private let search: Search
  private let progress: Progress
  /// The pages that supplied at least one entry.
  private let used: LoosePageSet

  /// Reads the map of a damaged file and creates the temporary store.
  ///
  /// - Parameters:
  ///   - path: The damaged file. It must not change during the salvage.
  ///   - output: The path of the new store. The temporary store is beside it.
  ///   - other: A store whose catalog is used when the file's own is lost.
  package init(
    path: String, output: String, search: Search, orCatalogOf other: Session?,
    _ progress: @escaping Progress
  ) throws {
    self.path = path
    self.search = search
    self.progress = progress
    try FilePreflight.requireFolderForNewFile(output)
    do {
      source = try SalvagedPages(path: path)
      used = try LoosePageSet(for: source)
      guard let map = try SalvageMap(source, orFrom: other?.loaded, progress) else {
        throw Failure.noCatalog
      }
      if map.isInTransition, map.isOfSameStore == false { throw Failure.otherLayouts }
      self.map = map
      store = try SalvageStore(map, beside: output)
    } catch {
      throw Self.explain(error, reading: path, writing: output)
    }
  }

  /// Returns the error to show for an error of the damaged file or of a new one.
  private static func explain(
    _ error: any Error, reading path: String, writing output: String
  ) -> any Error {
    switch error {
    case let error as FileStructure.Failure: FilePreflight.explain(error, path)
    case let error as LMDBError: StoreError.describing(error, path: output)
    default: error
    }
  }

  /// Creates the new store.
  ///
  /// - Complexity: O(*n* log *n*) and O(*pages*), in memory for two bits a page and for the IDs of
  ///   damaged and embedded objects.
  package func run(to output: String) throws -> Report {
    do {
      return try salvage(to: output)
    } catch {
      throw Self.explain(error, reading: path, writing: output)
    }
  }

  private func salvage(to output: String) throws -> Report {
    for table in store.classes { try followTrees(of: table) }
    try passOtherTables()
    try searchPages()
    try writeNextObjectIDs()
    try store.commit()
    guard
      store.classes.contains(where: { $0.byTree + $0.bySearch > 0 || $0.expected == 0 })
        || store.classes.isEmpty
    else {
      let areUnknown = store.classes.contains { !$0.unknownShapes.isEmpty }
      throw areUnknown ? Failure.unknownShapes : Failure.noObjects
    }
    try SalvageCopy(store).run(to: output, progress)
    var report = Report(
      catalogOrigin: map.origin.rawValue, knowsFreePages: map.freeList.isComplete)
    report.isOfSameStore = map.isOfSameStore
    if let fault = source.fault {
      let page = fault.page.map { "page \($0): " } ?? ""
      report.structureFault = page + fault.words
      if case .badMeta = fault { report.metaFault = report.structureFault }
    }
    report.classes = store.classes.map(\.report).sorted { $0.name < $1.name }
    return report
  }

  // MARK: - Trees

  private func followTrees(of table: SalvagedClass) throws {
    let step = "Reading \(table.resolved.name)"
    // Overflow first: reading a record's keys may need overflow, because keys can be long texts.
    try follow(table.overflowRoot) { entry in
      let isCertain = isOnCertainPage
      guard entry.key.count == 16, let value = try source.value(of: entry.content),
        table.isOverflowEntry(value, key: entry.key)
      else { return false }
      try table.takeOverflowEntry(value, key: entry.key, isCertain: isCertain, into: store)
      return true
    }
    var entries: UInt64 = 0
    var areCertain = true
    try follow(table.objectsRoot) { entry in
      entries += 1
      let isCertain = isOnCertainPage
      areCertain = areCertain && isCertain
      guard entry.key.count == 8 else { return false }
      let id = ObjectID(rawValue: entry.key.load(UInt64.self, at: 0))
      guard let record = try source.value(of: entry.content), table.isRecord(record, id) else {
        if try table.noteUnknownShape(source.value(of: entry.content), id) { return true }
        table.damaged.insert(id)
        return false
      }
      if try table.take(record, id, into: store) {
        table.byTree += 1
        if !isCertain { table.uncertain.insert(id) }
      }
      if table.byTree & 0x3FF == 0 {
        try progress(step, table.byTree, table.expected.map { Int(clamping: $0) })
      }
      return true
    }
    // The recorded number of entries is that of the newest commit, and all were met.
    table.isWhole =
      isNewest && areCertain && table.expected == entries && table.byTree == Int(entries)
  }

  /// Whether the trees are those of the newest commit.
  private var isNewest: Bool { map.origin == .metaPage }

  /// Whether the page read last, to which a table leads, is in use and where it belongs.
  private var isOnCertainPage: Bool {
    !source.isMisplaced && !(isNewest && isFree(source.position))
  }

  private func isFree(_ page: UInt64) -> Bool { map.freeList.pages.contains(page) }

  /// Marks the pages of tables that belong to no class of the catalog as used: earlier generations
  /// hold the records of objects that were deleted since.
  private func passOtherTables() throws {
    // Only the newest commit says which tables there are.
    guard isNewest else { return }
    let known = Set(map.catalog.tableNames.map(\.name))
    for (name, root) in map.tables where !known.contains(name) {
      try follow(root.page) { _ in true }
    }
  }

  /// Calls `body` with the entries of a tree. Pages with an accepted entry count as used.
  private func follow(_ root: UInt64?, _ body: (LooseEntry) throws -> Bool) throws {
    guard let root else { return }
    try source.forEachLeaf(from: root, seen: LoosePageSet(for: source)) { number in
      try source.forEachEntry { entry in
        if try body(entry) { used.insert(number) }
      }
    }
  }

  // MARK: - Search

  private func searchPages() throws {
    try searchPages(where: { !isFree($0) })
    if search == .allPages { try searchPages(where: isFree) }
  }

  private func searchPages(where isWanted: (UInt64) -> Bool) throws {
    // Overflow first, as in the trees.
    for isForOverflow in [true, false] {
      for number in 2..<max(2, source.pageCount) where !used.contains(number) && isWanted(number) {
        // Before the page is read: pages of other kinds may be many.
        if number & 0xFFF == 0 {
          try progress("Searching pages", Int(clamping: number), Int(clamping: source.pageCount))
        }
        guard try source.read(number) == .leaf else { continue }
        let mayBeDeleted = mayHoldDeletedObjects(number)
        try source.forEachEntry { entry in
          if isForOverflow {
            try takeOverflowEntry(entry, mayBeOld: mayBeDeleted)
          } else {
            try takeRecord(entry, mayBeDeleted: mayBeDeleted)
          }
        }
      }
    }
  }

  /// Returns whether objects that were deleted before the damage may be on the page read last, which
  /// no table leads to.
  ///
  /// Only the newest free list tells pages in use from those of earlier commits. On a page whose
  /// count of entries is lost, removed entries reappear. A misplaced page may be from an earlier
  /// commit.
  private func mayHoldDeletedObjects(_ number: UInt64) -> Bool {
    guard isNewest, map.freeList.isComplete else { return true }
    return isFree(number) || source.isMisplaced || !source.hasPlausibleCount
  }

  private func takeOverflowEntry(_ entry: LooseEntry, mayBeOld: Bool) throws {
    guard entry.key.count == 16, let value = try source.value(of: entry.content) else { return }
    for table in store.classes where table.isOverflowEntry(value, key: entry.key) {
      try table.takeOverflowEntry(value, key: entry.key, isCertain: !mayBeOld, into: store)
    }
  }

  private func takeRecord(_ entry: LooseEntry, mayBeDeleted: Bool) throws {
    guard entry.key.count == 8, let record = try source.value(of: entry.content) else { return }
    let id = ObjectID(rawValue: entry.key.load(UInt64.self, at: 0))
    for table in store.classes where !table.isWhole { table.noteUnknownShape(record, id) }
    for table in store.classes where table.isRecord(record, id) {
      // A table that was read completely lacks nothing. Free pages are searched for old objects.
      if table.isWhole, search == .usedPages { continue }
      guard try table.take(record, id, into: store) else { continue }
      table.bySearch += 1
      if mayBeDeleted || table.isWhole { table.uncertain.insert(id) }
    }
  }

  // MARK: - Object IDs

  /// Writes the next object IDs, so that no ID is reused, not even one of a lost object.
  private func writeNextObjectIDs() throws {
    let view = try store.writeView()
    for table in store.classes where !table.resolved.isClustered {
      let cursor = try view.reading.cursor(table.objects)
      let last = try cursor.move(to: .last) ? cursor.integerKey : 0
      // A damaged key may contain any number, so it counts only if the file has no next object ID.
      let given =
        map.nextObjectIDs[table.resolved.id]
        ?? (table.damaged.map(\.rawValue).max() ?? 0) &+ 1
      try view.putNextObjectID(
        max(given, last == .max ? last : last + 1), of: table.resolved.id)
    }
  }
}

extension SalvagedClass {
  fileprivate var report: Salvage.ClassReport {
    Salvage.ClassReport(
      name: resolved.name, expected: expected.map { Int(clamping: $0) }, kept: kept,
      byTree: byTree, bySearch: bySearch, damaged: damaged.sorted(),
      unknownShapes: unknownShapes.count, orphans: orphans, lostLinks: lostLinks,
      perhapsDeleted: keptUncertain)
  }
}
