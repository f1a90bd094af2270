/// What a piece of text is, which says how a terminal shows it.
public enum TextStyle: Hashable, Sendable {
  /// An ordinary value.
  case plain
  /// The heading of a column, or the name of what follows.
  case heading
  /// A primary key, or the name of a property.
  case key
  /// The absence of a value.
  case null
  /// What is said about the values: object IDs, and what is left out.
  case note
}

/// Whether text for people has colours and weights.
public enum TextStyling: Hashable, Sendable {
  /// Text and nothing else: for files and pipes.
  case plain
  /// With the control sequences of terminals.
  case coloured

  /// The text as it looks in a style. It must have no control characters of its own.
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
