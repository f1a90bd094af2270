public import Foundation

/// The result of a load into a store.
///
/// ```json
/// {"classes":[{"added":2,"class":"Zone","kept":0,"replaced":1,"updated":0}],"notes":[]}
/// ```
public struct MergeSummary: Hashable, Sendable, Codable {
  /// The classes with loaded objects, sorted by name.
  public var classes: [ClassCounts] = []
  /// Notes about values that were dropped or guessed, one sentence each. A long list is cut short.
  public var notes: [String] = []

  /// The counts of one class.
  public struct ClassCounts: Hashable, Sendable, Codable {
    /// The name of the class.
    public let className: String
    /// The number of new objects.
    public var added = 0
    /// The number of objects that got all values.
    public var replaced = 0
    /// The number of objects that got the given values.
    public var updated = 0
    /// The number of objects that did not change.
    public var kept = 0

    init(className: String) { self.className = className }

    private enum CodingKeys: String, CodingKey {
      case className = "class"
      case added, replaced, updated, kept
    }
  }

  /// Returns the summary as JSON with sorted keys.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }

  /// One line per class, such as `Zone: 2 added, 1 replaced`.
  public var text: String { text(.commit) }

  /// Returns one line per class: `Zone: 2 added, 1 replaced` for a commit, `Zone: would add 2,
  /// would replace 1` for a dry run.
  public func text(_ mode: MergeMode) -> String {
    let lines = classes.compactMap { counts in
      let parts = [
        (counts.added, "added", "add"), (counts.replaced, "replaced", "replace"),
        (counts.updated, "updated", "update"), (counts.kept, "kept", "keep"),
      ]
      let words = parts.filter { $0.0 > 0 }.map { count, done, verb in
        mode == .dryRun ? "would \(verb) \(count)" : "\(count) \(done)"
      }
      // The embedded objects of objects that stayed as they were.
      if words.isEmpty { return nil as String? }
      return "\(PlainText.escaped(counts.className)): \(words.joined(separator: ", "))\n"
    }
    return lines.isEmpty ? "No objects.\n" : lines.joined()
  }
}
