extension DecodingError {
  /// What is wrong, and where, as the end of a sentence.
  var reason: String {
    let (context, detail): (Context, String) =
      switch self {
      case .keyNotFound(let key, let context): (context, "'\(key.stringValue)' is missing")
      case .valueNotFound(_, let context): (context, "a value is missing")
      case .typeMismatch(_, let context): (context, "the value is of the wrong kind")
      case .dataCorrupted(let context): (context, context.debugDescription)
      @unknown default: (Context(codingPath: [], debugDescription: ""), "\(self)")
      }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }
    let place = PlainText.quoted(String(path.joined().drop { $0 == "." }))
    let sentence = detail.hasSuffix(".") ? String(detail.dropLast()) : detail
    let words = sentence.hasPrefix("The ") ? "t" + sentence.dropFirst() : sentence
    return path.isEmpty ? PlainText.escaped(words) : "in \(place), \(PlainText.escaped(words))"
  }
}
