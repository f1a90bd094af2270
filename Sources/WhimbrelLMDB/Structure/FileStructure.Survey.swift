import Foundation

extension FileStructure {
  /// The faults in the structure of a file that one walk finds, and the tables that are readable
  /// despite them.
  package struct Survey: Sendable {
    /// A fault and its place.
    package struct Fault: Hashable, Sendable {
      /// The named table with the fault, or nil for the main database, the free list and the meta
      /// pages.
      package let table: String?
      package let failure: Failure
    }

    /// A named table, as described in the main database.
    package struct NamedTable: Hashable, Sendable {
      package let name: String
      package let keys: Table.Keys
      package let entries: UInt64
    }

    /// The first faults, in the order of the walk, up to the limit.
    package internal(set) var faults: [Fault] = []
    /// The number of all faults.
    package internal(set) var faultCount = 0
    /// The tables that the main database names.
    package internal(set) var tables: [NamedTable] = []
    /// The names of the tables that must not be read with LMDB.
    package internal(set) var damagedTables: Set<String> = []
    /// Whether the main database is readable.
    package internal(set) var isMainSound = true
    /// The numbers of pages met, by kind.
    package internal(set) var pages = PageCount()

    /// Returns whether a table exists and can be read with LMDB.
    package func isSound(_ name: String) -> Bool {
      isMainSound && !damagedTables.contains(name) && tables.contains { $0.name == name }
    }
  }

  /// Walks every page as ``checkPages()`` does, but continues after a fault.
  ///
  /// It also reports oddities that LMDB tolerates: pages that belong to nothing, and flags and
  /// numbers in headers that this library never writes.
  ///
  /// - Parameters:
  ///   - limit: The number of faults to keep. All faults are counted.
  ///   - smallestForCores: The number of pages from which several cores share the walk. One core
  ///     walks smaller files, and files with faults.
  ///   - progress: A closure that receives the number of pages read, and returns whether to
  ///     continue.
  /// - Throws: ``Failure/io(_:)``, with `ECANCELED` if `progress` returns false.
  /// - Complexity: As ``checkPages()``, plus memory for `limit` faults and the names of the tables.
  package func survey(
    limit: Int = 1_000, smallestForCores: UInt64 = 4_096,
    _ progress: @escaping (UInt64) -> Bool = { _ in true }
  ) throws(Failure) -> Survey {
    if lastPage >= smallestForCores, let survey = try soundSurvey(progress) { return survey }
    let log = FaultLog(limit: limit, progress)
    try survey(Walk(self, .everything, log: log), log)
    return log.survey
  }

  /// Surveys a sound file on several cores. Returns nil if there is any fault.
  func soundSurvey(_ progress: @escaping (UInt64) -> Bool) throws(Failure) -> Survey? {
    let log = FaultLog(limit: 0, endsAtFirst: true, progress)
    do throws(Failure) {
      try survey(Walk(self, .everything, log: log, subtrees: Subtrees()), log)
      return log.survey
    } catch .io(let code) {
      throw .io(code)
    } catch {
      return nil
    }
  }

  private func survey(_ walk: Walk, _ log: FaultLog) throws(Failure) {
    try walk.tolerating(in: .main) { () throws(Failure) in
      if let fault = unusualMeta { throw fault }
      if let damage = log.unusual(main) { throw .damaged(page: metaPage, reason: damage) }
    }
    try walk.tolerating(in: .freeList) { () throws(Failure) in
      do throws(Failure) {
        try checkTransactions()
      } catch .badMeta(let page, let reason) {
        throw .badMeta(page: page, reason: reason)
      } catch {
        // A page of the free list cannot be read. The walk below finds the fault.
      }
    }
    // The faults above do not make the main database unreadable.
    log.survey.isMainSound = true
    try walk.check()
    log.survey.pages = walk.count
  }

  /// The first value of the newest meta page that this library never writes, or nil.
  private var unusualMeta: Failure? {
    if environmentFlags != TableFlags.integerKey | TableFlags.noSubdirectory {
      return .damaged(page: metaPage, reason: .tableFlags(environmentFlags))
    }
    if main.flags != 0 { return .damaged(page: metaPage, reason: .tableFlags(main.flags)) }
    if mapSize / UInt64(pageSize) <= lastPage {
      return .badMeta(page: metaPage, reason: .mapSize(mapSize))
    }
    return nil
  }

  /// A log that records faults, so that the walk can continue.
  final class FaultLog {
    /// A part of the file, which is readable or not as a whole.
    enum Part: Hashable {
      case main, freeList
      case table(String)
    }

    fileprivate(set) var survey = Survey()
    var part = Part.main
    private let limit: Int
    private let endsAtFirst: Bool
    private let progress: (UInt64) -> Bool
    private var pagesRead: UInt64 = 0

    /// - Parameter endsAtFirst: Whether to throw the first fault instead of recording it.
    init(limit: Int, endsAtFirst: Bool = false, _ progress: @escaping (UInt64) -> Bool) {
      self.limit = limit
      self.endsAtFirst = endsAtFirst
      self.progress = progress
    }

    var count: Int { survey.faultCount }

    /// Records a fault, or throws it if it ends the walk.
    func note(_ failure: Failure) throws(Failure) {
      if endsAtFirst { throw failure }
      if case .io = failure { throw failure }
      var table: String?
      switch part {
      case .main: survey.isMainSound = false
      case .freeList: break
      case .table(let name):
        table = name
        survey.damagedTables.insert(name)
      }
      survey.faultCount += 1
      guard survey.faults.count < limit else { return }
      survey.faults.append(Survey.Fault(table: table, failure: failure))
    }

    func add(_ header: TreeHeader, named name: String) {
      survey.tables.append(
        Survey.NamedTable(
          name: name, keys: header.hasIntegerKeys ? .integers : .bytes, entries: header.entries))
    }

    /// Returns the first value of a header that this library never writes, or nil.
    func unusual(_ header: TreeHeader) -> Damage? {
      header.pad == 0 ? nil : .tablePad(header.pad)
    }

    /// Counts pages read, and asks from time to time whether to continue.
    func didRead(_ count: UInt64 = 1) throws(Failure) {
      let before = pagesRead
      pagesRead += count
      if before / 256 != pagesRead / 256, !progress(pagesRead) { throw .io(ECANCELED) }
    }
  }
}
