public import Foundation

/// One migration in the history of a file.
public struct MigrationHistoryEntry: Hashable, Sendable {
  /// The schema version before the migration.
  public package(set) var from: SchemaVersion
  /// The schema version after the migration.
  public package(set) var to: SchemaVersion
  /// The date of the migration.
  public package(set) var date: Date
  /// The version of the library that ran the migration.
  public package(set) var library: String
  /// The duration, in seconds.
  public package(set) var duration: Double
  /// The number of objects that the migration rewrote. Objects that the writes of the app converted
  /// during an online migration are not among them.
  public package(set) var objects: Int
  /// The changes of the schema, one sentence each.
  public package(set) var changes: [String]
  /// The reports of the migration's code, ordered by first occurrence.
  public package(set) var marks: [Mark] = []
  /// The versions of the steps that were still to follow, or empty for a migration in one step.
  public package(set) var remainingSteps: [SchemaVersion] = []

  /// The duration in seconds as text, with milliseconds.
  package var durationText: String { String(format: "%.3f", duration) }

  /// A report of a migration's code.
  public struct Mark: Hashable, Sendable, Codable {
    /// The text.
    public package(set) var text: String
    /// The number of times that the text was reported.
    public package(set) var count: Int
  }
}

extension MigrationHistoryEntry: CustomStringConvertible {
  /// A summary of the migration, as lines of text.
  public var description: String {
    let title =
      "From version \(from) to \(to) on \(PrintedValue.date(date)) by Whimbrel "
      + "\(library): \(Sentence.count(objects, "object")) rewritten in \(durationText) s"
    var lines = changes.isEmpty ? ["no schema changes"] : changes
    lines += marks.map { $0.count == 1 ? $0.text : "\($0.count) × \($0.text)" }
    if !remainingSteps.isEmpty {
      lines.append("remaining steps: \(remainingSteps.map { "\($0)" }.joined(separator: ", "))")
    }
    return ([title] + lines.map { "  " + $0 }).joined(separator: "\n")
  }
}

extension MigrationHistoryEntry: Codable {
  /// Decodes an entry. Missing marks and remaining steps decode as empty.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: SchemaKey.self)
    from = try container.decode(SchemaVersion.self, forKey: "from")
    to = try container.decode(SchemaVersion.self, forKey: "to")
    date = try container.decode(Date.self, forKey: "date")
    library = try container.decode(String.self, forKey: "library")
    duration = try container.decode(Double.self, forKey: "duration")
    objects = try container.decode(Int.self, forKey: "objects")
    changes = try container.decode([String].self, forKey: "changes")
    marks = try container.decodeIfPresent([Mark].self, forKey: "marks") ?? []
    remainingSteps =
      try container.decodeIfPresent([SchemaVersion].self, forKey: "remainingSteps") ?? []
  }

  /// Encodes the entry. Empty marks and remaining steps are left out.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: SchemaKey.self)
    try container.encode(from, forKey: "from")
    try container.encode(to, forKey: "to")
    try container.encode(date, forKey: "date")
    try container.encode(library, forKey: "library")
    try container.encode(duration, forKey: "duration")
    try container.encode(objects, forKey: "objects")
    try container.encode(changes, forKey: "changes")
    if !marks.isEmpty { try container.encode(marks, forKey: "marks") }
    if !remainingSteps.isEmpty { try container.encode(remainingSteps, forKey: "remainingSteps") }
  }
}

/// The reports of a running migration, counted by text.
struct MigrationReport {
  private(set) var marks: [MigrationHistoryEntry.Mark] = []
  private var places: [String: Int] = [:]

  /// The number of different texts to keep. The limit matters because every opening reads the
  /// history.
  static let limit = 1_000
  /// The length of the longest text, in characters.
  static let longestText = 1_000
  /// The text under which further reports are counted.
  static let more = "(more reports)"

  mutating func add(_ text: String) {
    var text = String(text.prefix(Self.longestText))
    if places[text] == nil, marks.count >= Self.limit { text = Self.more }
    if let place = places[text] {
      marks[place].count += 1
    } else {
      places[text] = marks.count
      marks.append(MigrationHistoryEntry.Mark(text: text, count: 1))
    }
  }
}
