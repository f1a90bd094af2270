/// Two names as options have them, with a sign between: `Zone.comments`, `column=property`.
///
/// A name that has the sign stands in quotes of one of three kinds: `'link origin'.'a.b'`. A quote
/// of the same kind in it, and a backslash, have a backslash before them.
///
/// The text is taken apart by Unicode scalars: a name may begin with what joins the sign before it,
/// as a combining accent does.
package struct QualifiedName {
  package let first: String
  package let second: String
  /// The second name as it was given, in quotes or not.
  private let written: String

  /// Reads two names; nil where there are not two.
  ///
  /// - Parameters:
  ///   - separator: the sign between them. Without quotes the first one counts.
  ///   - known: names of which the first is one; without quotes, it may then have the sign too.
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

  /// The second name; where it is one of these with its quotes, they belong to it.
  package func second(among known: some Sequence<String>) -> String {
    known.contains(written) ? written : second
  }

  /// Takes a name and the sign behind it off the beginning of a text, and returns the name; nil
  /// where the sign is missing. All else is as with ``init(_:separator:among:)``.
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

  /// Takes a name in quotes off the beginning of a text, and returns it without them; nil where
  /// there is none.
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
