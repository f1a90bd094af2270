internal import WhimbrelLMDB

// Results are cached while nothing changes that their query reads. Inside a write, each change is
// counted by its class and property. Changes that others commit show in the root pages of the
// classes, which are compared whenever the session shows another commit.

/// A stamp of what a query reads, as a session has shown it.
package struct ContentStamp {
  fileprivate struct Part {
    let counts: ContentCounts
    let positions: Set<Int>
    let total: Int
  }

  fileprivate var parts: [Part] = []
}

/// The classes that a session watches for changes.
struct WatchedClasses {
  fileprivate struct Watched {
    let table: ClassTable
    /// The root pages in the commit, or nil if only those in a write are known.
    var roots: ClassTable.Roots?
  }

  fileprivate var all: [Watched] = []
  /// The commit that the roots belong to.
  fileprivate var commit = 0
  /// The commit of the write that has just ended, or nil.
  fileprivate var written: Int?

  var isEmpty: Bool { all.isEmpty }
}

extension Session {
  /// Returns a stamp of what a query reads, or nil if that is not known: in a migration, and while
  /// objects are converted by rules, which may read anything.
  ///
  /// - Complexity: O(*n*) for *n* properties that the query reads.
  package func stamp(of query: BoundQuery) throws -> ContentStamp? {
    guard let read = try QueryDependencies(of: query).propertiesRead(by: query) else { return nil }
    return try stamp(ofReading: read)
  }

  /// Returns a stamp of which objects a class has.
  func stamp(ofObjectsIn table: ClassTable) throws -> ContentStamp? {
    try stamp(ofReading: [table: []])
  }

  /// Returns a stamp of the objects that link to those of a class through a property.
  package func stamp(
    ofLinksTo target: ClassTable, by position: Int, of table: ClassTable
  ) throws -> ContentStamp? {
    var read: [ClassTable: Set<Int>] = [target: []]
    read[table, default: []].insert(position)
    return try stamp(ofReading: read)
  }

  private func stamp(ofReading read: [ClassTable: Set<Int>]) throws -> ContentStamp? {
    guard !isClosed, !isOfMigration, snapshots != nil else { return nil }
    var stamp = ContentStamp()
    for (table, positions) in read {
      guard table.isShown, !table.resolved.isInTransition else { return nil }
      let counts = try watch(table)
      stamp.parts.append(
        .init(counts: counts, positions: positions, total: counts.total(of: positions)))
    }
    return stamp
  }

  /// Returns whether the session still shows what it showed when a stamp was made.
  package func isCurrent(_ stamp: ContentStamp) -> Bool {
    !isClosed && stamp.parts.allSatisfy { $0.counts.total(of: $0.positions) == $0.total }
  }

  private func watch(_ table: ClassTable) throws -> ContentCounts {
    if let counts = table.records.counts { return counts }
    if watchedClasses.isEmpty, !isWriting { watchedClasses.commit = currentView.transactionID }
    let roots = isWriting ? nil : try table.roots(in: currentView)
    let counts = ContentCounts(propertyCount: table.resolved.properties.count)
    table.records.counts = counts
    watchedClasses.all.append(.init(table: table, roots: roots))
    return counts
  }

  /// Notes that a write has begun. It may show more than the session has shown before: commits of
  /// others, and what its group has written. Root pages cannot be compared in a write.
  func watchedWriteDidBegin() {
    if group != nil || currentView.transactionID != watchedClasses.commit + 1 {
      forgetWatchedClasses()
    }
  }

  /// Notes that a write ends.
  ///
  /// - Parameters:
  ///   - isCommitted: Whether the write was committed by itself: it was neither undone nor a part of
  ///     a group.
  ///   - commit: The commit of the write, or nil if it has changed nothing.
  func watchedWriteDidEnd(committing isCommitted: Bool, _ commit: Int?) {
    if !isCommitted { return forgetWatchedClasses() }
    watchedClasses.written = watchedClasses.isEmpty ? nil : commit
  }

  /// Finds changes of the watched classes, in a snapshot that the session has begun to show.
  ///
  /// - Parameter held: The commit of the previous snapshot, if that is still held.
  func compareWatchedClasses(sinceHeld held: Int?) {
    if watchedClasses.isEmpty { return }
    let (before, commit) = (watchedClasses.commit, currentView.transactionID)
    watchedClasses.commit = commit
    // The changes of the session's own write are counted already.
    let isOwnWrite = watchedClasses.written.take() == commit
    // LMDB: a page that a snapshot sees is the same page in the two commits after it.
    guard isOwnWrite || held == before || (before...before + 2).contains(commit) else {
      return forgetWatchedClasses()
    }
    for index in watchedClasses.all.indices.reversed() {
      let watched = watchedClasses.all[index]
      let roots = try? watched.table.roots(in: currentView)
      if let roots, isOwnWrite || roots == watched.roots {
        watchedClasses.all[index].roots = roots
      } else {
        watchedClasses.all.remove(at: index)
        watched.table.stopCounting()
      }
    }
  }

  /// Treats all watched classes as changed, and stops watching them.
  func forgetWatchedClasses() {
    for watched in watchedClasses.all { watched.table.stopCounting() }
    watchedClasses = WatchedClasses()
  }
}

extension ClassTable {
  /// Makes all stamps of the class outdated.
  fileprivate func stopCounting() {
    records.counts?.didChangeObjects()
    records.counts = nil
  }
}
