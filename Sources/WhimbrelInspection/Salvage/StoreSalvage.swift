public import Foundation
internal import WhimbrelEngine

/// A salvage: it copies whatever is readable in a damaged store into a new store.
///
/// ```swift
/// let report = try StoreSalvage(path: "damaged.whimbrel").run(to: "saved.whimbrel")
/// for entry in report.classes { print(entry.name, entry.kept, entry.lost ?? "?") }
/// ```
///
/// LMDB trusts its file, so the salvage reads the pages one by one without it: first the pages that
/// each class table leads to, then all others that are not free. It takes a record, wherever it is,
/// if the checksum matches the record's class and object. It leaves out objects with missing parts
/// and embedded objects without owners, sets links to lost objects to nil, and rebuilds the
/// indexes. The new store passes a ``StoreCheck``.
///
/// In a store in transition, records may have layouts of past shapes. If the catalog of such a
/// store is lost, only the catalog of a copy from during the transition has these shapes. With
/// another catalog, objects of unknown shapes are counted and left out.
///
/// The salvage only reads the damaged file. No process should write it meanwhile.
public struct StoreSalvage: Sendable {
  /// The pages that are searched after the tables have been followed.
  public enum Search: Sendable {
    /// All pages that are not free.
    case usedPages
    /// Free pages too. Deleted objects may come back.
    case allPages
  }

  /// The path of the damaged store.
  public let path: String
  /// The path of a healthy store with the same classes, ideally a copy of the damaged one. Its
  /// catalog is used if that of the damaged store cannot be read.
  public let schemaPath: String?
  /// The pages that are searched after the tables have been followed.
  public let search: Search

  /// Creates a salvage of a store.
  ///
  /// - Parameters:
  ///   - path: The path of the damaged store.
  ///   - schemaPath: The path of a healthy store of the same app. The default is none.
  ///   - search: The pages to search. The default is all pages that are not free.
  public init(path: String, schemaFrom schemaPath: String? = nil, search: Search = .usedPages) {
    self.path = path
    self.schemaPath = schemaPath
    self.search = search
  }

  /// Writes the new store to a path where no file exists.
  ///
  /// - Parameters:
  ///   - output: The path of the new store.
  ///   - monitor: Receives the progress.
  /// - Throws: ``InspectionError`` with `nothingToSalvage`, `fileExists` or `cancelled`, and
  ///   `StoreError`. No store is created then.
  /// - Complexity: O(*n* log *n*) and O(*pages*). Memory: two bits per page, and the IDs of the
  ///   objects of one class, of damaged objects and of embedded objects.
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
      case .unknownShapes: throw InspectionError.onlyUnknownShapes(path, schemaPath)
      case .otherLayouts: throw InspectionError.otherLayouts(path, schemaPath ?? "")
      case .fileExists: throw InspectionError.fileExists(output, verb)
      }
    }
  }
}

extension StoreSalvage {
  /// The result of a salvage, as `whimbrel salvage --json` writes it.
  ///
  /// ```json
  /// {
  ///   "catalog" : "metaPage",
  ///   "classes" : [
  ///     { "bySearch" : 3, "byTree" : 400, "damaged" : [ "id:17" ], "expected" : 418,
  ///       "kept" : 403, "lostLinks" : 2, "name" : "Zone", "orphans" : 0, "perhapsDeleted" : 1,
  ///       "unknownShapes" : 0 }
  ///   ],
  ///   "knowsFreePages" : true,
  ///   "path" : "damaged.whimbrel",
  ///   "structureFault" : "page 7: it is in use twice"
  /// }
  /// ```
  public struct Report: Hashable, Sendable, Codable {
    /// The path of the damaged store as the caller gave it.
    public let path: String
    /// The place where the catalog was found: `metaPage`, `olderMetaPage` (of the commit before, or
    /// of an unknown one), `search` (of all pages) or `otherStore`.
    public let catalog: String
    /// Whether the other store and the damaged one are copies of one store. Nil if the damaged file
    /// does not show it, or if the other store was not needed. If they are not copies, values may
    /// be wrong.
    public let isOfSameStore: Bool?
    /// Whether the whole list of free pages was readable. If not, deleted objects may be back, and
    /// changed objects may have an earlier state.
    public let knowsFreePages: Bool
    /// The contradiction between the two meta pages, which lead to the two last commits, or nil if
    /// there is none.
    public let metaFault: String?
    /// The first fault of the file's pages, or nil if the structure of the whole file is sound.
    public let structureFault: String?
    /// The classes, sorted by name.
    public let classes: [SalvagedClass]

    /// Whether it is proven that no object was lost and that no deleted object came back: the
    /// structure of the whole file is sound, the class tables have the objects that they record,
    /// and every object is in the new store.
    public var isComplete: Bool {
      structureFault == nil && isWhole
    }

    /// The number of objects in the new store that may have been deleted before the damage.
    public var perhapsDeleted: Int { classes.reduce(0) { $0 + $1.perhapsDeleted } }

    /// Whether every class has the objects that the file records.
    fileprivate var isWhole: Bool {
      knowsFreePages && catalog == "metaPage" && perhapsDeleted == 0
        && classes.allSatisfy {
          $0.expected == $0.kept && $0.damaged.isEmpty && $0.lostLinks == 0 && $0.orphans == 0
            && $0.unknownShapes == 0
        }
    }
  }

  /// The counts of one class.
  public struct SalvagedClass: Hashable, Sendable, Codable {
    /// The name of the class.
    public let name: String
    /// The number of objects in the damaged store, or nil if it is unknown.
    public let expected: Int?
    /// The number of objects in the new store.
    public let kept: Int
    /// The number of objects found through the class table.
    public let byTree: Int
    /// The number of objects found by searching all pages.
    public let bySearch: Int
    /// The damaged objects, in the order of their IDs. Each is named by its primary key if that is
    /// the object ID (integer keys), otherwise by `id:` and the ID.
    public let damaged: [String]
    /// The number of objects with a shape that the catalog does not have. They are not in the new
    /// store. Some may have been deleted before the damage.
    public let unknownShapes: Int
    /// The number of embedded objects that were left out because their owners are lost.
    public let orphans: Int
    /// The number of links to lost objects. Single links are nil now; others were removed from
    /// their collections.
    public let lostLinks: Int
    /// The number of objects in the new store that may have been deleted before the damage, or have
    /// values from before their last change. They were found on pages that the table does not lead
    /// to, and that may be free, or stand where other pages belong.
    public let perhapsDeleted: Int

    /// The number of lost objects, or nil if the number in the damaged store is unknown.
    public var lost: Int? { expected.map { max($0 - kept, 0) } }
  }
}

extension StoreSalvage.Report {
  fileprivate init(path: String, _ report: Salvage.Report) {
    self.init(
      path: path, catalog: report.catalogOrigin, isOfSameStore: report.isOfSameStore,
      knowsFreePages: report.knowsFreePages, metaFault: report.metaFault,
      structureFault: report.structureFault,
      classes: report.classes.map { entry in
        StoreSalvage.SalvagedClass(
          name: entry.name, expected: entry.expected, kept: entry.kept, byTree: entry.byTree,
          bySearch: entry.bySearch,
          damaged: entry.damaged.map {
            $0.isGivenOut ? ClassTable.name(of: $0) : "\($0.clusteredKey)"
          },
          unknownShapes: entry.unknownShapes, orphans: entry.orphans, lostLinks: entry.lostLinks,
          perhapsDeleted: entry.perhapsDeleted)
      })
  }

  /// Returns the report as JSON. Equal reports give the same bytes.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// The report as text for people, with a line end.
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
    text += unknownShapes
    if let metaFault { text += "The meta pages contradict each other: \(metaFault).\n" }
    switch catalog {
    case "olderMetaPage":
      text += """
        The tables are from an older commit, or the newest commit cannot be determined. The \
        changes of the last commit may be missing.

        """
    case "search": text += "The catalog was found by searching all pages.\n"
    case "otherStore":
      text += "The catalog was taken from the other store.\n"
      if isOfSameStore != true {
        text += """
          It may not be a copy of the damaged store. If its classes have changed differently, \
          values may be wrong.

          """
      }
    default: break
    }
    if !knowsFreePages {
      text += """
        The list of free pages cannot be read completely. Deleted objects may be back, and changed \
        objects may have old values.

        """
    }
    if perhapsDeleted > 0 {
      text +=
        "\(StoreError.count(perhapsDeleted, "object")) may have been deleted before, or have old "
        + "values.\n"
    }
    if isComplete { return text + "Nothing was lost.\n" }
    if isWhole, let structureFault {
      return text + "No loss was found, but the file is damaged: \(structureFault).\n"
    }
    return text + "Not everything could be saved.\n"
  }

  /// Sentences about the objects of unknown shapes.
  private var unknownShapes: String {
    let found = classes.filter { $0.unknownShapes > 0 }
    if found.isEmpty { return "" }
    let lines = found.map { entry in
      let count = entry.unknownShapes
      return "\(StoreError.count(count, "object")) of \(PlainText.quoted(entry.name)) "
        + "\(count == 1 ? "has" : "have") a shape that the catalog lacks, and "
        + "\(count == 1 ? "is" : "are") left out.\n"
    }
    let advice =
      "Use '--schema-from' with a copy of the store that was made during its migration.\n"
    return lines.joined() + (catalog == "otherStore" ? advice : "")
  }
}

extension InspectionError.Code {
  /// The damaged store has no readable catalog or no readable object.
  public static let nothingToSalvage = Self("nothingToSalvage")
}

extension InspectionError {
  static func noCatalog(_ path: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): its catalog cannot be found.",
      "If you have an undamaged store of the same app, name it with '--schema-from'.")
  }

  static func noObjects(_ path: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): none of its objects can be read.",
      "Restore a copy of the file. No store was created.")
  }

  static func onlyUnknownShapes(_ path: String, _ schemaPath: String?) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): all objects that can be read have "
        + "shapes that the catalog "
        + "\(schemaPath.map { "of \(PlainText.quoted($0)) " } ?? "")lacks.", schemaCopy)
  }

  static func otherLayouts(_ path: String, _ schemaPath: String) -> InspectionError {
    InspectionError(
      .nothingToSalvage,
      "Could not salvage the store \(PlainText.quoted(path)): it was being migrated object by "
        + "object, and \(PlainText.quoted(schemaPath)) is not a copy of it: objects of past shapes "
        + "could be read wrongly.", schemaCopy)
  }

  private static let schemaCopy =
    "Use '--schema-from' with a copy of the store that was made during its migration. No store was "
    + "created."
}
