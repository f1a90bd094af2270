internal import CWhimbrelLMDB
internal import Foundation
internal import Synchronization

/// A reader of the pages that a read transaction sees, without LMDB.
///
/// LMDB trusts its file; this reader does not. Any fault of a page causes an ``LMDBError`` with a
/// ``PageDamage``, and never a trap, a signal or an endless loop. The reader guarantees the
/// structure: which keys exist, their order, and that keys and values lie on pages of their table.
/// Values need checksums of their own.
///
/// One thread at a time may use it. Several threads may use one each.
package final class PageSnapshot {
  /// The result of a look-up of a table in this snapshot.
  private struct Slot {
    /// The epoch of the look-up.
    var epoch = 0
    var tree: PageTree?
    /// Whether the number of entries was compared with the one that is stored separately.
    var isCounted = false
  }

  /// The file, until the snapshot is ended. A view of the snapshot may live longer.
  // Safe: one thread uses a snapshot, one call after the other.
  @safe @exclusivity(unchecked) private var openEnvironment: Environment?
  /// The marks of verified pages. Not used after the end.
  private let marks: PageMarks
  private let returnsMarks: Bool
  private let metaBuffer = FileStructure.Page(count: FileStructure.MetaPage.size)
  private let headerBuffer = FileStructure.Page(count: FileStructure.TreeHeader.size)
  let path = PagePath()
  // Safe: one thread uses a snapshot, one call after the other.
  @safe @exclusivity(unchecked) private var map: PageMap?
  @safe @exclusivity(unchecked) private var slots: [Slot] = []
  @safe @exclusivity(unchecked) private(set) var space: PageSpace?
  /// The epoch of the snapshot. It changes whenever the snapshot shows another commit or none.
  /// Never 0.
  @safe @exclusivity(unchecked) private(set) var epoch = 1
  /// The content of a meta page that may have been overwritten while it was read.
  @safe @exclusivity(unchecked) private var doubtful: Roots?
  /// The header of the free list, from the meta page.
  @safe @exclusivity(unchecked) private var freeList:
    (header: FileStructure.TreeHeader, owner: UInt64)?
  @safe @exclusivity(unchecked) private var names: [Int: String] = [:]
  private var namesEpoch: UInt64 = 0
  /// The number of the commit that the snapshot shows.
  @safe @exclusivity(unchecked) private(set) package var transactionID = 0
  /// The lock that lets writers keep the pages if the snapshot has no reader slot, otherwise nil.
  @safe @exclusivity(unchecked) private var pageLock: UnlockedSnapshots.PageLock?

  /// - Parameter marks: The marks for verified pages, or nil to take over marks of an earlier
  ///   snapshot and to pass them on to a later one.
  init(_ environment: Environment, marks: PageMarks? = nil) {
    openEnvironment = environment
    returnsMarks = marks == nil
    self.marks = marks ?? environment.pool.marks.take() ?? PageMarks()
  }

  private var environment: Environment {
    get throws(LMDBError) {
      guard let openEnvironment else { throw LMDBError(code: .closed, function: "page") }
      return openEnvironment
    }
  }

  // MARK: - Taking and letting go

  /// Releases the pages. Nothing can be read until the next ``take(_:)``.
  func release() {
    pageLock = nil
    guard space != nil else { return }
    space = nil
    epoch += 1
  }

  /// Releases the pages and the file permanently.
  func end() {
    release()
    map = nil
    // The memory for a large file is not kept. In a forked child, the spares may be locked for ever,
    // because a thread that only the parent has held their lock.
    if returnsMarks, marks.byteCount < 64 << 20, let environment = openEnvironment,
      environment.isOfThisProcess
    {
      environment.pool.marks.put(marks)
    }
    openEnvironment = nil
  }

  /// Lets writers keep the pages of a commit that is about to be adopted.
  func willTake() throws(LMDBError) { pageLock = try environment.lockPages() }

  /// Adopts the commit of a transaction that has just begun or was just renewed.
  ///
  /// - Returns: False if the transaction must be renewed and this called again, because its meta
  ///   page was or may have been overwritten meanwhile.
  func take(_ handle: OpaquePointer) throws(LMDBError) -> Bool {
    try take(unsafe UInt64(mdb_txn_id(handle)))
  }

  /// Adopts a commit.
  ///
  /// - Returns: False if its meta page was or may have been overwritten meanwhile.
  func take(_ transaction: UInt64) throws(LMDBError) -> Bool {
    let descriptor = try environment.descriptor()
    do throws(FileStructure.Failure) {
      let fileSize = try FileStructure.DataFile.size(of: descriptor)
      let map = try map(reaching: fileSize)
      // The second commit after this one writes the page again, and begins only after readers see
      // the first. If the transaction shows the same commit again, the page was read before that.
      if let doubtful, doubtful.meta.transaction == transaction {
        try take(doubtful, map, fileSize)
        return true
      }
      doubtful = nil
      let roots = try Roots(of: transaction, in: map, fileSize: fileSize, buffer: metaBuffer)
      guard let roots else { return false }
      guard !roots.mayBeOverwritten else {
        doubtful = roots
        return false
      }
      try take(roots, map, fileSize)
      return true
    } catch {
      throw LMDBError(error)
    }
  }

  private func map(reaching fileSize: Int) throws(FileStructure.Failure) -> PageMap {
    if let map, map.byteCount >= fileSize { return map }
    do throws(LMDBError) {
      let found = try environment.pageMap(reaching: fileSize)
      map = found
      return found
    } catch {
      throw .io(error.code.rawValue)
    }
  }

  private func take(
    _ roots: Roots, _ map: PageMap, _ fileSize: Int
  ) throws(FileStructure.Failure) {
    let main = try PageTree(
      roots.meta.main, .main, owner: roots.meta.page, lastPage: roots.meta.lastPage)
    space = try PageSpace(
      map: map, fileSize: fileSize, lastPage: roots.meta.lastPage,
      transaction: roots.meta.transaction, marks: marks)
    transactionID = Int(roots.meta.transaction)
    doubtful = nil
    epoch += 1
    freeList = (roots.meta.freeList, roots.meta.page)
    set(main)
  }

  // MARK: - Sharing

  /// The facts that another snapshot needs to show the same commit. A transaction must pin its
  /// pages.
  ///
  /// The meta page is overwritten two commits later, so a snapshot cannot read it again.
  struct Sharing: Sendable {
    fileprivate let environment: Environment
    fileprivate let map: PageMap
    fileprivate let fileSize: Int
    fileprivate let lastPage: UInt64
    fileprivate let transaction: UInt64
    fileprivate let main: PageTree
    fileprivate let freeList: (header: FileStructure.TreeHeader, owner: UInt64)?
  }

  /// Returns the facts that another snapshot needs to show the same commit.
  func sharing() throws(LMDBError) -> Sharing {
    let environment = try environment
    guard let space, let map else { throw LMDBError(code: .closed, function: "page") }
    return try Sharing(
      environment: environment, map: map, fileSize: Int(space.fileSize), lastPage: space.lastPage,
      transaction: UInt64(transactionID), main: tree(.main), freeList: freeList)
  }

  /// Creates a snapshot that shows the commit of another snapshot.
  convenience init(_ sharing: Sharing) throws(LMDBError) {
    self.init(sharing.environment)
    do throws(FileStructure.Failure) {
      space = try PageSpace(
        map: sharing.map, fileSize: sharing.fileSize, lastPage: sharing.lastPage,
        transaction: sharing.transaction, marks: marks)
    } catch {
      throw LMDBError(error)
    }
    map = sharing.map
    transactionID = Int(sharing.transaction)
    freeList = sharing.freeList
    set(sharing.main)
  }

  // MARK: - Tables

  private func set(_ tree: PageTree) {
    let index = Int(tree.handle)
    while slots.count <= index { slots.append(Slot()) }
    slots[index] = Slot(epoch: epoch, tree: tree)
  }

  /// Returns the tree of a table that is not ``Table/none``.
  @inline(__always)
  func tree(_ table: Table) throws(LMDBError) -> PageTree {
    let index = Int(table.handle)
    if index < slots.count, slots[index].epoch == epoch, let tree = slots[index].tree {
      return tree
    }
    return try find(table)
  }

  /// Looks up a named table in the main table.
  ///
  /// - Throws: ``LMDBError`` with `badTable` if this snapshot has no table of that name.
  @inline(never)
  private func find(_ table: Table) throws(LMDBError) -> PageTree {
    guard let space else { throw LMDBError(code: .closed, function: "page") }
    if table == .freeList { return try freeListTree(space) }
    guard let name = name(of: table) else {
      throw LMDBError(code: .badTable, function: "page")
    }
    return try find(table, named: name)
  }

  /// Looks up a table by a given name, without asking the environment for the name.
  func find(_ table: Table, named name: String) throws(LMDBError) -> PageTree {
    guard let space else { throw LMDBError(code: .closed, function: "page") }
    let main = try tree(.main)
    let found: PageTree?
    do throws(FileStructure.Failure) {
      found = try PageBytes.with(Array(name.utf8)) { key throws(FileStructure.Failure) in
        try space.find(table, named: .bytes(key), in: main, path, headerBuffer)
      }
    } catch {
      throw LMDBError(error)
    }
    guard let found else { throw LMDBError(code: .badTable, function: "page") }
    set(found)
    return found
  }

  /// Returns the tree of the free list, whose root is in the meta page. It is checked only on
  /// request, because objects can be read without it.
  private func freeListTree(_ space: PageSpace) throws(LMDBError) -> PageTree {
    guard let freeList else { throw LMDBError(code: .closed, function: "page") }
    do throws(FileStructure.Failure) {
      let tree = try PageTree(
        freeList.header, .freeList, owner: freeList.owner, lastPage: space.lastPage)
      set(tree)
      return tree
    } catch {
      throw LMDBError(error)
    }
  }

  /// Compares the number of a table's entries with the stored number: see ``TableCount``.
  func checkCount(of table: Table) throws(LMDBError) {
    let index = Int(table.handle)
    guard table.guarding == .count, !slots[index].isCounted, let tree = slots[index].tree,
      let name = name(of: table)
    else { return }
    try TableCount.check(
      tree.entries, against: value(.main, TableCount.key(of: name)), of: name)
    slots[index].isCounted = true
  }

  /// Returns the name of a table. The environment knows the names of all tables with handles.
  private func name(of table: Table) -> String? {
    guard let environment = openEnvironment else { return nil }
    let now = environment.tableEpoch
    if now != namesEpoch { (names, namesEpoch) = ([:], now) }
    if let name = names[Int(table.handle)] { return name }
    let name = environment.tables.openName(of: table.handle)
    names[Int(table.handle)] = name
    return name
  }

  /// Returns the error for a page of a table.
  @inline(never)
  func error(_ failure: FileStructure.Failure, in handle: UInt32) -> LMDBError {
    LMDBError(failure, table: names[Int(handle)])
  }
}

extension PageSpace {
  /// Returns the tree of a named table, or nil.
  fileprivate func find(
    _ table: Table, named name: PageKey, in main: PageTree, _ path: PagePath,
    _ buffer: FileStructure.Page
  ) throws(Failure) -> PageTree? {
    guard main.depth > 0 else { return nil }
    let page = try descend(to: name, of: main, path)
    let (index, isFound) = try page.search(name)
    guard isFound else {
      try verifyGap(beside: index, of: page, in: main, path)
      return nil
    }
    let node = try page.node(index)
    guard node.flags == FileStructure.NodeFlags.table else {
      throw .damaged(page: page.number, reason: .nodeFlags(node: index, node.flags))
    }
    let value = try value(of: node, index, in: page, of: main)
    guard value.count == buffer.count else {
      throw .damaged(page: page.number, reason: .tableSize(node: index, value.count))
    }
    // Safe: the guard above.
    unsafe buffer.fill(from: value.base)
    return try PageTree(
      FileStructure.TreeHeader(buffer, at: 0), table, owner: page.number, lastPage: lastPage)
  }
}
