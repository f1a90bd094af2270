package import Foundation

/// The text forms of values in printed objects: as in code, and shortened.
package enum PrintedValue {
  /// The limit of a text that is shown, in characters.
  package static let longestText = 60
  /// The limit of elements of a collection that are shown.
  package static let elementLimit = 5

  /// Returns text as a literal.
  package static func text(_ text: String) -> String {
    let shown = text.prefix(longestText)
    guard shown.endIndex < text.endIndex else { return text.debugDescription }
    return "\(String(shown).debugDescription.dropLast())…\" (\(text.utf8.count) bytes)"
  }

  /// Returns a date in ISO 8601, with fractional seconds if it has any.
  package static func date(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // ISO 8601 needs years of four digits.
    guard seconds >= -63_114_076_800, seconds < 252_455_616_000 else {
      return "\(seconds) seconds since 2001"
    }
    let hasFraction = seconds != seconds.rounded(.down)
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
  }

  /// Returns elements in brackets, with the number of elements that are not shown.
  package static func elements(_ shown: [String], of count: Int) -> String {
    let rest = count - shown.count
    return "[\((shown + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: ", "))]"
  }

  /// Returns elements in brackets, with a key before each one.
  package static func entries(_ shown: [(String, String)], of count: Int) -> String {
    if count == 0 { return "[:]" }
    return elements(shown.map { "\(text($0)): \($1)" }, of: count)
  }

  /// Returns the number of objects and the first objects, each on its own line.
  package static func objects(
    _ className: String, count: Int, _ first: some Sequence<String>
  ) -> String {
    let shown = Array(first.prefix(objectLimit))
    var lines = ["\(count) \(count == 1 ? "object" : "objects") of '\(className)'"]
    if !shown.isEmpty { lines[0] += ":" }
    lines += shown.map { "  \($0)" }
    if count > shown.count, !shown.isEmpty { lines.append("  … \(count - shown.count) more") }
    return lines.joined(separator: "\n")
  }

  /// The limit of objects that are shown.
  package static let objectLimit = 20
}

extension PropertyValue: CustomStringConvertible {
  /// The value as in code. Long texts and collections are shortened.
  public var description: String { printed() }
}

extension PropertyValue {
  /// Returns the value as in code, shortened.
  ///
  /// - Parameter link: Returns the text of a link.
  package func printed(_ link: (PropertyValue) -> String = \.plainLink) -> String {
    switch self {
    case .null: return "nil"
    case .link, .object: return link(self)
    case .list(let values):
      let shown = values.prefix(PrintedValue.elementLimit).map { $0.printed(link) }
      return PrintedValue.elements(shown, of: values.count)
    case .map(let values):
      let shown = values.keys.sorted().prefix(PrintedValue.elementLimit).map { key in
        (key, (values[key] ?? .null).printed(link))
      }
      return PrintedValue.entries(shown, of: values.count)
    default: return scalar?.printed ?? ""
    }
  }

  /// The text of a link whose target is not read.
  private var plainLink: String {
    switch self {
    case .link(let id): "object \(id)"
    case .object(let reference): "object \(reference.id)"
    default: "nil"
    }
  }
}
