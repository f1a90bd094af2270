import Foundation

/// The parts of error sentences: names in quotes, objects and counts.
///
/// Both the sentences and the functions that declare errors have these, so that a declaration reads
/// like the sentence that it makes.
protocol Wording {}

extension StoreError: Wording {}

extension Wording {
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
    guard let scalar = key.scalar, type(of: scalar).canBePrimaryKey else {
      return key.isNull ? "nil" : "of type \(key.kind)"
    }
    let limit = 100
    return scalar.text.count > limit ? scalar.text.prefix(limit) + "…" : scalar.text
  }

  /// A primary key as messages show it: text in quotes, numbers bare.
  static func key(_ key: PropertyValue) -> String {
    guard let type = key.scalar.map({ type(of: $0) }), type.canBePrimaryKey, !type.isNumber else {
      return plainKey(key)
    }
    return quoted(plainKey(key))
  }

  /// A value of a unique index as messages show it: text in quotes, numbers bare.
  static func value(_ value: PropertyValue) -> String {
    let canBeKey = value.scalar.map { type(of: $0).canBePrimaryKey } ?? value.isNull
    return canBeKey ? key(value) : value.summary
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

  /// Returns the operating system's message for an error number.
  static func systemMessage(_ number: Int32) -> String {
    // Safe: the C library returns a constant or its own buffer, never null, and
    // the text is copied before anything else is called.
    unsafe String(cString: strerror(number))
  }

  /// "process 17", or this process when its number is not known.
  static func user(_ process: Int32?) -> String {
    process.map { "process \($0)" } ?? "this process"
  }

  /// A property with its class, or the class alone.
  static func place(_ className: String, _ property: String?) -> String {
    quoted(property.map { "\(className).\($0)" } ?? className)
  }

  /// "migrate 'Zone' from version 2 to 3"
  static func migrate(
    _ className: String?, _ oldVersion: SchemaVersion, _ newVersion: SchemaVersion
  ) -> String {
    "migrate \(className.map(quoted) ?? "the store") from version \(oldVersion) to \(newVersion)"
  }

  /// "migrate the store at 'zones.whimbrel' from version 2 to 3"
  static func migrateStore(
    _ path: String, _ oldVersion: SchemaVersion, _ newVersion: SchemaVersion
  ) -> String {
    "migrate the store at \(quoted(path)) from version \(oldVersion) to \(newVersion)"
  }

  /// ", which holds -128 to 127", or nothing for types without bounds.
  static func range(of type: PropertyType) -> String {
    guard let bounds = type.integerBounds else { return "" }
    return ", which holds \(bounds.lowerBound) to \(bounds.upperBound)"
  }

  /// "Did you mean 'Zone'?", or what there is to choose from.
  static func suggestion(
    for name: String, among known: [String], called noun: String
  ) -> String {
    if let likely = Spelling.closest(to: name, among: known) {
      return "Did you mean \(quoted(likely))?"
    }
    return known.isEmpty ? "There are no \(noun)." : "The \(noun) are \(names(known))."
  }
}
