internal import Foundation
internal import WhimbrelLMDB

/// Gets what can be read of a damaged file into a new store.
///
/// 1. Header and catalog are found: through a meta page, else by looking at all pages, else they
///    are those of another store.
/// 2. The trees of each class are followed as far as they can be. A record is taken when its
///    checksum says that it is that of its class and object.
/// 3. All other pages are looked at, but those that are free: those may hold what was deleted.
/// 4. Objects of which parts are missing are dropped, and embedded ones that have lost their
///    owners. The rest is copied, and links that lead to nothing become nil.
///
/// LMDB never reads the damaged file: what is found goes into a temporary store first.
package struct Salvage {
  /// What was found and what was lost of a class.
  package struct ClassReport: Sendable {
    package let name: String
    /// How many objects the damaged file says that it had, or nil when it cannot be read.
    package let expected: Int?
    package let kept: Int
    package let byTree: Int
    package let bySearch: Int
    /// Objects of which something was met that is damaged, in their order.
    package let damaged: [ObjectID]
    /// How many embedded objects have lost their owners.
    package let orphans: Int
    /// How many links led to lost objects.
    package let lostLinks: Int
  }

  package struct Report: Sendable {
    /// Sorted by name.
    package var classes: [ClassReport] = []
    /// Where the catalog was found: `metaPage`, `olderMetaPage`, `search` or `otherStore`.
    package var catalogOrigin = ""
    /// Whether free pages could be told from others. If not, deleted objects may be back, and
    /// older versions of changed ones.
    package var knowsFreePages = true
  }

  /// Why nothing can be salvaged.
  package enum Failure: Error {
    /// There is no catalog.
    case noCatalog
    /// There are no objects.
    case noObjects
    /// There is a file of the new store's name.
    case fileExists
  }

  /// Which pages are looked at when the trees have been followed.
  package enum Search: Sendable {
    /// Those that are not free.
    case usedPages
    /// Free ones too, after all others.
    case allPages
  }

  /// Is told what is being done, and how far that is; what it throws ends it.
  package typealias Progress = (_ step: String, _ completed: Int, _ total: Int?) throws -> Void

  private let source: SalvagedPages
  private let map: SalvageMap
  private let store: SalvageStore
  private let search: Search
  private let progress: Progress
  /// The pages from which something was taken.
  private let used: LoosePageSet

  /// - Parameters:
  ///   - path: the damaged file. Nobody writes it meanwhile.
  ///   - output: the path of the new store; the temporary one is beside it.
  ///   - other: a store whose catalog is taken where the file has none.
  package init(
    path: String, output: String, search: Search, orCatalogOf other: Session?,
    _ progress: @escaping Progress
  ) throws {
    do throws(FileStructure.Failure) {
      source = try SalvagedPages(path: path)
      used = try LoosePageSet(for: source)
    } catch {
      throw FilePreflight.explain(error, path)
    }
    guard let map = try SalvageMap(source, orFrom: other?.loaded) else { throw Failure.noCatalog }
    self.map = map
    self.search = search
    self.progress = progress
    store = try SalvageStore(map, at: output + ".salvage-\(UUID().uuidString)")
  }

  /// Makes the new store.
  ///
  /// - Complexity: O(*n* log *n*) and O(*pages*), in memory for two bits a page, and for the IDs of
  ///   damaged and of embedded objects.
  package func run(to output: String) throws -> Report {
    for table in store.classes { try followTrees(of: table) }
    try searchPages()
    try writeNextObjectIDs()
    try store.commit()
    guard
      store.classes.contains(where: { $0.byTree + $0.bySearch > 0 || $0.expected == 0 })
        || store.classes.isEmpty
    else { throw Failure.noObjects }
    try SalvageCopy(store).run(to: output, progress)
    var report = Report(
      catalogOrigin: map.origin.rawValue, knowsFreePages: map.freePages != nil)
    report.classes = store.classes.map(\.report).sorted { $0.name < $1.name }
    return report
  }

  // MARK: - Trees

  private func followTrees(of table: SalvagedClass) throws {
    let step = "Reading \(table.resolved.name)"
    // What does not fit into records first: keys may be long texts.
    try follow(table.overflowRoot) { entry in
      guard entry.key.count == 16, let value = try source.value(of: entry.content),
        table.isOverflowEntry(value, key: entry.key)
      else { return false }
      try table.takeOverflowEntry(value, key: entry.key, into: store)
      return true
    }
    try follow(table.objectsRoot) { entry in
      guard entry.key.count == 8 else { return false }
      let id = ObjectID(rawValue: entry.key.load(UInt64.self, at: 0))
      guard let record = try source.value(of: entry.content), table.isRecord(record, id) else {
        table.damaged.insert(id)
        return false
      }
      if try table.take(record, id, into: store) { table.byTree += 1 }
      if table.byTree & 0x3FF == 0 {
        try progress(step, table.byTree, table.expected.map { Int(clamping: $0) })
      }
      return true
    }
  }

  /// Calls `body` with the entries of a tree; pages of which it takes any are used.
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
    try searchPages(where: { !(map.freePages?.contains($0) ?? false) })
    if search == .allPages, let free = map.freePages { try searchPages(where: free.contains) }
  }

  private func searchPages(where isWanted: (UInt64) -> Bool) throws {
    // Overflow first, as in the trees.
    for isForOverflow in [true, false] {
      for number in 2..<max(2, source.pageCount) where !used.contains(number) && isWanted(number) {
        guard try source.read(number) == .leaf else { continue }
        try source.forEachEntry { entry in
          if isForOverflow { try takeOverflowEntry(entry) } else { try takeRecord(entry) }
        }
        if number & 0xFFF == 0 {
          try progress(
            "Searching pages", Int(clamping: number), Int(clamping: source.pageCount))
        }
      }
    }
  }

  private func takeOverflowEntry(_ entry: LooseEntry) throws {
    guard entry.key.count == 16, let value = try source.value(of: entry.content) else { return }
    for table in store.classes where table.isOverflowEntry(value, key: entry.key) {
      try table.takeOverflowEntry(value, key: entry.key, into: store)
    }
  }

  private func takeRecord(_ entry: LooseEntry) throws {
    guard entry.key.count == 8, let record = try source.value(of: entry.content) else { return }
    let id = ObjectID(rawValue: entry.key.load(UInt64.self, at: 0))
    for table in store.classes where table.isRecord(record, id) {
      if try table.take(record, id, into: store) { table.bySearch += 1 }
    }
  }

  // MARK: - Object IDs

  /// IDs must not be given out again, also those of objects that are lost.
  private func writeNextObjectIDs() throws {
    let view = try store.writeView()
    for table in store.classes where !table.resolved.isClustered {
      let cursor = try view.reading.cursor(table.objects)
      let last = try cursor.move(to: .last) ? cursor.integerKey : 0
      // A damaged key may say anything, so that it counts only where nothing better is known.
      let given =
        map.nextObjectIDs[table.resolved.id]
        ?? (table.damaged.map(\.rawValue).max() ?? 0) &+ 1
      let next = max(given, last == .max ? last : last + 1)
      var bytes: [UInt8] = []
      bytes.append(littleEndian: next)
      try view.put(.main, MainKey.nextObjectID(table.resolved.id), bytes)
    }
  }
}

extension SalvagedClass {
  fileprivate var report: Salvage.ClassReport {
    Salvage.ClassReport(
      name: resolved.name, expected: expected.map { Int(clamping: $0) }, kept: kept,
      byTree: byTree, bySearch: bySearch, damaged: damaged.sorted(), orphans: orphans,
      lostLinks: lostLinks)
  }
}
