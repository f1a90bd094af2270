internal import WhimbrelEngine

/// Functions that turn the names of a schema into Swift names.
enum SwiftName {
  /// Returns the name of an enum case for declarations and uses, in backquotes if necessary, or nil
  /// if Swift cannot have it.
  static func member(_ name: String) -> String? {
    if unusable.contains(name) { return nil }
    if isPlain(name) { return keywords.contains(name) ? "`\(name)`" : name }
    // A name in backquotes needs a letter or digit, and only printable characters.
    let isQuotable = name.unicodeScalars.allSatisfy { $0 != "`" && $0 != "\\" && $0.isPrinted }
    let isWord = name.unicodeScalars.contains { $0.properties.isAlphabetic || isDigit($0) }
    return isQuotable && isWord ? "`\(name)`" : nil
  }

  /// Returns the Swift names of the properties of a class, by their names in the schema.
  ///
  /// The Swift name is equal if possible, otherwise it is made from the letters and digits:
  /// `linkCount` for `link-count`. Names that are not valid in a schema are left out.
  ///
  /// - Parameter types: The names of the class and of the types of its properties. A property with
  ///   such a name would hide the type, and `@Model` refuses it.
  static func members(_ names: [String], besides types: Set<String>) -> [String: String] {
    let hiding = unusable.union(modules).union(types)
    var members: [String: String] = [:]
    for name in names where isPlain(name) && !hiding.contains(name) {
      members[name] = keywords.contains(name) ? "`\(name)`" : name
    }
    var unique = UniqueNames(taken: Set(names).union(keywords).union(hiding))
    for name in names where members[name] == nil && StoreSchema.allowsProperty(named: name) {
      members[name] = unique.take(camelCase(name))
    }
    return members
  }

  /// Returns an identifier made from the letters and digits of a name.
  private static func camelCase(_ name: String) -> String {
    let words = name.unicodeScalars.split { !isInner($0) }.map { String($0) }
    let joined = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.capitalizedFirst
    }.joined()
    guard let first = joined.unicodeScalars.first else { return "property" }
    return isFirst(first) ? joined : "_" + joined
  }

  /// Returns a type name close to a name. It is not a keyword, and not a type that the declarations
  /// of models use.
  static func type(_ name: String, suffix: String) -> String {
    var plain = String(
      String.UnicodeScalarView(name.unicodeScalars.map { isInner($0) ? $0 : "_" }))
    if plain.isEmpty || plain.unicodeScalars.first.map(isFirst) != true { plain = "_" + plain }
    let isTaken = keywords.contains(plain) || unusable.contains(plain) || used.contains(plain)
    return isTaken || plain.allSatisfy({ $0 == "_" }) ? plain + suffix : plain
  }

  private static func isPlain(_ name: String) -> Bool {
    name.unicodeScalars.first.map(isFirst) == true && name.unicodeScalars.allSatisfy(isInner)
  }

  private static func isFirst(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_": true
    default: scalar.value >= 0xC0 && scalar.properties.generalCategory.isOfLetters
    }
  }

  private static func isInner(_ scalar: Unicode.Scalar) -> Bool {
    isFirst(scalar) || isDigit(scalar)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

extension SwiftName {
  /// The names that no property can have: `self` would hide the object in its own initialiser, and
  /// key paths read the others as types.
  private static let unusable: Set<String> = ["Protocol", "Type", "_", "self"]

  /// The modules whose names the macros' code uses.
  private static let modules: Set<String> = ["Swift", "Whimbrel"]

  /// The keywords that need backquotes where a name is declared.
  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "async", "await", "break", "case",
    "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension",
    "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private",
    "protocol", "public", "repeat", "rethrows", "return", "static", "struct", "subscript",
    "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
  ]

  /// The types and modules whose names the declarations of models and the macros' code use.
  private static let used = Set(
    [
      "AnyValue", "Foundation", "Index", "IndexKind", "Indexed", "Int64", "Inverse", "Model",
      "ModelKind", "Optional", "PersistableEnum", "PrimaryKey", "Renamed", "StoredList",
      "StoredMap", "StoredName", "StoredSet", "Swift", "Transient", "UInt", "Whimbrel",
    ] + PropertyType.scalars.compactMap(\.swiftName))
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Unicode.GeneralCategory {
  fileprivate var isOfLetters: Bool {
    switch self {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }
}
