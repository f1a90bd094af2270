public import Foundation
internal import WhimbrelEngine

/// A check of all data in the file of a store.
///
/// ```swift
/// let report = try StoreCheck(path: "zones.whimbrel").run()
/// for finding in report.findings { print(finding.description) }
/// ```
///
/// LMDB trusts its file, so the check first reads every page without it. Then it checks:
///
/// - the header and the catalog,
/// - the checksums of all records and of their overflow,
/// - that each index holds exactly the entries that follow from the records,
/// - that links lead to objects,
/// - that each embedded object has one owner,
/// - that no object ID will be assigned twice.
///
/// A table with damaged pages is not opened. The other tables are checked, and the report lists
/// what was not.
///
/// The check only reads the file, sees one commit, and may run while the file is in use.
public struct StoreCheck: Sendable {
  /// The extent of a check.
  public enum Depth: Sendable {
    /// Pages and checksums, which detect damage to the file.
    case quick
    /// Everything.
    case full
  }

  /// The path of the store as the caller gave it.
  public let path: String
  /// The extent of the check.
  public let depth: Depth

  /// Creates a check of a store.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - depth: The extent of the check. The default is everything.
  public init(path: String, depth: Depth = .full) {
    self.path = path
    self.depth = depth
  }

  /// Checks the file.
  ///
  /// - Parameter monitor: Receives the progress.
  /// - Throws: `StoreError` if the file does not exist, is not a store, has a newer format, or is
  ///   not readable, and ``InspectionError`` with `cancelled`. Problems inside the file are not
  ///   thrown; they are in the report.
  /// - Complexity: O(*n*) in objects and index entries, and O(*pages*), on several cores; O(*n* log
  ///   *n*) if there are problems. Memory: one bit per page, 1,000 findings, and one bit per ID of
  ///   objects that links may lead to, at most one byte per object.
  public func run(monitor: WorkMonitor = .silent) throws -> Report {
    let trace = LockFileTrace(path: path)
    defer { trace.remove() }
    let found = try FileCheck.run(path: path, depth: depth == .quick ? .checksums : .everything) {
      step, completed, total in
      try monitor.update(
        step == .pages ? "Checking pages" : "Checking objects", completed, of: total,
        step == .pages ? .pages : .objects, orThrow: .cancelled(path, "check the store"))
    }
    let names = found.findings.kept.contains { $0.object != nil } ? FindingNames(path) : nil
    return Report(path: path, found, names)
  }
}

extension StoreCheck {
  /// The result of a check, as `whimbrel check --json` writes it.
  ///
  /// ```json
  /// {
  ///   "classes" : [ { "name" : "Zone", "objects" : 418 } ],
  ///   "findingCount" : 1,
  ///   "findings" : [
  ///     { "class" : "Zone", "key" : "Europe/Andorra", "kind" : "link", "object" : 17,
  ///       "problem" : "'country' leads to no object", "property" : "country" }
  ///   ],
  ///   "notes" : [ ],
  ///   "pages" : { "free" : 2, "size" : 4096, "used" : 40 },
  ///   "path" : "zones.whimbrel",
  ///   "unchecked" : [ ]
  /// }
  /// ```
  ///
  /// `key` is the primary key if it can be read. Object IDs and keys beyond 2⁵³ are strings. Later
  /// versions may add members and kinds.
  public struct Report: Hashable, Sendable, Codable {
    /// The path of the file as the caller gave it.
    public let path: String
    /// The first 1,000 findings, pages before objects.
    public let findings: [Finding]
    /// The number of findings, which may exceed 1,000.
    public let findingCount: Int
    /// Unusual facts that are harmless, for example the remains of an interrupted migration.
    public let notes: [String]
    /// The parts that were not checked, because something that they need is damaged.
    public let unchecked: [String]
    /// The classes, sorted by name. Empty if the catalog cannot be read.
    public let classes: [CheckedClass]
    /// The use of the pages of the file.
    public let pages: Pages

    /// Whether the check was complete and found no problem.
    public var isSound: Bool { findingCount == 0 && unchecked.isEmpty }
  }

  /// The number of checked objects of a class.
  public struct CheckedClass: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// The number of objects.
    public let objects: Int
  }

  /// The use of the pages of a file.
  public struct Pages: Hashable, Sendable, Codable {
    /// The size of a page in bytes.
    public let size: Int
    /// The number of pages in use.
    public let used: Int
    /// The number of pages that are free for later writes.
    public let free: Int
  }
}

extension StoreCheck.Report {
  fileprivate init(path: String, _ found: FileCheck.Report, _ names: FindingNames?) {
    self.init(
      path: path,
      findings: found.findings.kept.map { finding in
        StoreCheck.Finding(
          kind: finding.kind.rawValue, className: finding.className,
          objectID: finding.object,
          storedKey: names?.key(of: finding.object, class: finding.className),
          property: finding.property, page: finding.page, problem: finding.problem)
      },
      findingCount: found.findings.count, notes: found.notes, unchecked: found.unchecked,
      classes: found.classes.map {
        StoreCheck.CheckedClass(name: $0.name, objects: $0.tally.objects)
      },
      pages: StoreCheck.Pages(
        size: found.pageSize, used: found.usedPages, free: found.freePages))
  }

  /// Returns the report as JSON. Equal reports give the same bytes.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Decodes the output of ``json()``.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(StoreCheck.Report.self, from: json)
  }

  /// The report as text for people, with a line end.
  public var text: String {
    var lines = findings.map(\.description)
    if findingCount > findings.count {
      lines.append("… and \(findingCount - findings.count) more")
    }
    lines += unchecked.map { "not checked: " + PlainText.escaped($0) }
    lines += notes.map { "note: " + PlainText.escaped($0) }
    let objects = classes.reduce(0) { $0 + $1.objects }
    let seen =
      "\(StoreError.count(objects, "object")) in "
      + "\(classes.count) \(classes.count == 1 ? "class" : "classes"), "
      + "\(pages.used) pages in use, \(pages.free) free"
    let verdict =
      switch findingCount {
      case 0 where unchecked.isEmpty: "nothing is wrong"
      case 0: "not everything was checked"
      case 1: "1 finding"
      default: "\(findingCount) findings"
      }
    lines.append("\(PlainText.escaped(path)): \(verdict) (\(seen))")
    return lines.joined(separator: "\n") + "\n"
  }
}
