package import Foundation

/// How values are shown to people who print objects: as code has them, and shortened.
package enum PrintedValue {
  /// How many characters of a text are shown.
  package static let longestText = 60
  /// How many elements of a collection are shown.
  package static let elementLimit = 5

  /// Text as a literal.
  package static func text(_ text: String) -> String {
    let shown = text.prefix(longestText)
    guard shown.endIndex < text.endIndex else { return text.debugDescription }
    return "\(String(shown).debugDescription.dropLast())…\" (\(text.utf8.count) bytes)"
  }

  /// An instant in ISO 8601, with its fraction of a second where it has one.
  package static func date(_ date: Date) -> String {
    let seconds = date.timeIntervalSinceReferenceDate
    // The years that have four digits; others are hardly dates.
    guard seconds >= -63_114_076_800, seconds < 252_455_616_000 else {
      return "\(seconds) seconds since 2001"
    }
    let hasFraction = seconds != seconds.rounded(.down)
    return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: hasFraction))
  }

  /// Elements in brackets, the first of them, and how many more there are.
  package static func elements(_ shown: [String], of count: Int) -> String {
    let rest = count - shown.count
    return "[\((shown + (rest > 0 ? ["… \(rest) more"] : [])).joined(separator: ", "))]"
  }

  /// The same with a key before each.
  package static func entries(_ shown: [(String, String)], of count: Int) -> String {
    if count == 0 { return "[:]" }
    return elements(shown.map { "\(text($0)): \($1)" }, of: count)
  }

  /// How many objects there are, and the first of them, each on a line.
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

  /// How many objects of several are shown.
  package static let objectLimit = 20
}

extension PropertyValue {
  /// The value as code has it, shortened; `link` words what it leads to.
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

  /// What a link says by itself.
  private var plainLink: String {
    switch self {
    case .link(let id): "object \(id)"
    case .object(let reference): "object \(reference.id)"
    default: "nil"
    }
  }
}
