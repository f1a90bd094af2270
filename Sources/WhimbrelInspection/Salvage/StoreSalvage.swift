public import Foundation
internal import WhimbrelEngine

/// Gets what can be read of a damaged store into a new one.
///
/// ```swift
/// let report = try StoreSalvage(path: "damaged.whimbrel").run(to: "saved.whimbrel")
/// for entry in report.classes { print(entry.name, entry.kept, entry.lost ?? "?") }
/// ```
///
/// The pages are read one by one, without LMDB, which would follow what they say: first those that
/// each class's table leads to, then all others that are not free. A record is taken when its
/// checksum says that it is that of its class and object, wherever it is found. Objects of which
/// parts are missing are left out, links to lost objects become nil, embedded objects without
/// owners go, and indexes are built anew, so that the new store passes a ``StoreCheck``.
///
/// The damaged file is only read; nobody should write it meanwhile.
public struct StoreSalvage: Sendable {
  /// Which pages are looked at when the tables have been followed.
  public enum Search: Sendable {
    /// Those that are not free.
    case usedPages
    /// Free pages too: objects that were deleted may be back.
    case allPages
  }

  /// The path of the damaged store.
  public let path: String
  /// A healthy store with the same classes, whose catalog is taken where none can be found.
  public let schemaPath: String?
  /// Which pages are looked at when the tables have been followed.
  public let search: Search

  /// - Parameters:
  ///   - schemaPath: a healthy store of the same app; the default is none.
  ///   - search: which pages are looked at; the default is those that are not free.
  public init(path: String, schemaFrom schemaPath: String? = nil, search: Search = .usedPages) {
    self.path = path
    self.schemaPath = schemaPath
    self.search = search
  }

  /// Makes the new store, where there is no file yet.
  ///
  /// - Throws: ``InspectionError`` with `nothingToSalvage`, `fileExists` or `cancelled`, and
  ///   `StoreError`; no store is made then.
  /// - Complexity: O(*n* log *n*) and O(*pages*), in memory for two bits a page, and for the IDs of
  ///   the objects of one class, of those that are damaged, and of embedded ones.
  public func run(to output: String, monitor: WorkMonitor = .silent) throws -> Report {
    let verb = "salvage a store into"
    guard !FileManager.default.fileExists(atPath: output) else {
      throw InspectionError.fileExists(output, verb)
    }
    let other = try schemaPath.map { try StoreInspector(path: $0) }
    do {
      let salvage = try Salvage(
        path: path, output: output, search: search == .allPages ? .allPages : .usedPages,
        orCatalogOf: other?.session
      ) { step, completed, total in
        try monitor.update(
          step, completed, of: total, orThrow: .cancelled(path, "salvage the store"))
      }
      return Report(path: path, try salvage.run(to: output))
    } catch let failure as Salvage.Failure {
      switch failure {
      case .noCatalog: throw InspectionError.noCatalog(path)
      case .noObjects: throw InspectionError.noObjects(path)
      case .fileExists: throw InspectionError.fileExists(output, verb)
      }
    }
  }
}

extension StoreSalvage {
  /// What was found and what was lost: what `whimbrel salvage --json` writes.
  ///
  /// ```json
  /// {
  ///   "catalog" : "metaPage",
  ///   "classes" : [
  ///     { "bySearch" : 3, "byTree" : 400, "damaged" : [ "id:17" ], "expected" : 418,
  ///       "kept" : 403, "lostLinks" : 2, "name" : "Zone", "orphans" : 0 }
  ///   ],
  ///   "knowsFreePages" : true,
  ///   "path" : "damaged.whimbrel"
  /// }
  /// ```
  public struct Report: Hashable, Sendable, Codable {
    /// The path of the damaged store, as it was given.
    public let path: String
    /// Where the catalog was found: `metaPage`, `olderMetaPage` (that of the commit before, or of
    /// an unknown one), `search` (by looking at all pages) or `otherStore`.
    public let catalog: String
    /// Whether free pages could be told from others. If not, objects that were deleted may be
    /// back, and objects may be as they were before they were changed.
    public let knowsFreePages: Bool
    /// The classes, sorted by name.
    public let classes: [SalvagedClass]

    /// Whether nothing was lost.
    public var isComplete: Bool {
      knowsFreePages && catalog == "metaPage"
        && classes.allSatisfy { $0.lost == 0 && $0.damaged.isEmpty && $0.lostLinks == 0 }
    }
  }

  /// What was found and what was lost of a class.
  public struct SalvagedClass: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// How many objects the damaged store had, or nil when it does not say.
    public let expected: Int?
    /// How many objects the new store has.
    public let kept: Int
    /// How many objects were found through the class's table.
    public let byTree: Int
    /// How many objects were found by looking at all pages.
    public let bySearch: Int
    /// The damaged objects that were met, in the order of their IDs: the primary key where the ID
    /// tells it, which it does for integer keys, or `id:` and the ID.
    public let damaged: [String]
    /// How many embedded objects were left out because their owners are lost.
    public let orphans: Int
    /// How many links led to lost objects and are nil now, or were taken out of collections.
    public let lostLinks: Int

    /// How many objects are lost, or nil when the damaged store does not say how many it had.
    public var lost: Int? { expected.map { max($0 - kept, 0) } }
  }
}

extension StoreSalvage.Report {
  fileprivate init(path: String, _ report: Salvage.Report) {
    self.init(
      path: path, catalog: report.catalogOrigin, knowsFreePages: report.knowsFreePages,
      classes: report.classes.map { entry in
        StoreSalvage.SalvagedClass(
          name: entry.name, expected: entry.expected, kept: entry.kept, byTree: entry.byTree,
          bySearch: entry.bySearch,
          damaged: entry.damaged.map {
            $0.isGivenOut ? ClassTable.name(of: $0) : "\($0.clusteredKey)"
          },
          orphans: entry.orphans, lostLinks: entry.lostLinks)
      })
  }

  /// The report as JSON: the same bytes for the same report.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// The report as text for people, with a line break at its end.
  public var text: String {
    let head = ["class", "kept", "by table", "by search", "lost", "links lost"]
    let rows = classes.map { entry in
      [
        PlainText.escaped(entry.name), String(entry.kept), String(entry.byTree),
        String(entry.bySearch), entry.lost.map(String.init) ?? "unknown", String(entry.lostLinks),
      ]
    }
    var text = TextTable([head] + rows, rightAligned: [1, 2, 3, 4, 5]).description
    for entry in classes where !entry.damaged.isEmpty {
      let shown = entry.damaged.prefix(20).joined(separator: ", ")
      let rest = entry.damaged.count > 20 ? " … \(entry.damaged.count) in all" : ""
      text += "damaged objects of \(PlainText.quoted(entry.name)): \(shown)\(rest)\n"
    }
    switch catalog {
    case "olderMetaPage":
      text += "The newest meta page or its tables are lost; they are those of a commit before.\n"
    case "search": text += "The catalog was found by looking at all pages.\n"
    case "otherStore": text += "The catalog is that of the other store.\n"
    default: break
    }
    if !knowsFreePages {
      text += """
        The list of free pages cannot be read: deleted objects may be back, and changed ones may be \
        as they were before.

        """
    }
    return text + (isComplete ? "Nothing was lost.\n" : "Not everything could be saved.\n")
  }
}

extension InspectionError.Code {
  /// Nothing can be got out of a damaged store.
  public static let nothingToSalvage = Self("nothingToSalvage")
}

extension InspectionError {
  static func noCatalog(_ path: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): its catalog cannot be found.",
      "If there is a healthy store of the same app, name it with '--schema-from'.")
  }

  static func noObjects(_ path: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): no object of it can be read.",
      "Restore a copy of the file. No store was made.")
  }
}
