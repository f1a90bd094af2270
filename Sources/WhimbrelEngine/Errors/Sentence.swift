import Foundation

/// The wording of one error, before it is put together.
///
/// Every error reads `Could not <verb> <what> '<name>'<where>: <reason>. <What
/// to do>.` The reason may be followed by a list.
struct Sentence {
  /// What could not be done: what follows "Could not".
  let action: String
  /// Why, with its full stop, and the list or the excerpt.
  let reason: String
  /// What to do.
  let recovery: String

  /// What could not be done and why, with the list.
  var message: String { "Could not \(action): \(reason)" }

  /// Puts a sentence together: `action` is what follows "Could not".
  init(_ action: String, _ reason: String, items: [String] = [], _ recovery: String) {
    let list = items.map { "\n- " + $0 }.joined()
    self.action = action
    self.reason = reason + (items.isEmpty ? "." : ":" + list)
    self.recovery = recovery
  }

  /// Puts a sentence together that is about a text, and shows a piece of that below it.
  init(_ action: String, _ reason: String, excerpt: String, _ recovery: String) {
    self.action = action
    self.reason = "\(reason).\n\(excerpt)"
    self.recovery = recovery
  }

  private init(action: String, reason: String, recovery: String) {
    self.action = action
    self.reason = reason
    self.recovery = recovery
  }

  /// The same with a place in the values that were given.
  func at(_ path: String) -> Sentence {
    Sentence(
      action: "\(action) at \(Self.quoted(path))", reason: reason, recovery: recovery)
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
    guard let primaryKey, !primaryKey.isNull else {
      return id.isGivenOut ? "object \(id)" : "an object"
    }
    // The ID is the key, only spelled so that nobody knows it.
    if !id.isGivenOut { return "the object with primary key \(key(primaryKey))" }
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

  /// "object 5", "objects 5, 7, 9" or, where all keys are known, "the objects with primary keys
  /// 'AD', 'FR'".
  static func list(_ objects: [ObjectID], _ keys: [ObjectID: PropertyValue] = [:]) -> String {
    let shown = objects.prefix(10)
    let rest = objects.count > 10 ? " and \(objects.count - 10) more" : ""
    let known = shown.compactMap { keys[$0] }.filter { !$0.isNull }.map(key)
    let plural = objects.count == 1 ? "" : "s"
    if known.count == shown.count, !known.isEmpty {
      return "the object\(plural) with primary key\(plural) \(known.joined(separator: ", "))\(rest)"
    }
    if keys.isEmpty, shown.allSatisfy(\.isGivenOut) {
      return "object\(plural) \(shown.map(\.description).joined(separator: ", "))\(rest)"
    }
    return shown.map { object($0, keys[$0]) }.joined(separator: ", ") + rest
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
