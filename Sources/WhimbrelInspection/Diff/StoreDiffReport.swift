internal import Foundation
internal import WhimbrelEngine

/// A writer for the differences of two stores, as text for people or as lines of JSON.
///
/// ```swift
/// let report = StoreDiffReport(diff)
/// let isDifferent = try report.write { print($0, terminator: "") }
/// ```
///
/// **Text** begins with the differences of the schemas. Then it lists, class by class, the numbers
/// of differing objects and the objects: `+` only in the new store, `-` only in the old store, and
/// `~` with different values, followed by one line per property. If nothing differs, nothing is
/// written.
///
/// **JSON** has one object per line, with members in this order:
///
/// | line | content |
/// |---|---|
/// | `{"schemaVersion":{"old":3,"new":4}}` | the versions of the schemas, if they differ |
/// | `{"renamedClass":{"old":"Zone","new":"Place"}}` | a renamed class |
/// | `{"schemaChange":{"class":"Zone","kind":"propertyAdded",…},"text":"…"}` | another change of the schema, see `SchemaChange` |
/// | `{"class":"Zone","added":1,"removed":2,"changed":3,"same":306}` | the numbers of differing objects; for every class |
/// | `{"change":"changed","class":"Zone","key":"Europe/Paris","properties":[…]}` | an object that is `added`, `removed` or `changed`; without a primary key in both stores it has `id` with the object ID instead of `key` |
///
/// `properties` has `{"property":"latitude","old":48.85,"new":48.87}` for each differing property,
/// without `old` if the old class lacks the property. For a collection, `elements` has the
/// differing elements: `{"index":3,"old":"a"}` was removed from a list, `{"index":3,"new":"a"}` was
/// added, `{"name":"de","old":"a","new":"b"}` changed in a map, and `{"member":true,"new":"a"}` was
/// added to a set. The property of an embedded object is `address.street`, `stops[2].name` or
/// `names["de"].text`.
///
/// Values are written as in a dump, except that links name their targets, as in
/// `{"class":"Country","key":"AD"}`, and embedded objects contain their properties.
public struct StoreDiffReport {
  private let diff: StoreDiff
  private let limit: Int
  private let style: Style

  /// The format of a report.
  public enum Style: Hashable, Sendable {
    /// Text with all differences.
    case text
    /// Text with the numbers of differing objects per class.
    case statistics
    /// Lines of JSON with all differences.
    case json
    /// Lines of JSON without the objects.
    case jsonStatistics
  }

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - diff: The comparison to write.
  ///   - style: The format. The default is text.
  ///   - limit: The limit of objects per class. The default is all.
  public init(_ diff: StoreDiff, style: Style = .text, limit: Int = .max) {
    self.diff = diff
    self.limit = max(limit, 0)
    self.style = style
  }

  /// Writes the report.
  ///
  /// - Parameter write: Receives the text, in chunks that end with a line end.
  /// - Returns: Whether anything differs.
  /// - Throws: `StoreError` for a damaged object, ``InspectionError`` with `cancelled`, and what
  ///   `write` throws.
  /// - Complexity: O(*n* log *n*), in memory for the values of two objects.
  public func write(_ write: (String) throws -> Void) throws -> Bool {
    for line in try schemaLines() { try write(line + "\n") }
    let classes = try diff.classCounts()
    let isDifferent = diff.hasSchemaDifferences || classes.contains { $0.different > 0 }
    switch style {
    case .statistics:
      if isDifferent { try write(statistics(classes)) }
    case .jsonStatistics:
      for counts in classes { try write(line(counts)) }
    case .json, .text:
      for counts in classes {
        if style == .json { try write(line(counts)) }
        if counts.different > 0 { try writeObjects(counts, write) }
      }
    }
    return isDifferent
  }

  private func writeObjects(
    _ counts: StoreDiff.ClassCounts, _ write: (String) throws -> Void
  ) throws {
    if style == .text {
      let facts = [
        (counts.added, "added"), (counts.removed, "removed"), (counts.changed, "changed"),
        (counts.same, "unchanged"),
      ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      try write("\(PlainText.escaped(counts.name)): \(facts.joined(separator: ", "))\n")
    }
    var written = 0
    try diff.forEachDifference(of: counts) { difference in
      guard written < limit else { return false }
      written += 1
      try write(
        style == .text
          ? difference.text : String(decoding: difference.json, as: UTF8.self) + "\n")
      return true
    }
    let rest = counts.different - written
    if rest > 0, style == .text { try write("… \(rest) more\n") }
  }

  private func statistics(_ classes: [StoreDiff.ClassCounts]) -> String {
    let rows = classes.map { counts in
      [PlainText.escaped(counts.name)]
        + [counts.added, counts.removed, counts.changed, counts.same].map(String.init)
    }
    return TextTable(
      [["class", "added", "removed", "changed", "same"]] + rows, rightAligned: [1, 2, 3, 4]
    ).description
  }
}

// MARK: - Schemas

extension StoreDiffReport {
  private var isJSON: Bool { style == .json || style == .jsonStatistics }

  private func schemaLines() throws -> [String] {
    guard diff.hasSchemaDifferences else { return [] }
    let (old, new) = diff.schemaVersions
    var lines: [String] = []
    if diff.hasOtherVersion {
      lines.append(
        isJSON
          ? #"{"schemaVersion":{"old":\#(old),"new":\#(new)}}"#
          : "schema version \(old) → \(new)")
    }
    for (old, new) in diff.renamedClasses.sorted(by: { $0.key < $1.key }) {
      lines.append(
        isJSON
          ? renamed(old, new)
          : "Class \(PlainText.quoted(old)) has been renamed to \(PlainText.quoted(new)).")
    }
    for change in diff.schemaChanges {
      lines.append(isJSON ? try line(change) : PlainText.escaped(change.description))
    }
    return lines
  }

  private func renamed(_ old: String, _ new: String) -> String {
    var writer = JSONWriter()
    writer.append(raw: #"{"renamedClass":{"old":"#)
    writer.append(old)
    writer.append("new", new)
    writer.append(raw: "}}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func line(_ change: SchemaChange) throws -> String {
    var writer = JSONWriter()
    writer.append(raw: #"{"schemaChange":"#)
    writer.append(raw: try Coding.encoder().encode(change))
    writer.append("text", change.description)
    writer.append(raw: "}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func line(_ counts: StoreDiff.ClassCounts) -> String {
    var writer = JSONWriter()
    writer.append(raw: #"{"class":"#)
    writer.append(counts.name)
    for (name, count) in [
      ("added", counts.added), ("removed", counts.removed), ("changed", counts.changed),
      ("same", counts.same),
    ] {
      writer.append(name: name)
      writer.append(count)
    }
    writer.append(raw: "}\n")
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
