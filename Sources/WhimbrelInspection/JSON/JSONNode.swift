/// A JSON value with its place in the line.
///
/// Numbers keep their spelling, so that reading loses nothing. Objects keep the
/// order of their members.
package struct JSONNode {
  package let content: Content
  /// The offset of the first byte in the line.
  package let offset: Int

  package init(content: Content, offset: Int) { (self.content, self.offset) = (content, offset) }

  package indirect enum Content {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// A member of an object. The offset is that of its name.
  package struct Member {
    package let name: String
    package let offset: Int
    package let value: JSONNode
  }

  /// The text of a string or a number, which may be a primary key, or nil for other values.
  package var keyText: String? {
    switch content {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// The kind of the value for error messages, with an article.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// A problem with a line of JSON, and its offset.
package struct JSONProblem: Error {
  package let offset: Int
  package let reason: String

  package init(_ offset: Int, _ reason: String) {
    self.offset = offset
    self.reason = reason
  }

  /// Returns the column of the problem in a text, counted in characters from 1.
  func column(in text: some Sequence<UInt8>) -> Int {
    String(decoding: Array(text.prefix(offset)), as: UTF8.self).count + 1
  }
}
