public import Foundation
public import WhimbrelEngine

/// What distinguishes two schemas, and what kind of migration each change needs: what
/// `whimbrel schema A B` shows.
///
/// ```swift
/// let comparison = SchemaComparison(
///   from: try .store(at: "old.whimbrel"), to: try .store(at: "new.whimbrel"))
/// print(comparison.isEmpty ? "the same" : comparison.description)
/// ```
///
/// Two stores of one lineage, which have the same UUID, tell by the stable numbers of their
/// classes and properties what was renamed. Else a class or property with another name is
/// another one, and a change may say what it looks like. The kinds are those of classes with
/// objects, and do not depend on the versions: a ``MigrationOutlook`` is about one file.
public struct SchemaComparison: Hashable, Sendable, Encodable {
  /// The version of the first schema.
  public let fromVersion: SchemaVersion
  /// The version of the second.
  public let toVersion: SchemaVersion
  /// The changes, in the order of their classes; those of the names of classes come first.
  public let changes: [Change]

  /// One change.
  public struct Change: Hashable, Sendable {
    /// The change as a sentence.
    public let text: String
    /// What kind of migration it needs.
    public let kind: MigrationPlan.Kind
    /// What else to know, in sentences.
    public let notes: [String]
    /// The change as a value, or nil when a class has another name.
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
        notes: [], change: nil, renamedClass: ClassRename(from: rename.from, to: rename.to))
    }
    let plan = MigrationPlan(ofClassesWithObjectsFrom: lineage.old, to: lineage.new)
    changes =
      renames
      + plan.changes.map { planned in
        var notes = [planned.note, planned.possibleRename].compactMap(\.self)
        if case .embeddingChanged(_, isEmbedded: true) = planned.change {
          notes.append("Objects to which no link leads are deleted, and shared ones copied.")
        }
        return Change(
          text: planned.change.description, kind: planned.kind, notes: notes,
          change: planned.change, renamedClass: nil)
      }
  }

  /// Whether the schemas do not differ, in their versions neither.
  public var isEmpty: Bool { changes.isEmpty && fromVersion == toVersion }

  /// The comparison as JSON: `{"changes":[{"change":{…},"kind":"instant","text":"…"}],
  /// "fromVersion":1,"toVersion":2}`, where `notes` is left out if there are none. A change is
  /// coded as in a ``SchemaDifference``, and the new name of a class as
  /// `{"class":"Zone","from":"Place","kind":"classRenamed","to":"Zone"}`.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

/// The new name of a class, as JSON has it.
private struct ClassRename: Hashable, Sendable, Encodable {
  let from: String
  let to: String

  private enum CodingKeys: String, CodingKey {
    case from, to, kind
    case className = "class"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(to, forKey: .className)
    try container.encode("classRenamed", forKey: .kind)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
  }
}

extension SchemaComparison.Change: Encodable {
  private enum CodingKeys: String, CodingKey {
    case text, kind, notes, change
  }

  /// Writes the change.
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
  /// The comparison as text, a line for each change and none if there is none.
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
