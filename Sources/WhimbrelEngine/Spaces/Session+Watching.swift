internal import WhimbrelLMDB

// Results are cached while nothing changes that their query reads. The root pages of the classes
// show changes. They are compared whenever the session shows another snapshot.

/// A stamp of the objects of some classes, as a session has shown them.
package struct ContentStamp {
  fileprivate let contents: [(table: ClassTable, number: Int)]
}

/// The classes that a session watches for changes.
struct WatchedClasses {
  fileprivate struct Watched {
    let table: ClassTable
    var roots: ClassTable.Roots
  }

  fileprivate var all: [Watched] = []
  /// The commit that the roots belong to.
  fileprivate var commit = 0

  var isEmpty: Bool { all.isEmpty }
}

extension Session {
  /// Returns a stamp of the classes that a query reads, or nil in a write and in a migration.
  ///
  /// - Complexity: O(*n*) for *n* classes that the query reads.
  package func stamp(of query: BoundQuery) throws -> ContentStamp? {
    guard !isWriting, !isOfMigration, snapshots != nil,
      let tables = try QueryDependencies(of: query).classNames(of: query)?.map(table)
    else { return nil }
    for table in tables { try watch(table) }
    return ContentStamp(contents: tables.map { ($0, $0.contentNumber) })
  }

  /// Returns whether the session still shows the objects that it showed when a stamp was made.
  package func isCurrent(_ stamp: ContentStamp) -> Bool {
    !isWriting && !isClosed && stamp.contents.allSatisfy { $0.table.contentNumber == $0.number }
  }

  private func watch(_ table: ClassTable) throws {
    if watchedClasses.isEmpty { watchedClasses.commit = currentView.transactionID }
    if watchedClasses.all.contains(where: { $0.table === table }) { return }
    watchedClasses.all.append(.init(table: table, roots: try table.roots(in: currentView)))
  }

  /// Finds changes of the watched classes, in a snapshot that the session has begun to show.
  ///
  /// - Parameter held: The commit of the previous snapshot, if that is still held.
  func compareWatchedClasses(sinceHeld held: Int?) {
    if watchedClasses.isEmpty { return }
    let (before, commit) = (watchedClasses.commit, currentView.transactionID)
    // LMDB: a page that a snapshot sees is the same page in the two commits after it.
    guard held == before || (before...before + 2).contains(commit) else {
      return forgetWatchedClasses()
    }
    watchedClasses.commit = commit
    watchedClasses.all.removeAll { watched in
      let roots = try? watched.table.roots(in: currentView)
      if roots == watched.roots { return false }
      watched.table.contentNumber += 1
      return true
    }
  }

  /// Treats all watched classes as changed, and stops watching them.
  func forgetWatchedClasses() {
    for watched in watchedClasses.all { watched.table.contentNumber += 1 }
    watchedClasses = WatchedClasses()
  }
}
