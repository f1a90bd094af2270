import Foundation

/// The vocabulary of error sentences: quoted names, objects and counts.
///
/// Sentences and the functions that declare errors share it, so that a declaration reads like its
/// sentence.
package protocol Wording {}

extension StoreError: Wording {}

extension Wording {
  /// Returns a name in quotes. Control characters and those that change the direction of text are
  /// escaped, so that a name in a damaged file cannot forge lines.
  static func quoted(_ name: String) -> String {
    guard name.unicodeScalars.contains(where: \.disturbsLine) else { return "'\(name)'" }
    let escaped = name.unicodeScalars.map { scalar in
      scalar.disturbsLine ? scalar.escaped(asASCII: true) : String(scalar)
    }
    return "'\(escaped.joined())'"
  }

  /// Returns a primary key as text, truncated if long.
  static func plainKey(_ key: PropertyValue) -> String {
    guard let scalar = key.scalar, type(of: scalar).canBePrimaryKey else {
      return key.isNull ? "nil" : "of type \(key.kind)"
    }
    let limit = 100
    return scalar.text.count > limit ? scalar.text.prefix(limit) + "…" : scalar.text
  }

  /// Returns a primary key for a message: text in quotes, numbers bare.
  static func key(_ key: PropertyValue) -> String {
    guard let type = key.scalar.map({ type(of: $0) }), type.canBePrimaryKey, !type.isNumber else {
      return plainKey(key)
    }
    return quoted(plainKey(key))
  }

  /// Returns a value of a unique index for a message: text in quotes, numbers bare.
  static func value(_ value: PropertyValue) -> String {
    let canBeKey = value.scalar.map { type(of: $0).canBePrimaryKey } ?? value.isNull
    return canBeKey ? key(value) : value.summary
  }

  /// Returns an object with its ID and, if it has one, its primary key.
  static func object(_ id: ObjectID, _ primaryKey: PropertyValue?) -> String {
    // If a class no longer has an integer as its primary key, its objects keep their IDs. The ID may
    // then be the only name of the object.
    guard let primaryKey, !primaryKey.isNull else { return "object \(id)" }
    // This ID encodes the primary key and would mean nothing to a reader.
    if !id.isGivenOut { return "the object with primary key \(key(primaryKey))" }
    return "object \(id) (primary key \(key(primaryKey)))"
  }

  /// Returns "object 5 of class 'Zone' cannot be read: " with the reason.
  static func unreadable(
    _ id: ObjectID, _ primaryKey: PropertyValue?, of className: String, _ reason: String
  ) -> String {
    "\(object(id, primaryKey)) of class \(quoted(className)) cannot be read: \(reason)"
  }

  /// Returns a number with a noun: "1 object", "2 objects".
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Returns the first ten names, in quotes and separated by commas.
  static func names(_ names: [String]) -> String {
    let shown = names.prefix(10).map(quoted).joined(separator: ", ")
    return names.count > 10 ? shown + " and \(names.count - 10) more" : shown
  }

  /// Returns "object 5", "objects 5, 7, 9" or, if all keys are known, "the objects with primary
  /// keys 'AD', 'FR'".
  static func list(_ objects: [ObjectID], _ keys: [ObjectID: PropertyValue] = [:]) -> String {
    let shown = objects.prefix(10)
    let rest = objects.count > 10 ? " and \(objects.count - 10) more" : ""
    let known = shown.compactMap { keys[$0] }.filter { !$0.isNull }.map(key)
    let plural = objects.count == 1 ? "" : "s"
    if known.count == shown.count, !known.isEmpty {
      return "the object\(plural) with primary key\(plural) \(known.joined(separator: ", "))\(rest)"
    }
    if keys.isEmpty {
      return "object\(plural) \(shown.map(\.description).joined(separator: ", "))\(rest)"
    }
    return shown.map { object($0, keys[$0]) }.joined(separator: ", ") + rest
  }

  /// Returns the folder part of a path as it is spelled.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the operating system's message for an error number.
  static func systemMessage(_ number: Int32) -> String {
    // Safe: the C library returns a constant or its own buffer, never null. The text is copied
    // before another call.
    unsafe String(cString: strerror(number))
  }

  /// Returns "process 17", "this process", or "another process" if the number is unknown.
  static func user(_ process: Int32?) -> String {
    if process == getpid() { return "this process" }
    return process.map { "process \($0)" } ?? "another process"
  }

  /// Returns a property with its class, or only the class.
  static func place(_ className: String, _ property: String?) -> String {
    quoted(property.map { "\(className).\($0)" } ?? className)
  }

  /// Returns "migrate 'Zone' from version 2 to 3".
  static func migrate(
    _ className: String?, _ oldVersion: SchemaVersion, _ newVersion: SchemaVersion
  ) -> String {
    "migrate \(className.map(quoted) ?? "the store") from version \(oldVersion) to \(newVersion)"
  }

  /// Returns "migrate the store at 'zones.whimbrel' from version 2 to 3".
  static func migrateStore(
    _ path: String, _ oldVersion: SchemaVersion, _ newVersion: SchemaVersion
  ) -> String {
    "migrate the store at \(quoted(path)) from version \(oldVersion) to \(newVersion)"
  }

  /// Returns ", which holds -128 to 127", or an empty string for types without bounds.
  static func range(of type: PropertyType) -> String {
    guard let bounds = type.integerBounds else { return "" }
    return ", which holds \(bounds.lowerBound) to \(bounds.upperBound)"
  }

  /// Returns "Did you mean 'Zone'?", or the names to choose from.
  static func suggestion(
    for name: String, among known: [String], called noun: String
  ) -> String {
    if let likely = Spelling.closest(to: name, among: known) {
      return "Did you mean \(quoted(likely))?"
    }
    return known.isEmpty ? "There are no \(noun)." : "The \(noun) are \(names(known))."
  }
}
