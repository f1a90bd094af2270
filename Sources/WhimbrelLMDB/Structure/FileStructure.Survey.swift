import Foundation

extension FileStructure {
  /// All that is wrong with the structure of a file, as far as one walk can tell, and which
  /// tables can be read all the same.
  package struct Survey: Sendable {
    /// Something that is wrong, and where.
    package struct Fault: Hashable, Sendable {
      /// The named table that it is part of, or nil for the main database, the free list and
      /// the meta pages.
      package let table: String?
      package let failure: Failure
    }

    /// A named table, as the main database describes it.
    package struct NamedTable: Hashable, Sendable {
      package let name: String
      package let keys: Table.Keys
      package let entries: UInt64
    }

    /// The faults in the order in which they were met; no more than were asked for.
    package internal(set) var faults: [Fault] = []
    /// How many faults were met.
    package internal(set) var faultCount = 0
    /// The tables that the main database names.
    package internal(set) var tables: [NamedTable] = []
    /// The names of the tables that LMDB must not be led into.
    package internal(set) var damagedTables: Set<String> = []
    /// Whether the main database can be read.
    package internal(set) var isMainSound = true
    /// How many pages of each kind were met.
    package internal(set) var pages = PageCount()

    /// Whether a table is there and can be read with LMDB.
    package func isSound(_ name: String) -> Bool {
      isMainSound && !damagedTables.contains(name) && tables.contains { $0.name == name }
    }
  }

  /// Walks every page as ``checkPages()`` does, and goes on where something is wrong.
  ///
  /// Besides, it finds what LMDB survives: a page that belongs to nothing, flags and numbers
  /// in headers that nobody here writes.
  ///
  /// - Parameters:
  ///   - limit: how many faults are kept; all are counted.
  ///   - smallestForCores: files with fewer pages are walked by one core; so are those in which
  ///     something is wrong.
  ///   - progress: is told how many pages were read, and says whether to go on.
  /// - Throws: ``Failure/io(_:)``, with `ECANCELED` when it is not to go on.
  /// - Complexity: that of ``checkPages()``, and memory for `limit` faults and the names of the
  ///   tables.
  package func survey(
    limit: Int = 1_000, smallestForCores: UInt64 = 4_096,
    _ progress: @escaping (UInt64) -> Bool = { _ in true }
  ) throws(Failure) -> Survey {
    if lastPage >= smallestForCores, let survey = try soundSurvey(progress) { return survey }
    let log = FaultLog(limit: limit, progress)
    try survey(Walk(self, .everything, log: log), log)
    return log.survey
  }

  /// The survey of a file in which nothing is wrong, made on several cores; nil when something is.
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
    // Nothing depends on what these say.
    log.survey.isMainSound = true
    try walk.check()
    log.survey.pages = walk.count
  }

  /// What the newest meta page says that no meta page of ours says, if anything.
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

  /// Notes the faults of a walk that goes on.
  final class FaultLog {
    /// A part of the file, which is read or not as a whole.
    enum Part: Hashable {
      case main, freeList
      case table(String)
    }

    fileprivate(set) var survey = Survey()
    /// What is being walked.
    var part = Part.main
    private let limit: Int
    private let endsAtFirst: Bool
    private let progress: (UInt64) -> Bool
    private var pagesRead: UInt64 = 0

    /// - Parameter endsAtFirst: whether the first fault is thrown instead of noted.
    init(limit: Int, endsAtFirst: Bool = false, _ progress: @escaping (UInt64) -> Bool) {
      self.limit = limit
      self.endsAtFirst = endsAtFirst
      self.progress = progress
    }

    /// How many faults there were.
    var count: Int { survey.faultCount }

    /// Notes a fault, unless it ends the walk.
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

    /// Notes a named table.
    func add(_ header: TreeHeader, named name: String) {
      survey.tables.append(
        Survey.NamedTable(
          name: name, keys: header.hasIntegerKeys ? .integers : .bytes, entries: header.entries))
    }

    /// What a header says that none of ours says, if anything.
    func unusual(_ header: TreeHeader) -> Damage? {
      header.pad == 0 ? nil : .tablePad(header.pad)
    }

    /// Counts pages, and asks now and then whether to go on.
    func didRead(_ count: UInt64 = 1) throws(Failure) {
      let before = pagesRead
      pagesRead += count
      if before / 256 != pagesRead / 256, !progress(pagesRead) { throw .io(ECANCELED) }
    }
  }
}
