/// The role of a piece of text, which determines its style on a terminal.
public enum TextStyle: Hashable, Sendable {
  /// An ordinary value.
  case plain
  /// The heading of a column, or the name of an object.
  case heading
  /// A primary key, or the name of a property.
  case key
  /// A missing value.
  case null
  /// A remark, such as an object ID or a number of omitted rows.
  case note
}

/// The use of colours and weights in text for people.
public enum TextStyling: Hashable, Sendable {
  /// Text without control sequences, for files and pipes.
  case plain
  /// Text with the control sequences of terminals.
  case coloured

  /// Returns a text in a style. The text must not contain control characters.
  ///
  /// ```swift
  /// TextStyling.coloured.apply(.heading, to: "latitude")  // "\u{1B}[1mlatitude\u{1B}[0m"
  /// ```
  public func apply(_ style: TextStyle, to text: String) -> String {
    guard self == .coloured, !text.isEmpty else { return text }
    let code =
      switch style {
      case .plain: ""
      case .heading: "1"
      case .key: "36"
      case .null, .note: "2"
      }
    return code.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }
}
