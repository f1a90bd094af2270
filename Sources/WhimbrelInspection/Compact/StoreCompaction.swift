public import Foundation
internal import WhimbrelEngine

/// A compaction: it rewrites a store with full pages, so that its file is as small as possible.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// let summary = try StoreCompaction(of: inspector).run(to: .newFile("small.whimbrel"))
/// print(summary.before.bytes - summary.after.bytes)
/// ```
///
/// Records, indexes, catalog, object IDs and the store's UUID keep their bytes. The new store
/// leaves out what no class needs: tables of an interrupted migration, and the data that can undo
/// the last migration. The same store gives the same bytes, and compacting a compacted store gives
/// the same file.
///
/// The new store gets its name only after it has passed a ``StoreCheck``.
public struct StoreCompaction {
  private let inspector: StoreInspector

  /// Creates a compaction.
  ///
  /// - Parameter inspector: The store. It does not change unless the output replaces it.
  public init(of inspector: StoreInspector) { self.inspector = inspector }

  /// Writes the compacted store.
  ///
  /// - Parameters:
  ///   - output: Where the new store goes.
  ///   - monitor: Receives the progress.
  /// - Returns: The sizes before and after.
  /// - Throws: ``InspectionError`` with `fileExists`, `cancelled` or `copyNotSound`, and
  ///   `StoreError`. Nothing has changed then.
  /// - Complexity: O(*n* log *n*) including the check, in constant memory.
  public func run(to output: StoreOutput, monitor: WorkMonitor = .silent) throws -> Summary {
    let before = try PackedCopy.PageUse(path: inspector.path)
    return try output.make(from: inspector, "compact the store into") { path in
      do {
        return try StoreFile.makeNew(path) { try write(to: $0, before, monitor) }
      } catch StoreError.Code.fileExists {
        throw InspectionError.fileExists(path, "compact the store into")
      } catch InspectionError.Code.cancelled {
        // The check would name the temporary file.
        throw cancellation
      }
    }
  }

  private var cancellation: InspectionError { .cancelled(inspector.path, "compact the store") }

  /// Writes the compacted store to a path without a file, and checks it.
  private func write(
    to path: String, _ before: PackedCopy.PageUse, _ monitor: WorkMonitor
  ) throws -> Summary {
    let result = try PackedCopy(of: inspector.session).write(to: path) { completed, total in
      try monitor.update(
        "Copying", completed, of: total, orThrow: cancellation)
    }
    let report = try StoreCheck(path: path).run(monitor: monitor)
    guard report.isSound else {
      // Damage of values is copied. It is then in the old store, too.
      let old = try StoreCheck(path: inspector.path).run(monitor: monitor)
      throw InspectionError.copyNotSound(
        inspector.path, old.isSound ? .new : .old, (old.isSound ? report : old).firstProblem)
    }
    let after = try PackedCopy.PageUse(path: path)
    return Summary(
      path: inspector.path, before: FileUse(before), after: FileUse(after),
      leftTables: result.leftTables, leftPreviousGeneration: result.leftPreviousGeneration)
  }
}

extension StoreCompaction {
  /// The result of a compaction, as `whimbrel compact --json` writes it.
  ///
  /// ```json
  /// {
  ///   "after" : { "bytes" : 90112, "fill" : 0.97, "freePages" : 0, "usedPages" : 22 },
  ///   "before" : { "bytes" : 151552, "fill" : 0.61, "freePages" : 4, "usedPages" : 33 },
  ///   "leftPreviousGeneration" : false,
  ///   "leftTables" : [ ],
  ///   "path" : "zones.whimbrel"
  /// }
  /// ```
  public struct Summary: Hashable, Sendable, Codable {
    /// The path of the store as the caller gave it.
    public let path: String
    /// The file before the compaction.
    public let before: FileUse
    /// The new file.
    public let after: FileUse
    /// The names of the tables that were left out because they belong to no class.
    public let leftTables: [String]
    /// Whether the old store could undo its last migration. The new store cannot.
    public let leftPreviousGeneration: Bool
  }

  /// The use of the pages of a file.
  public struct FileUse: Hashable, Sendable, Codable {
    /// The size of the file in bytes.
    public let bytes: Int
    /// The number of pages in use.
    public let usedPages: Int
    /// The number of free pages.
    public let freePages: Int
    /// The share of the tables' pages that holds data, from 0 to 1, rounded to hundredths.
    public let fill: Double

    init(_ use: PackedCopy.PageUse) {
      bytes = use.fileSize
      usedPages = use.usedPages
      freePages = use.freePages
      fill = (use.fill * 100).rounded() / 100
    }
  }
}

extension StoreCompaction.Summary {
  /// Returns the summary as JSON. Equal summaries give the same bytes.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// The summary as text for people, with a line end.
  public var text: String {
    let share = before.bytes == 0 ? 100 : after.bytes * 100 / before.bytes
    var lines = [
      TextTable(
        [
          ["", "bytes", "pages", "free", "fill"],
          ["before"] + cells(before), ["after"] + cells(after),
        ], rightAligned: [1, 2, 3, 4]
      ).description + "The new file has \(share) % of the old size."
    ]
    if !leftTables.isEmpty {
      let names = leftTables.map(PlainText.escaped).joined(separator: ", ")
      lines.append("Omitted, because no class needs it: \(names).")
    }
    if leftPreviousGeneration {
      lines.append("Omitted: the data to undo the last migration.")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func cells(_ use: StoreCompaction.FileUse) -> [String] {
    [
      String(use.bytes), String(use.usedPages), String(use.freePages),
      "\(Int((use.fill * 100).rounded())) %",
    ]
  }
}

extension InspectionError.Code {
  /// A newly written store did not pass its check.
  public static let copyNotSound = Self("copyNotSound")
}

extension InspectionError {
  /// The store of a compaction that is damaged.
  enum CompactedStore { case old, new }

  /// Creates the error for a compacted store that did not pass its check.
  ///
  /// - Parameters:
  ///   - damaged: The store that is damaged.
  ///   - finding: The first finding about it.
  static func copyNotSound(
    _ path: String, _ damaged: CompactedStore, _ finding: String
  ) -> InspectionError {
    let (subject, advice) =
      switch damaged {
      case .old: ("it is damaged", ErrorWords.adviceOnDamage(ErrorWords.argument(path)))
      case .new: ("the new store is damaged", "The store itself is sound. Try again.")
      }
    return InspectionError(
      .copyNotSound,
      "Could not compact the store \(PlainText.quoted(path)): \(subject) (\(finding)).",
      "\(advice) Nothing was changed.")
  }
}

extension StoreCheck.Report {
  /// The first finding, or else the first reason why something was not checked.
  fileprivate var firstProblem: String { findings.first?.description ?? unchecked.first ?? "" }
}
