public import Foundation
internal import WhimbrelEngine

/// A check of everything in a store's file: what is wrong, and where.
///
/// ```swift
/// let report = try StoreCheck(path: "zones.whimbrel").run()
/// for finding in report.findings { print(finding.description) }
/// ```
///
/// First every page is looked at, without LMDB, which trusts its file: then the header and the
/// catalog, the checksum of every record and of everything that does not fit into one, that
/// indexes hold what follows from the records, that links lead to objects, that each embedded object
/// has one owner, and that object IDs are not given out again. A table with damaged pages is not
/// opened; the others are checked all the same, and the report says what was not.
///
/// The file is only read, and may be in use: what is checked is one commit.
public struct StoreCheck: Sendable {
  /// How much is checked.
  public enum Depth: Sendable {
    /// Pages and checksums: what damage to the file would change.
    case quick
    /// Everything.
    case full
  }

  /// The path of the store, as it was given.
  public let path: String
  /// How much is checked.
  public let depth: Depth

  /// - Parameter depth: how much is checked; the default is everything.
  public init(path: String, depth: Depth = .full) {
    self.path = path
    self.depth = depth
  }

  /// Checks the file.
  ///
  /// - Throws: `StoreError` when there is no file, it is none of a store, is of a newer format, or
  ///   may not be read, and ``InspectionError`` with `cancelled`. What is wrong inside of the file
  ///   is in the report.
  /// - Complexity: O(*n*) in the objects and the entries of indexes, and O(*pages*), on several
  ///   cores; O(*n* log *n*) where something is wrong. In memory for one bit a page, 1,000
  ///   findings, and a bit for each ID of objects that links may lead to, which is at most a byte
  ///   an object.
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
  /// What a check has found: what `whimbrel check --json` writes.
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
  /// `key` is the primary key, where it can be read. Object IDs and keys beyond 2⁵³ are strings.
  /// Later versions may add members and kinds.
  public struct Report: Hashable, Sendable, Codable {
    /// The path of the file, as it was given.
    public let path: String
    /// What is wrong: the first 1,000 findings, pages before objects.
    public let findings: [Finding]
    /// How many findings there are.
    public let findingCount: Int
    /// What is unusual and does no harm, as what an interrupted migration left.
    public let notes: [String]
    /// What could not be checked, because something that it needs is damaged.
    public let unchecked: [String]
    /// The classes, sorted by name; none when the catalog cannot be read.
    public let classes: [CheckedClass]
    /// The pages of the file.
    public let pages: Pages

    /// Whether nothing is wrong.
    public var isSound: Bool { findingCount == 0 && unchecked.isEmpty }
  }

  /// How many objects of a class were checked.
  public struct CheckedClass: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// How many objects it has.
    public let objects: Int
  }

  /// The pages of a file.
  public struct Pages: Hashable, Sendable, Codable {
    /// The size of a page in bytes.
    public let size: Int
    /// How many pages are in use.
    public let used: Int
    /// How many pages are free for what is written next.
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
          object: finding.object?.rawValue,
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

  /// The report as JSON: the same bytes for the same report.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// Reads what ``json()`` writes.
  ///
  /// - Throws: `DecodingError`.
  public init(json: Data) throws {
    self = try Coding.decoder().decode(StoreCheck.Report.self, from: json)
  }

  /// The report as text for people, with a line break at its end.
  public var text: String {
    var lines = findings.map(\.description)
    if findingCount > findings.count {
      lines.append("… and \(findingCount - findings.count) more")
    }
    lines += unchecked.map { "not checked: " + PlainText.escaped($0) }
    lines += notes.map { "note: " + PlainText.escaped($0) }
    let objects = classes.reduce(0) { $0 + $1.objects }
    let seen =
      "\(objects) objects in \(classes.count) \(classes.count == 1 ? "class" : "classes"), "
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
