package import Foundation
internal import WhimbrelEngine

/// The encoder and decoder for all JSON except the lines of objects.
package enum Coding {
  /// Returns an encoder whose output depends only on the value.
  package static func encoder(isPretty: Bool = false) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[.writesLongIntegersAsText] = true
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      let seconds = date.timeIntervalSinceReferenceDate
      if let text = DateText.iso8601(date) ?? NumberText.special(seconds) {
        try container.encode(text)
      } else {
        try container.encode(seconds)
      }
    }
    return encoder
  }

  /// Returns a decoder for the output of the encoder.
  ///
  /// - Parameter refusesUnknownKeys: Whether an unknown key in a schema is an error. A person may
  ///   have misspelt it.
  package static func decoder(refusesUnknownKeys: Bool = false) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.refusesUnknownKeys] = refusesUnknownKeys
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      if let seconds = try? container.decode(Double.self), seconds.isFinite {
        return Date(timeIntervalSinceReferenceDate: seconds)
      }
      guard let date = DateText.date(anyText: try container.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "This is not a date.")
      }
      return date
    }
    return decoder
  }
}

extension DateText {
  /// Returns the date of a text in ISO 8601 or in the form of ``NumberText``.
  static func date(anyText text: String) -> Date? {
    date(iso8601: text)
      ?? NumberText.value(special: text, as: Double.self).map {
        Date(timeIntervalSinceReferenceDate: $0)
      }
  }
}

extension DecodingError {
  /// Returns the problem and its place in a text, as the end of a sentence.
  ///
  /// - Parameter json: The text that was decoded.
  func reason(in json: some Sequence<UInt8>) -> String {
    // Foundation's decoder reports invalid JSON without a place, and in the same way a number that
    // does not fit.
    guard case .dataCorrupted(let context) = self, context.codingPath.isEmpty,
      !(context.underlyingError is UnknownKey)
    else { return reason }
    let bytes = Array(json)
    do throws(JSONProblem) {
      _ = try JSONParser.parse(bytes)
    } catch {
      let lines = bytes.prefix(error.offset).split(
        separator: 0x0A, omittingEmptySubsequences: false)
      let column = String(decoding: lines.last ?? [], as: UTF8.self).count + 1
      return "line \(lines.count), column \(column): \(error.reason)"
    }
    return "a number in it is too large, or has a fraction or a sign that its place does not allow"
  }

  private var reason: String {
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
    let sentence = detail.withoutFullStop
    let words = sentence.hasPrefix("The ") ? "t" + sentence.dropFirst() : sentence
    return path.isEmpty ? PlainText.escaped(words) : "in \(place), \(PlainText.escaped(words))"
  }
}
