public import Foundation

/// What was loaded into a store.
///
/// ```json
/// {"classes":[{"added":2,"class":"Zone","kept":0,"replaced":1,"updated":0}],"notes":[]}
/// ```
public struct MergeSummary: Hashable, Sendable, Codable {
  /// The classes of which there were objects, sorted by name.
  public var classes: [ClassCounts] = []
  /// What could not be carried over, and what was guessed, one sentence each; those of an import
  /// of much that is wrong are cut short.
  public var notes: [String] = []

  /// What became of the objects of a class.
  public struct ClassCounts: Hashable, Sendable, Codable {
    /// The name of the class.
    public let className: String
    /// How many objects are new.
    public var added = 0
    /// How many got all values.
    public var replaced = 0
    /// How many got the values that were given.
    public var updated = 0
    /// How many stayed as they were.
    public var kept = 0

    init(className: String) { self.className = className }

    private enum CodingKeys: String, CodingKey {
      case className = "class"
      case added, replaced, updated, kept
    }
  }

  /// The same as JSON, with sorted keys.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// A line for each class, such as `Zone: 2 added, 1 replaced`.
  public var text: String { text(.commit) }

  /// A line for each class, such as `Zone: 2 added, 1 replaced`; and of what was not done, such as
  /// `Zone: would add 2, would replace 1`.
  public func text(_ mode: MergeMode) -> String {
    if classes.isEmpty { return "No objects.\n" }
    return classes.map { counts in
      let parts = [
        (counts.added, "added", "add"), (counts.replaced, "replaced", "replace"),
        (counts.updated, "updated", "update"), (counts.kept, "kept", "keep"),
      ]
      let words = parts.filter { $0.0 > 0 }.map { count, done, verb in
        mode == .dryRun ? "would \(verb) \(count)" : "\(count) \(done)"
      }
      return "\(PlainText.escaped(counts.className)): \(words.joined(separator: ", "))\n"
    }.joined()
  }
}
