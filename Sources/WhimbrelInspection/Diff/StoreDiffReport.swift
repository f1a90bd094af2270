internal import Foundation
internal import WhimbrelEngine

/// Writes what differs between two stores, as text for people or as lines of JSON.
///
/// ```swift
/// let report = StoreDiffReport(diff)
/// let isDifferent = try report.write { print($0, terminator: "") }
/// ```
///
/// **Text** has first what differs between the schemas, and then, class by class, how many objects
/// differ and which: `+` for those that only the new store has, `-` for those that only
/// the old one has, and `~` for those with other values, with a line for each property. Nothing is
/// written when nothing differs.
///
/// **JSON** has one object a line, and members in this order:
///
/// | line | what |
/// |---|---|
/// | `{"schemaVersion":{"old":3,"new":4}}` | the versions of the schemas, where they differ |
/// | `{"renamedClass":{"old":"Zone","new":"Place"}}` | a class with another name |
/// | `{"schemaChange":{"class":"Zone","kind":"propertyAdded",…},"text":"…"}` | another change of the schema, see `SchemaChange` |
/// | `{"class":"Zone","added":1,"removed":2,"changed":3,"same":306}` | how many objects of a class differ; of every class |
/// | `{"change":"changed","class":"Zone","key":"Europe/Paris","properties":[…]}` | an object that is `added`, `removed` or `changed`; `id` and the object ID in place of `key` where there is no primary key in both |
///
/// `properties` has `{"property":"latitude","old":48.85,"new":48.87}` for each property that
/// differs, without `old` where the old class has no such property. In a collection the elements
/// that differ are in `elements`: `{"index":3,"old":"a"}` is gone from a list,
/// `{"index":3,"new":"a"}` is new, `{"name":"de","old":"a","new":"b"}` is another in a map, and
/// `{"member":true,"new":"a"}` is new in a set. The property of an embedded object is
/// `address.street`, `stops[2].name` or `names["de"].text`.
///
/// Values are as in a dump, but links say the name of what they lead to, as in
/// `{"class":"Country","key":"AD"}`, and embedded objects have their properties.
public struct StoreDiffReport {
  private let diff: StoreDiff
  private let limit: Int
  private let style: Style

  /// How a report is written.
  public enum Style: Hashable, Sendable {
    /// For people: all differences.
    case text
    /// For people: how many objects of each class differ.
    case statistics
    /// Lines of JSON: all differences.
    case json
    /// Lines of JSON without those of the objects.
    case jsonStatistics
  }

  /// - Parameter limit: how many objects of each class are written.
  public init(_ diff: StoreDiff, style: Style = .text, limit: Int = .max) {
    self.diff = diff
    self.limit = max(limit, 0)
    self.style = style
  }

  /// Writes the report.
  ///
  /// - Parameter write: is given the text, in pieces that end with a line.
  /// - Returns: whether anything differs.
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
        (counts.same, "the same"),
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
    writer.append(raw: #","new":"#)
    writer.append(new)
    writer.append(raw: "}}")
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func line(_ change: SchemaChange) throws -> String {
    var writer = JSONWriter()
    writer.append(raw: #"{"schemaChange":"#)
    writer.append(raw: try Coding.encoder().encode(change))
    writer.append(raw: #","text":"#)
    writer.append(change.description)
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
