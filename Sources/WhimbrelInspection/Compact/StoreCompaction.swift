public import Foundation
internal import WhimbrelEngine

/// Writes a store anew with full pages, so that its file is as small as it can be.
///
/// ```swift
/// let inspector = try StoreInspector(path: "zones.whimbrel")
/// let summary = try StoreCompaction(of: inspector).run(to: .newFile("small.whimbrel"))
/// print(summary.before.bytes - summary.after.bytes)
/// ```
///
/// Records, indexes, catalog, object IDs and the store's UUID are the same bytes as before. What
/// no class needs stays behind: tables that an interrupted migration left, and what is kept to
/// undo the last migration. The same store gives the same bytes, and a compacted store compacted
/// again is the same file.
///
/// The new store gets its name only when it has passed a ``StoreCheck``.
public struct StoreCompaction {
  private let inspector: StoreInspector

  /// - Parameter inspector: the store, which stays as it is unless it is to be replaced.
  public init(of inspector: StoreInspector) { self.inspector = inspector }

  /// Writes the store.
  ///
  /// - Throws: ``InspectionError`` with `fileExists`, `cancelled` or `copyNotSound`, and
  ///   `StoreError`; nothing is changed then.
  /// - Complexity: O(*n* log *n*), the check included, in constant memory.
  public func run(to output: StoreOutput, monitor: WorkMonitor = .silent) throws -> Summary {
    let before = try PackedCopy.PageUse(path: inspector.path)
    return try output.make(from: inspector, "compact the store into") { path in
      let temporary = path + ".new-\(UUID().uuidString)"
      defer { removeFiles(at: temporary) }
      let result = try PackedCopy(of: inspector.session).write(to: temporary) { completed, total in
        try monitor.update(
          "Copying", completed, of: total, orThrow: .cancelled(inspector.path, "compact the store"))
      }
      let report = try StoreCheck(path: temporary).run(monitor: monitor)
      guard report.isSound else {
        throw InspectionError.copyNotSound(
          inspector.path, "compact the store",
          report.findings.first?.description ?? report.unchecked.first ?? "")
      }
      let after = try PackedCopy.PageUse(path: temporary)
      try moveItem(from: temporary, to: path)
      return Summary(
        path: inspector.path, before: FileUse(before), after: FileUse(after),
        leftTables: result.leftTables, leftPreviousGeneration: result.leftPreviousGeneration)
    }
  }

  private func removeFiles(at path: String) {
    for name in [path, path + "-lock"] { unsafe unlink(name) }
  }

  /// Gives a file its name, unless another has it.
  private func moveItem(from temporary: String, to path: String) throws {
    guard unsafe link(temporary, path) == 0 else {
      if errno == EEXIST { throw InspectionError.fileExists(path, "compact the store into") }
      throw InspectionError.cannotWrite(path, number: errno)
    }
  }
}

extension StoreCompaction {
  /// What a compaction has gained: what `whimbrel compact --json` writes.
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
    /// The path of the store, as it was given.
    public let path: String
    /// The file as it was.
    public let before: FileUse
    /// The new file.
    public let after: FileUse
    /// The names of tables that belong to no class and were left out.
    public let leftTables: [String]
    /// Whether a migration could be undone before, and no longer can in the new file.
    public let leftPreviousGeneration: Bool
  }

  /// How the pages of a file are used.
  public struct FileUse: Hashable, Sendable, Codable {
    /// The size of the file.
    public let bytes: Int
    /// How many pages are in use.
    public let usedPages: Int
    /// How many pages are free.
    public let freePages: Int
    /// How much of the pages of tables has something in it, from 0 to 1, in hundredths.
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
  /// The summary as JSON: the same bytes for the same summary.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// The summary as text for people, with a line break at its end.
  public var text: String {
    let share = before.bytes == 0 ? 100 : after.bytes * 100 / before.bytes
    var lines = [
      TextTable(
        [
          ["", "bytes", "pages", "free", "fill"],
          ["before"] + cells(before), ["after"] + cells(after),
        ], rightAligned: [1, 2, 3, 4]
      ).description + "The new file has \(share) % of the size."
    ]
    if !leftTables.isEmpty {
      let names = leftTables.map(PlainText.escaped).joined(separator: ", ")
      lines.append("Left out, since no class needs it: \(names).")
    }
    if leftPreviousGeneration {
      lines.append("Left out: what was kept to undo the last migration.")
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
  /// A store that was written anew did not pass its check.
  public static let copyNotSound = Self("copyNotSound")
}

extension InspectionError {
  /// - Parameters:
  ///   - verb: what was to be done, before the path: `compact the store`.
  ///   - finding: the first that there is.
  static func copyNotSound(_ path: String, _ verb: String, _ finding: String) -> InspectionError {
    InspectionError(
      .copyNotSound,
      "Could not \(verb) \(PlainText.quoted(path)): the new store is not sound (\(finding)).",
      "Run 'whimbrel check' on the store, and 'whimbrel salvage' if it is damaged. Nothing was changed."
    )
  }
}
