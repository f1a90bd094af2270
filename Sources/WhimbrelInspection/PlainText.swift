internal import Foundation

/// Functions that make text safe to show. A file can contain anything, and a terminal obeys control
/// characters.
package enum PlainText {
  /// Returns a text with its control characters escaped.
  package static func escaped(_ text: String) -> String {
    escaped(text, where: \.disturbsLine) { $0.escaped(asASCII: true) }
  }

  /// Returns a text with all characters that are not ASCII escaped. It tells texts apart that Swift's
  /// `==` takes for equal, such as "é" in one scalar and in two.
  package static func ascii(_ text: String) -> String {
    escaped(text, where: { !$0.isASCII }) { $0.escaped(asASCII: true) }
  }

  /// Returns an escaped text in quotes.
  package static func quoted(_ text: String) -> String { "'\(escaped(text))'" }

  /// Returns the first 20 texts, quoted and separated by commas, and the number of the others.
  package static func list(_ texts: [String]) -> String {
    let shown = texts.prefix(20).map(quoted).joined(separator: ", ")
    return texts.count > 20 ? shown + " and \(texts.count - 20) more" : shown
  }

  /// Returns JSON with the control characters in its strings escaped. It stays equal JSON and is
  /// safe on a terminal. Line feeds stay.
  package static func escapedJSON(_ json: String) -> String {
    escaped(json, where: { $0.disturbsLine && $0 != "\n" }) { scalar in
      String(format: "\\u%04X", scalar.value)
    }
  }

  /// Returns the beginning of a text in one line, with control characters escaped. `…` marks a cut.
  ///
  /// - Complexity: O(*limit*).
  package static func beginning(of text: String, limit: Int) -> String {
    // Most texts are short and printable ASCII.
    if text.utf8.count <= limit, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) {
      return text
    }
    var cut = ""
    var count = 0
    for character in text.prefix(limit) {
      // A letter with hundreds of combining marks would cover the lines around it.
      let isReasonable = character.unicodeScalars.prefix(17).count < 17
      cut.append(isReasonable ? character : "\u{FFFD}")
      count += 1
    }
    let isWhole = count < limit || text.dropFirst(limit).isEmpty
    return escaped(cut) + (isWhole ? "" : "…")
  }

  static func systemMessage(_ number: Int32) -> String {
    // Safe: the C library returns a constant or its own buffer, never null, and the text is copied
    // before anything else is called.
    unsafe String(cString: strerror(number)).lowercased()
  }

  private static func escaped(
    _ text: String, where needsEscape: (Unicode.Scalar) -> Bool,
    _ escape: (Unicode.Scalar) -> String
  ) -> String {
    guard text.unicodeScalars.contains(where: needsEscape) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if needsEscape(scalar) {
        escaped += escape(scalar)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
