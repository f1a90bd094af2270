internal import Foundation
internal import WhimbrelLMDB

/// A compact copy of a store: the same objects, records, indexes and catalog, in full pages and
/// without free ones.
///
/// Nothing is decoded: each entry of the catalog's tables is copied as it is. Tables that the
/// catalog does not name stay behind: leftovers of an interrupted migration, and the previous
/// generation kept to undo one, which is useless in another file.
package struct PackedCopy {
  /// The use of the pages in a file.
  package struct PageUse: Hashable, Sendable {
    package let fileSize: Int
    package let pageSize: Int
    package let usedPages: Int
    package let freePages: Int
    /// The used fraction of the tree pages, from 0 to 1.
    package let fill: Double

    /// Walks all pages of a file. The caller holds a snapshot of it.
    package init(path: String) throws {
      let (structure, count) = try FilePreflight.inspect(path) { ($0, try $0.checkPages()) }
      fileSize = Int(clamping: structure.fileSize)
      pageSize = structure.pageSize
      usedPages = Int(clamping: count.usedPages)
      freePages = Int(clamping: count.freePages)
      let room = Double(count.branchPages + count.leafPages) * Double(pageSize - 16)
      fill = room == 0 ? 1 : 1 - Double(count.unusedBytes) / room
    }
  }

  /// The parts of the store that were left out.
  package struct Result: Hashable, Sendable {
    /// The names of the tables that belong to no class, sorted.
    package var leftTables: [String] = []
    /// Whether the source kept a previous generation, which is not copied.
    package var leftPreviousGeneration = false
  }

  let session: Session

  package init(of session: Session) { self.session = session }

  /// Writes the store to a path without a file, and waits until it is on the disk.
  ///
  /// - Parameters:
  ///   - name: The name of the file in errors, or nil for its path.
  ///   - progress: A closure that receives the number of entries copied and the total.
  /// - Throws: ``StoreError``, or an error of `progress`. No file is left in that case.
  /// - Complexity: O(*n*), in memory for two pages for each level of a tree.
  package func write(
    to path: String, describedAs name: String? = nil,
    _ progress: (_ completed: Int, _ total: Int) throws -> Void
  ) throws -> Result {
    try session.requireOpen()
    do {
      return try copy(to: path, progress)
    } catch let error as LMDBError where error.code.rawValue == EEXIST {
      throw StoreError.describing(error, path: name ?? path)
    } catch {
      unsafe unlink(path)
      throw (error as? LMDBError).map { StoreError.describing($0, path: name ?? path) } ?? error
    }
  }

  private func copy(
    to path: String, _ progress: (_ completed: Int, _ total: Int) throws -> Void
  ) throws -> Result {
    let (view, environment) = (session.view, try session.file.environment)
    let names = session.loaded.catalog.tableNames
    let tables = try StoreError.naming(session.file.path) { try environment.openTables(names) }
    let total = try tables.values.reduce(0) { try $0 + view.count($1) }
    let source = try environment.openPath
    let structure = try FilePreflight.inspect(source, describedAs: session.file.path) { $0 }
    let file = try PackedFile(
      path: path, pageSize: structure.pageSize, mapSize: structure.mapSize,
      mode: mode(of: source))
    var completed = 0
    var roots: [String: PackedFile.TableRoot] = [:]
    for name in names {
      guard let table = tables[name.name] else { continue }
      roots[name.name] = try file.table(table) { tree in
        try copy(table, to: tree, view) {
          completed += 1
          if completed & 0x3FF == 0 { try progress(completed, total) }
        }
      }
    }
    try progress(total, total)
    var result = try leftOvers(known: roots, view, environment)
    result.leftPreviousGeneration = try PreviousGeneration(in: view) != nil
    try file.finish { try writeMain(to: $0, roots, view) }
    return result
  }

  /// Returns the mode for the copy: users of the store may also use the copy.
  private func mode(of path: String) -> UInt32 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return 0o600 }
    return UInt32(status.st_mode) & 0o777 | 0o600
  }

  private func copy(
    _ table: Table, to tree: PackedTree, _ view: ReadView, _ didCopy: () throws -> Void
  ) throws {
    let cursor = try view.cursor(table)
    var isInside = try cursor.move(to: .first)
    while isInside {
      try tree.append(cursor.key, cursor.value)
      try didCopy()
      isInside = try cursor.move(to: .next)
    }
  }

  /// Writes the main table: header, catalog, next object IDs, the state of a transition, tables and
  /// their counts, in the order of their names.
  private func writeMain(
    to main: PackedTree, _ roots: [String: PackedFile.TableRoot], _ view: ReadView
  ) throws {
    let cursor = try view.cursor(.main)
    var isInside = try cursor.move(to: .first)
    while isInside {
      let name = cursor.key.text
      if let root = roots[name] {
        try main.append(name, table: root)
      } else if [MainKey.header, MainKey.catalog, MainKey.transition].contains(name)
        || name.hasPrefix("next.")
        || TableName.counted(by: name).map({ roots[$0] != nil }) == true
      {
        try main.append(cursor.key, cursor.value)
      }
      isInside = try cursor.move(to: .next)
    }
  }

  private func leftOvers(
    known: [String: PackedFile.TableRoot], _ view: ReadView, _ environment: Environment
  ) throws -> Result {
    let kept = try PreviousGeneration(in: view)?.tableNames().map(\.name) ?? []
    let names = try StoreError.naming(session.file.path) { try environment.tableNames() }
    return Result(leftTables: names.filter { known[$0] == nil && !kept.contains($0) })
  }
}
