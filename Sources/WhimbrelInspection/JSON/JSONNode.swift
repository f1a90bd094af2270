/// A value of JSON, with the place where it stands.
///
/// Numbers keep their spelling, so that reading one loses nothing, and objects
/// the order of their members.
struct JSONNode {
  let content: Content
  /// The offset of the first byte in the line.
  let offset: Int

  indirect enum Content {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// A member of an object; the place is that of its name.
  struct Member {
    let name: String
    let offset: Int
    let value: JSONNode
  }

  /// The name of the kind of value, for messages.
  var kind: String {
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

/// What is wrong with a line, and where.
struct JSONProblem: Error {
  let offset: Int
  let reason: String

  init(_ offset: Int, _ reason: String) {
    self.offset = offset
    self.reason = reason
  }
}
