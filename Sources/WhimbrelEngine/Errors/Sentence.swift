import Foundation

/// The wording of one error, before it is put together.
///
/// Every error reads `Could not <verb> <what> '<name>'<where>: <reason>. <What
/// to do>.` The reason may be followed by a list.
struct Sentence {
  /// What could not be done and why, with the list.
  let message: String
  /// What to do.
  let recovery: String

  /// Puts a sentence together: `action` is what follows "Could not".
  init(_ action: String, _ reason: String, items: [String] = [], _ recovery: String) {
    let list = items.map { "\n- " + $0 }.joined()
    message = "Could not \(action): \(reason)" + (items.isEmpty ? "." : ":" + list)
    self.recovery = recovery
  }

  /// Puts a sentence together that is about a text, and shows a piece of that below it.
  init(_ action: String, _ reason: String, excerpt: String, _ recovery: String) {
    message = "Could not \(action): \(reason).\n\(excerpt)"
    self.recovery = recovery
  }

  /// A name in quotes. Control characters are escaped, so that a name of a
  /// damaged file cannot forge lines.
  static func quoted(_ name: String) -> String {
    guard name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return "'\(name)'"
    }
    let escaped = name.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control
        ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(escaped.joined())'"
  }

  /// A primary key as text, cut when it is long.
  static func plainKey(_ key: PropertyValue) -> String {
    switch key {
    case .int(let number): return String(number)
    case .uuid(let uuid): return uuid.uuidString
    case .string(let text):
      let limit = 100
      return text.count > limit ? text.prefix(limit) + "…" : text
    case .null: return "nil"
    case .objectId(let id): return id.description
    case .bool, .float, .double, .data, .date, .decimal, .link, .object, .list, .map:
      return "of type \(key.kind)"
    }
  }

  /// A primary key as messages show it: text in quotes, numbers bare.
  static func key(_ key: PropertyValue) -> String {
    switch key {
    case .string, .uuid, .objectId: quoted(plainKey(key))
    default: plainKey(key)
    }
  }

  /// A value of a unique index as messages show it: text in quotes, numbers bare.
  static func value(_ value: PropertyValue) -> String {
    switch value {
    case .string, .uuid, .objectId, .int, .null: key(value)
    default: value.summary
    }
  }

  /// An object by its ID and, if it has one, its primary key.
  static func object(_ id: ObjectID, _ primaryKey: PropertyValue?) -> String {
    guard let primaryKey, !primaryKey.isNull else { return "object \(id)" }
    return "object \(id) (primary key \(key(primaryKey)))"
  }

  /// A number and what it counts: "1 object", "2 objects".
  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Names in quotes with commas between them, the first ten of them.
  static func names(_ names: [String]) -> String {
    let shown = names.prefix(10).map(quoted).joined(separator: ", ")
    return names.count > 10 ? shown + " and \(names.count - 10) more" : shown
  }

  /// "object 5" or "objects 5, 7, 9".
  static func list(_ objects: [ObjectID]) -> String {
    let shown = objects.prefix(10).map(\.description).joined(separator: ", ")
    let noun = objects.count == 1 ? "object" : "objects"
    return "\(noun) \(shown)\(objects.count > 10 ? " and \(objects.count - 10) more" : "")"
  }

  /// The folder of a path, as the path spells it.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// What the operating system calls an error.
  static func systemMessage(_ number: Int32) -> String {
    // Safe: the C library returns a constant or its own buffer, never null, and
    // the text is copied before anything else is called.
    unsafe String(cString: strerror(number))
  }
}
