internal import Foundation
internal import WhimbrelLMDB

/// A check of a file that may be damaged. It first walks every page without LMDB. Then it reads the
/// tables with LMDB, except those with a damaged page.
///
/// The file may be in use. The check covers one commit.
package struct FileCheck {
  package struct Report: Sendable {
    package var findings = IntegrityCheck.Findings(limit: FileCheck.limit)
    /// Unusual facts that do no harm.
    package var notes: [String] = []
    /// The parts that could not be checked, each with the reason.
    package var unchecked: [String] = []
    package var classes: [(name: String, tally: RecordTally)] = []
    package var pageSize = 0
    package var fileSize: UInt64 = 0
    package var usedPages = 0
    package var freePages = 0
  }

  /// The phase of a check.
  package enum Step: Sendable {
    case pages, objects
  }

  /// A closure that receives the progress of the check. An error that it throws ends the check.
  package typealias Progress = (_ step: Step, _ completed: Int, _ total: Int) throws -> Void

  /// The number of findings to keep.
  package static let limit = 1_000

  private let path: String
  private let depth: IntegrityCheck.Depth
  private let progress: Progress
  var report = Report()

  /// Checks a file.
  ///
  /// - Throws: ``StoreError`` when the file does not exist, cannot be read, is not an LMDB file, or
  ///   has a newer format. Damage inside the file is a finding.
  /// - Complexity: O(*pages*) and O(*n*), or O(*n* log *n*) for damaged files. Memory: one bit a
  ///   page, the names of the tables, the findings, and a bit for each object ID of linked classes.
  package static func run(
    path: String, depth: IntegrityCheck.Depth, _ progress: @escaping Progress = { _, _, _ in }
  ) throws -> Report {
    var check = FileCheck(path: path, depth: depth, progress: progress)
    try check.run()
    return check.report
  }

  private mutating func run() throws {
    guard try inspect() != nil else { return }
    var request = OpenRequest(path: path)
    request.isReadOnly = true
    try FilePreflight.check(request)
    let lease = try StoreFile.openFile(request)
    let file = StoreFile(path: path, isReadOnly: true, lease: lease)
    try file.explaining { try check(file) }
  }

  /// Reads the meta pages. Records their faults as findings.
  private mutating func inspect() throws -> FileStructure? {
    do throws(FileStructure.Failure) {
      let structure = try FileStructure.inspect(path: path)
      report.pageSize = structure.pageSize
      report.fileSize = structure.fileSize
      return structure
    } catch {
      switch error {
      case .badMeta, .damaged, .truncated: note(error, table: nil)
      default: throw FilePreflight.explain(error, path)
      }
      report.unchecked.append("everything after the meta pages: LMDB cannot open the file")
      return nil
    }
  }

  /// Checks the pages, and the tables without a damaged page.
  private mutating func check(_ file: StoreFile) throws {
    var surveyed: (commit: Int, survey: FileStructure.Survey)?
    var opened: [TableName]?
    var tables: [String: Table] = [:]
    while true {
      // LMDB: the snapshot keeps the pages of its commit unchanged. It must be taken after the
      // tables were opened.
      let snapshot = try ReadTransaction(file.environment)
      let view = snapshot.view
      if surveyed?.commit != view.transactionID {
        report = Report()
        guard let survey = try survey() else { return }
        surveyed = (view.transactionID, survey)
      }
      guard let survey = surveyed?.survey else { return }
      guard survey.isMainSound else {
        return report.unchecked.append("all objects: the main table is damaged")
      }
      guard let loaded = try catalog(of: file, view) else { return }
      let names = readableTables(loaded, survey)
      if opened == names {
        try MainTableCheck(loaded, view, survey).run(&report)
        try checkObjects(loaded, view, file.environment, survey, tables)
        _ = consume snapshot
        return
      }
      _ = consume snapshot
      tables = try file.environment.openTables(names)
      opened = names
    }
  }

  /// Walks all pages and records their faults.
  private mutating func survey() throws -> FileStructure.Survey? {
    guard let structure = try inspect() else { return nil }
    var cancellation: (any Error)?
    let (progress, total) = (self.progress, Int(clamping: structure.lastPage))
    let survey: FileStructure.Survey
    do throws(FileStructure.Failure) {
      survey = try structure.survey(limit: Self.limit) { completed in
        do { try progress(.pages, Int(clamping: completed), total) } catch { cancellation = error }
        return cancellation == nil
      }
    } catch {
      throw cancellation ?? FilePreflight.explain(error, path)
    }
    for fault in survey.faults { note(fault.failure, table: fault.table) }
    if survey.isMainSound {
      do throws(FileStructure.Failure) {
        try structure.checkSeal()
      } catch {
        note(error, table: nil)
      }
    }
    report.usedPages = Int(clamping: survey.pages.usedPages)
    report.freePages = Int(clamping: survey.pages.freePages)
    report.findings.addUnkept(survey.faultCount - survey.faults.count)
    if survey.pages.lostPages > 0 {
      report.findings.add(
        IntegrityCheck.Finding(
          kind: .unreachablePages,
          problem: "\(survey.pages.lostPages) pages do not belong to a table and are not free"))
    }
    return survey
  }

  private mutating func note(_ failure: FileStructure.Failure, table: String?) {
    report.findings.add(
      IntegrityCheck.Finding(
        kind: .page, page: failure.page,
        problem: failure.words + (table.map { ", in the table '\($0)'" } ?? "")))
  }

  /// Reads the header and the catalog. Records their faults as findings.
  private mutating func catalog(of file: StoreFile, _ view: ReadView) throws -> LoadedCatalog? {
    do {
      return try file.catalog(in: view)
    } catch let error as StoreError where error.code == .damaged || error.code == .notAStore {
      // A file without the header's mark is not a store, unless a damaged page may have held it.
      if error.code == .notAStore, report.findings.count == 0,
        try view.value(.main, MainKey.catalog) == nil
      {
        throw error
      }
      report.findings.add(IntegrityCheck.Finding(kind: .catalog, problem: Self.reason(error)))
      report.unchecked.append(
        "all objects: they cannot be identified without the header and the catalog")
      return nil
    }
  }

  /// Returns the part of an error's message after the file name.
  private static func reason(_ error: StoreError) -> String {
    let parts = error.message.components(separatedBy: "the file is damaged: ")
    return parts.count == 2 ? String(parts[1].dropLast()) : "the header does not belong to a store"
  }

  // MARK: - Tables

  /// Returns the class tables that can be read.
  private func readableTables(
    _ loaded: LoadedCatalog, _ survey: FileStructure.Survey
  ) -> [TableName] {
    loaded.catalog.tableNames.filter { name in
      survey.isSound(name.name)
        && survey.tables.contains { $0.name == name.name && $0.keys == name.keys }
    }
  }

  private mutating func checkObjects(
    _ loaded: LoadedCatalog, _ view: ReadView, _ environment: Environment,
    _ survey: FileStructure.Survey, _ tables: [String: Table]
  ) throws {
    let classes = loaded.classes.map { resolved in
      let overflow = TableNames.overflow(resolved.entry).name
      return ScannedClass(resolved, lacksOverflow: survey.damagedTables.contains(overflow)) {
        tables[$0.name]
      }
    }
    for table in classes where table.objects == nil {
      report.unchecked.append("the objects of class '\(table.name)': their table is damaged")
    }
    var check = IntegrityCheck(
      classes: classes, view: view, environment: environment, depth: depth,
      checksNextObjectIDs: true, findings: report.findings)
    let tallies = try check.run { completed, total in try progress(.objects, completed, total) }
    report.findings = check.findings
    report.classes = zip(classes, tallies).map { ($0.name, $1) }.sorted { $0.name < $1.name }
  }
}
