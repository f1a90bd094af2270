internal import Foundation

/// Text that is safe to show: a file can say anything, and a terminal obeys
/// control characters.
package enum PlainText {
  /// The text with its control characters escaped.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    var escaped = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar) {
        escaped += scalar.escaped(asASCII: true)
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The text in quotes.
  package static func quoted(_ text: String) -> String { "'\(escaped(text))'" }

  /// What the operating system calls an error.
  static func systemMessage(_ number: Int32) -> String {
    // Safe: the C library returns a constant or its own buffer, never null, and
    // the text is copied before anything else is called.
    unsafe String(cString: strerror(number)).lowercased()
  }

  /// Controls, and what turns the direction of the text around it.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
    case .format:
      (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    default: false
    }
  }
}
