public import Foundation
public import WhimbrelEngine

/// The differences between two schemas, and the kind of migration that each change needs, as
/// `whimbrel schema A B` shows them.
///
/// ```swift
/// let comparison = SchemaComparison(
///   from: try .store(at: "old.whimbrel"), to: try .store(at: "new.whimbrel"))
/// print(comparison.isEmpty ? "the same" : comparison.description)
/// ```
///
/// In two stores of one lineage (with the same UUID), stable IDs show which classes and properties
/// were renamed. Otherwise a class or property with another name is a different one, and the change
/// notes a possible rename. The kinds assume that all classes have objects, and do not depend on
/// the versions. A ``MigrationOutlook`` describes one actual file.
public struct SchemaComparison: Hashable, Sendable, Encodable {
  /// The version of the first schema.
  public let fromVersion: SchemaVersion
  /// The version of the second schema.
  public let toVersion: SchemaVersion
  /// The changes, sorted by class, with renamed classes first.
  public let changes: [Change]

  /// A difference between two schemas.
  public struct Change: Hashable, Sendable {
    /// The change as a sentence.
    public let text: String
    /// The kind of migration that the change needs.
    public let kind: MigrationPlan.Kind
    /// Further facts, as sentences.
    public let notes: [String]
    /// The change as a value, or nil for a renamed class.
    public let change: SchemaChange?
    fileprivate let renamedClass: ClassRename?
  }

  /// Compares two schemas.
  ///
  /// - Complexity: O(*properties*).
  public init(from old: SchemaSource, to new: SchemaSource) {
    fromVersion = old.schema.schemaVersion
    toVersion = new.schema.schemaVersion
    let lineage = SchemaLineage(from: old, to: new)
    let renames = lineage.renamedClasses.map { rename in
      Change(
        text: "Class '\(rename.from)' has been renamed to '\(rename.to)'.", kind: .instant,
        notes: [], change: nil,
        renamedClass: ClassRename(from: rename.from, to: rename.to, className: rename.to))
    }
    let plan = MigrationPlan(ofClassesWithObjectsFrom: lineage.old, to: lineage.new)
    changes =
      renames
      + plan.changes.map { planned in
        var notes = [planned.note, planned.possibleRename].compactMap(\.self)
        if case .embeddingChanged(_, isEmbedded: true) = planned.change {
          notes.append("Objects without a link to them are deleted, and shared objects are copied.")
        }
        return Change(
          text: planned.change.description, kind: planned.kind, notes: notes,
          change: planned.change, renamedClass: nil)
      }
  }

  /// Whether the schemas and their versions are equal.
  public var isEmpty: Bool { changes.isEmpty && fromVersion == toVersion }

  /// Returns the comparison as JSON: `{"changes":[{"change":{…},"kind":"instant","text":"…"}],
  /// "fromVersion":1,"toVersion":2}`. `notes` is missing if there are none. A change is encoded as
  /// in a ``SchemaDifference``, and a renamed class as
  /// `{"class":"Zone","from":"Place","kind":"classRenamed","to":"Zone"}`.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

/// A renamed class in JSON.
private struct ClassRename: Hashable, Sendable, Encodable {
  let from: String
  let to: String
  let className: String
  let kind = "classRenamed"

  private enum CodingKeys: String, CodingKey {
    case from, to, kind
    case className = "class"
  }
}

extension SchemaComparison.Change: Encodable {
  private enum CodingKeys: String, CodingKey {
    case text, kind, notes, change
  }

  /// Encodes the change.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(text, forKey: .text)
    try container.encode(kind, forKey: .kind)
    if !notes.isEmpty { try container.encode(notes, forKey: .notes) }
    if let change {
      try container.encode(change, forKey: .change)
    } else {
      try container.encodeIfPresent(renamedClass, forKey: .change)
    }
  }
}

extension SchemaComparison: CustomStringConvertible {
  /// The comparison as text, one line per change. Empty if there are no changes.
  public var description: String {
    var text = ""
    if fromVersion != toVersion { text += "schema version \(fromVersion) to \(toVersion)\n" }
    let rows = changes.flatMap { change in
      [[change.kind.words, PlainText.escaped(change.text)]]
        + change.notes.map { ["", PlainText.escaped($0)] }
    }
    return text + TextTable(rows).description
  }
}
