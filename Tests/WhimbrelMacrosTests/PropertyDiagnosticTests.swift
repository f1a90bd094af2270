import Testing

/// What is said about the declarations of properties and their types.
struct PropertyDiagnosticTests {
  @Test(arguments: [
    DiagnosticCase.property(
      "§let a: Int", "A stored property of a model must be a 'var', and 'a' is a 'let'.",
      fix: ("Replace 'let' with 'var'", "var a: Int")),
    .property(
      "/// Slow.\n  §lazy var a: Int = 1",
      "The property 'a' cannot be stored, because it is 'lazy'. Remove 'lazy', or mark the "
        + "property '@Transient'.",
      fix: ("Add '@Transient'", "/// Slow.\n  @Transient lazy var a: Int = 1")),
    .property(
      "§weak var a: Zone?",
      "The property 'a' cannot be stored, because it is 'weak'. Remove 'weak', or mark the "
        + "property '@Transient'.",
      fix: ("Add '@Transient'", "@Transient weak var a: Zone?")),
    .property(
      "§@Published var a: Int = 1",
      "A stored property of a model cannot have a property wrapper: remove '@Published' from 'a'.",
      fix: ("Remove '@Published'", "var a: Int = 1")),
    .property(
      "@Indexed §@RealmSwift.Persisted(originProperty: \"b\") var a: Int",
      "A stored property of a model cannot have a property wrapper: remove '@RealmSwift.Persisted' "
        + "from 'a'.",
      fix: ("Remove '@RealmSwift.Persisted'", "@Indexed var a: Int")),
    .property(
      "§@Persisted(primaryKey: true) var a: Int",
      "Whimbrel does not have '@Persisted': replace it with '@PrimaryKey' at 'a'.",
      fix: ("Replace it with '@PrimaryKey'", "@PrimaryKey var a: Int")),
    .property(
      "§@Persisted(indexed: true) var a: Int = 1",
      "Whimbrel does not have '@Persisted': replace it with '@Indexed' at 'a'.",
      fix: ("Replace it with '@Indexed'", "@Indexed var a: Int = 1")),
    .property(
      "§@Attribute(.unique) var a: Int",
      "Whimbrel does not have '@Attribute': replace it with '@Indexed(.unique)' at 'a'.",
      fix: ("Replace it with '@Indexed(.unique)'", "@Indexed(.unique) var a: Int")),
    .property(
      "§@Attribute(.spotlight, originalName: \"b\") var a: Int",
      "Whimbrel does not have '@Attribute': replace it with '@Renamed(from: \"b\")' at 'a'.",
      fix: ("Replace it with '@Renamed(from: \"b\")'", "@Renamed(from: \"b\") var a: Int")),
    .property(
      "§@Attribute(.ephemeral) var a: Int = 1",
      "Whimbrel does not have '@Attribute': replace it with '@Transient' at 'a'.",
      fix: ("Replace it with '@Transient'", "@Transient var a: Int = 1")),
    .property(
      "§@Attribute(.externalStorage) var a: Data",
      "Whimbrel does not have '@Attribute': remove it from 'a'.",
      fix: ("Remove '@Attribute'", "var a: Data")),
    // The suggestion kept only one of the two markers.
    .property(
      "§@Attribute(.unique, originalName: \"b\") var a: Int",
      "Whimbrel does not have '@Attribute': replace it with '@Indexed(.unique) @Renamed(from: "
        + "\"b\")' at 'a'.",
      fix: (
        "Replace it with '@Indexed(.unique) @Renamed(from: \"b\")'",
        "@Indexed(.unique) @Renamed(from: \"b\") var a: Int"
      )),
    .property(
      "§@Persisted(originProperty: \"b\") var a: LinkingObjects<Zone>",
      "Whimbrel does not have '@Persisted': replace it with '@Inverse(of: \\Zone.b)' at 'a'.",
      fix: (
        "Replace it with '@Inverse(of: \\Zone.b)'",
        "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>"
      )),
    .property(
      "§@Relationship(inverse: \\Zone.b) var a: [Zone]",
      "Whimbrel does not have '@Relationship': replace it with '@Inverse(of: \\Zone.b)' at 'a'.",
      fix: ("Replace it with '@Inverse(of: \\Zone.b)'", "@Inverse(of: \\Zone.b) var a: [Zone]")),
    .property(
      "§@Relationship(inverse: \\Zone.b) var a: Zone?",
      "Whimbrel does not have '@Relationship': remove it from 'a'.",
      fix: ("Remove '@Relationship'", "var a: Zone?")),
    .property(
      "§@Relationship(deleteRule: .cascade) var a: StoredList<Zone>",
      "Whimbrel does not have '@Relationship': remove it from 'a'. Only embedded objects are "
        + "deleted with their owner: write '@Model(.embedded)' at their class, or delete the "
        + "objects in the same write.",
      fix: ("Remove '@Relationship'", "var a: StoredList<Zone>")),
    // The compiler spoke of an unexpected getter in the expansion of '@ObservationIgnored'.
    .property(
      "§@ObservationIgnored var a: Int = 1",
      "A stored property of a model is always observed: remove '@ObservationIgnored' from 'a', or "
        + "write '@Transient' to leave the property out of the store.",
      fix: ("Remove '@ObservationIgnored'", "var a: Int = 1")),
    .property(
      "private §unowned var a: Zone?",
      "The property 'a' cannot be stored, because it is 'unowned'. Remove 'unowned', or mark the "
        + "property '@Transient'.",
      fix: ("Add '@Transient'", "@Transient private unowned var a: Zone?")),
    .property(
      "var a: Int = 1 §{ didSet {} }",
      "The property 'a' cannot have 'willSet' or 'didSet': its value may change in the store "
        + "without a call of the setter. Compute what depends on it in a computed property, or "
        + "mark the property '@Transient' to leave it out of the store.",
      fix: ("Add '@Transient'", "@Transient var a: Int = 1 { didSet {} }")),
    .property(
      "#if DEBUG\n  var §a: Int = 1\n  #endif",
      "The stored property 'a' cannot be inside '#if': the schema must be the same in every "
        + "build. Move it out, or mark it '@Transient'.",
      fix: ("Add '@Transient'", "#if DEBUG\n  @Transient var a: Int = 1\n  #endif")),
    // The error was one of generated code.
    .property(
      "§@available(*, unavailable, message: \"old\") var a: Int = 1",
      "The stored property 'a' cannot be unavailable: the code that '@Model' generates uses it. "
        + "Mark it 'deprecated' instead, or remove it."),
    .property(
      "@Transient var §a: Int",
      "The transient property 'a' needs a default value: an object that is read from a store "
        + "starts with it."),
    .property(
      "@Transient let §a: Int?",
      "The transient property 'a' needs a default value: an object that is read from a store "
        + "starts with it."),
  ])
  func `only a plain variable is stored`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "var §a, b: Int", "Each property of a model needs a 'var' of its own.",
      fix: ("Declare each property separately", "var a: Int\n  var b: Int")),
    .property(
      "/// Three.\n  private(set) var §a: Int = 1, b, c: String?",
      "Each property of a model needs a 'var' of its own.",
      fix: (
        "Declare each property separately",
        "/// Three.\n  private(set) var a: Int = 1\n  private(set) var b: String?\n"
          + "  private(set) var c: String?"
      )),
    .property(
      "var §(a, b): (Int, Int) = (1, 2)",
      "A property of a model cannot be declared by a tuple pattern. Declare each property "
        + "with a 'var' of its own."),
  ])
  func `each property has a declaration of its own`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "var §_$a: Int",
      "The property name '_$a' is reserved: names that begin with '_$' belong to Whimbrel."),
    .property(
      "var §\(String(repeating: "é", count: 32)): Int",
      "The property name '\(String(repeating: "é", count: 32))' is 64 bytes long in UTF-8, and at "
        + "most 63 are allowed."),
  ])
  func `a name is not reserved and not too long`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    ("var §Whimbrel: Int", "Whimbrel"), ("var §Swift: Int?", "Swift"), ("var §Zone: Int", "Zone"),
    ("var §Date: Date?", "Date"), ("var §Type: Int", "Type"), ("var §`Protocol`: Int", "Protocol"),
    ("var §`self`: Int", "self"), ("var §Town: Int\n  var towns: StoredList<Town>", "Town"),
    ("var §Old: Int\n  var zone: Old.Zone?", "Old"),
  ])
  func `a name does not hide what the generated code names`(
    _ declaration: String, _ name: String
  ) throws {
    try expectDiagnostic(
      .property(
        declaration,
        "The property name '\(name)' has another meaning in the code that '@Model' generates: "
          + "rename the property. '@StoredName(\"\(name)\")' keeps its name in the store."))
  }

  @Test func `a property that is not stored does not hide a module either`() throws {
    try expectDiagnostic(
      .property(
        "static let §Swift: Int = 1",
        "The property name 'Swift' has another meaning in the code that '@Model' generates: "
          + "rename the property."))
    let expanded = expand(
      "@Model final class Zone {\n  var `Type`: Int { 1 }\n  var date: Date\n"
        + "  var Date: Foundation.Data?\n}\n")
    #expect(expanded.messages.count == 1)
  }

  @Test(arguments: [
    ("§#line", "#line"), ("§#fileID", "#fileID"), ("name(in: §#function)", "#function"),
  ])
  func `a default value does not name its place`(_ value: String, _ literal: String) throws {
    try expectDiagnostic(
      .property(
        "var a: Text = \(value)",
        "The default value of 'a' cannot contain '\(literal)', which would stand for a place in the "
          + "code that '@Model' generates. Set the property in an initializer instead."))
  }

  @Test func `a name of 63 bytes is allowed`() {
    let name = String(repeating: "é", count: 31) + "e"
    #expect(expand("@Model final class Zone {\n  var \(name): Int\n}\n").messages.isEmpty)
  }

  @Test(arguments: [
    ("Area.africa", "Area"), ("Date(timeIntervalSince1970: 0)", "Date"),
    ("StoredList<Zone>([zone])", "StoredList<Zone>"),
  ])
  func `a missing type is offered where it is probable`(_ value: String, _ type: String) throws {
    try expectDiagnostic(
      .property(
        "var §a = \(value)",
        "The property 'a' needs a type annotation: '@Model' cannot see the type of its default "
          + "value.",
        fix: ("Add ': \(type)'", "var a: \(type) = \(value)")))
  }

  @Test(arguments: [
    ("1", "Int"), ("-1", "Int"), ("0xFF", "Int"), ("1.5", "Double"), ("true", "Bool"),
    ("\"x\"", "String"), ("UUID()", "UUID"), ("Date()", "Date"),
    ("StoredList<Zone>()", "StoredList<Zone>"),
  ])
  func `the type of a literal and of a plain initializer need not be written`(
    _ value: String, _ type: String
  ) {
    let omitted = expand("@Model final class Zone {\n  var a = \(value)\n}\n")
    #expect(omitted.messages.isEmpty)
    let written = expand("@Model final class Zone {\n  var a: \(type) = \(value)\n}\n")
    let attribute = ".self)\n  var a"
    #expect(
      omitted.source == written.source.replacing("\(attribute): \(type)", with: attribute))
  }

  @Test(arguments: ["make()", "nil", "zone.area", "[1]"])
  func `a type that is not probable is not guessed`(_ value: String) throws {
    try expectDiagnostic(
      .property(
        "var §a = \(value)",
        "The property 'a' needs a type annotation: '@Model' cannot see the type of its default "
          + "value."))
  }

  @Test(arguments: [
    ("(Int, Int)", "a tuple"), ("()", "a tuple"), ("(x: Int, y: Int)?", "a tuple"),
    ("() -> Void", "a function"), ("@Sendable () -> Void", "a function"),
    ("(() -> Void)?", "a function"), ("some Hashable", "an opaque type"),
    ("Int.Type", "a metatype"),
  ])
  func `a type that no store has a place for is an error`(_ type: String, _ kind: String) throws {
    try expectUnsupported(type, kind, use: "a type that is Persistable")
  }

  @Test(arguments: [
    ("[[String]]", "an array", "a 'StoredList'"), ("[(Int, Int)]", "an array", "a 'StoredList'"),
    ("[Int: String]", "a dictionary", "a 'StoredMap'"),
    ("Dictionary<Int, String>", "a dictionary", "a 'StoredMap'"),
    ("Any", "an existential", "'AnyValue' or another type that is Persistable"),
    ("AnyObject?", "an existential", "'AnyValue' or another type that is Persistable"),
    ("any Hashable", "an existential", "'AnyValue' or another type that is Persistable"),
    ("(any Hashable)?", "an existential", "'AnyValue' or another type that is Persistable"),
    ("A & B", "an existential", "'AnyValue' or another type that is Persistable"),
  ])
  func `a type that has a counterpart in stores is told of it`(
    _ type: String, _ kind: String, _ replacement: String
  ) throws {
    try expectUnsupported(type, kind, use: replacement)
  }

  // The only fix-it was '@Transient', which leaves the values out of the store.
  @Test(arguments: [
    ("[Zone]", "an array", "StoredList<Zone>"), ("[String]?", "an array", "StoredList<String>"),
    ("Swift.Array<Int?>", "an array", "StoredList<Int?>"), ("Set<Int>", "a set", "StoredSet<Int>"),
    ("[String: Int]", "a dictionary", "StoredMap<String, Int>"),
    ("Dictionary<String, Zone>?", "a dictionary", "StoredMap<String, Zone>"),
  ])
  func `a collection of Swift is replaced by one of a store`(
    _ type: String, _ kind: String, _ replacement: String
  ) throws {
    let name = replacement.prefix { $0 != "<" }
    try expectDiagnostic(
      .property(
        "var a: §\(type)",
        "The property 'a' cannot be stored: its type '\(type)' is \(kind). Use a '\(name)', or mark "
          + "the property '@Transient'.",
        fix: ("Change the type to '\(replacement)'", "var a: \(replacement)")))
    if type.hasSuffix("?") {
      try expectDiagnostic(
        .property(
          "var a: §\(type) = nil",
          "The property 'a' cannot be stored: its type '\(type)' is \(kind). Use a '\(name)', or "
            + "mark the property '@Transient'.",
          fix: ("Change the type to '\(replacement)'", "var a: \(replacement)")))
    }
  }

  private func expectUnsupported(
    _ type: String, _ kind: String, use replacement: String
  ) throws {
    try expectDiagnostic(
      .property(
        "var a: §\(type)",
        "The property 'a' cannot be stored: its type '\(type)' is \(kind). Use \(replacement), or "
          + "mark the property '@Transient'.",
        fix: ("Add '@Transient'", "@Transient var a: \(type)")))
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "var a: §Zone!", "The property 'a' cannot be implicitly unwrapped: write '?' instead of '!'.",
      fix: ("Change the type to 'Zone?'", "var a: Zone?")),
    .property(
      "var a: §Int?? = nil",
      "The property 'a' cannot be an optional of an optional: a store has only one nil.",
      fix: ("Change the type to 'Int?'", "var a: Int? = nil")),
    .property(
      "var a: §Optional<(Int?)>",
      "The property 'a' cannot be an optional of an optional: a store has only one nil.",
      fix: ("Change the type to 'Int?'", "var a: Int?")),
    .property(
      "var a: §Self?",
      "The type of the property 'a' cannot be 'Self': write the name of the class.",
      fix: ("Change the type to 'Zone?'", "var a: Zone?")),
  ])
  func `a type that is nearly right is put right`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `all problems are told at once`() {
    let expanded = expand(
      "@Model class Zone {\n  let a: Int\n  var b: [Int]\n  @PrimaryKey var c: Int?\n}\n")
    #expect(expanded.messages.count == 4)
  }
}
