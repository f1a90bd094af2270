/// Two names with a separator, as options have them: `Zone.comments`, `column=property`.
///
/// A name with the separator in it needs quotes of one of three kinds: `'link origin'.'a.b'`.
/// Inside them, a backslash escapes a quote of the same kind and a backslash.
///
/// Parsing works on Unicode scalars, not characters: a name may begin with a combining accent,
/// which would join the separator before it.
package struct QualifiedName {
  package let first: String
  package let second: String
  /// The second name as it was written, with its quotes.
  private let written: String

  /// Parses two names. Returns nil if there are not two.
  ///
  /// - Parameters:
  ///   - separator: The separator. Without quotes the first one in the text counts.
  ///   - known: The known first names. Such a name may contain the separator without quotes.
  package init?(
    _ text: String, separator: Unicode.Scalar = ".", among known: some Sequence<String> = []
  ) {
    var rest = Substring(text)
    guard let first = Self.takeName(from: &rest, upTo: separator, among: known),
      !first.isEmpty, !rest.isEmpty
    else { return nil }
    self.first = first
    written = String(rest)
    let quoted = Self.takeQuoted(from: &rest)
    second = rest.isEmpty ? quoted ?? written : written
  }

  /// Returns the second name. If a known name equals the text with its quotes, the quotes are part
  /// of it.
  package func second(among known: some Sequence<String>) -> String {
    known.contains(written) ? written : second
  }

  /// Takes a name and the separator off the beginning of a text. Returns the name, or nil if the
  /// separator is missing.
  ///
  /// Quotes and known names work as in ``init(_:separator:among:)``.
  static func takeName(
    from text: inout Substring, upTo separator: Unicode.Scalar, among known: some Sequence<String>
  ) -> String? {
    var rest = text
    if let name = takeQuoted(from: &rest), rest.unicodeScalars.first == separator {
      text = Substring(rest.unicodeScalars.dropFirst())
      return name
    }
    let scalars = text.unicodeScalars
    let name =
      known.filter { scalars.starts(with: "\($0)\(separator)".unicodeScalars) }
      .max { $0.unicodeScalars.count < $1.unicodeScalars.count }
      ?? String(Substring(scalars.prefix { $0 != separator }))
    let length = name.unicodeScalars.count
    guard length < scalars.count else { return nil }
    text = Substring(scalars.dropFirst(length + 1))
    return name
  }

  /// Takes a quoted name off the beginning of a text. Returns it without quotes, or nil if there is
  /// none.
  static func takeQuoted(from text: inout Substring) -> String? {
    let scalars = text.unicodeScalars
    guard let quote = scalars.first, "'\"`".unicodeScalars.contains(quote) else { return nil }
    var name = String.UnicodeScalarView()
    var isEscaped = false
    for index in scalars.indices.dropFirst() {
      let scalar = scalars[index]
      if isEscaped || (scalar != "\\" && scalar != quote) {
        name.append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        text = Substring(scalars[scalars.index(after: index)...])
        return String(name)
      }
    }
    return nil
  }
}
