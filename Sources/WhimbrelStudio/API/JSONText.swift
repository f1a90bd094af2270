internal import WhimbrelEngine
internal import WhimbrelInspection

/// Texts as JSON, for the few objects that the server writes by itself.
enum JSONText {
  /// Returns a text in quotes.
  static func of(_ text: String) -> String {
    var writer = JSONWriter()
    writer.append(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns a text in quotes, or null.
  static func of(_ text: String?) -> String { text.map { of($0) } ?? "null" }

  /// Returns an object ID as in a dump: a number, or digits in quotes beyond 2⁵³.
  static func of(_ id: ObjectID) -> String {
    var writer = JSONWriter()
    writer.append(exact: id.rawValue)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Returns an array of elements that are JSON already.
  static func array(_ elements: some Sequence<String>) -> String {
    "[" + elements.joined(separator: ",") + "]"
  }
}
