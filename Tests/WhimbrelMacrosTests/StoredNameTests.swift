import Testing

/// Names that the schema has and code has not.
struct StoredNameTests {
  @Test(arguments: [
    DiagnosticCase.property(
      "@StoredName(§\"\") var a: Int", "The name given to 'a' by '@StoredName' must not be empty."),
    .property(
      "@StoredName(§\"a\\nb\") var a: Int",
      "The name given to 'a' must not have control characters."),
    .property(
      "var a: Int; @StoredName(§\"a\") var b: Int",
      "The properties 'a' and 'b' have the same name in the store, 'a': change one of the names."),
    .property(
      "§@StoredName(\"\\(1)\") var a: Int",
      "The name given to 'a' by '@StoredName' must be a plain string literal."),
    .property(
      "@StoredName(§\"_$a\") var a: Int",
      "The property name '_$a' is reserved: names that begin with '_$' belong to Whimbrel."),
    .property(
      "@StoredName(§\"\(String(repeating: "é", count: 32))\") var a: Int",
      "The property name '\(String(repeating: "é", count: 32))' is 64 bytes long in UTF-8, and at "
        + "most 63 are allowed."),
    .property(
      "§@StoredName(\"x\") @Transient var a: Int = 1",
      "'@StoredName' and '@Transient' exclude each other: 'a' is either stored or not.",
      fix: ("Remove '@StoredName'", "@Transient var a: Int = 1")),
    DiagnosticCase(
      "@Model(§\"a\\tb\") final class Zone {}",
      "The class name given to '@Model' must not have control characters."),
  ])
  func `a name is a literal that a schema can have`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `the schema has the given name, and code its own`() {
    let expanded = expand(
      """
      @Model("link origin") @Index([\\.linkCount, \\.name]) final class LinkOrigin {
        @StoredName("link-count") @Renamed(from: "count") var linkCount: Int
        var name: String
        var `a b`: Int = 1
        init(linkCount: Int) {
          self.linkCount = linkCount
          name = ""
        }
      }
      """)
    #expect(expanded.messages.isEmpty)
    let source = expanded.source
    #expect(source.contains(#"ModelSchema("link origin""#))
    #expect(
      source.contains(#"ModelProperty("link-count", declaredAs: "linkCount", Int.self,"#))
    #expect(source.contains(#"IndexSchema(["link-count", "name"])"#))
    #expect(source.contains(#"ModelProperty("a b", Int.self, \LinkOrigin.`a b`"#))
    #expect(source.contains("try encoder.encode(required: values.linkCount, at: 0)"))
  }
}

/// What is said about types that a marker cannot have, as far as their spelling tells.
struct MarkedTypeTests {
  @Test(arguments: [
    DiagnosticCase.property(
      "@PrimaryKey var a: §Double",
      "The primary key 'a' cannot have the type 'Double': use an integer, a 'String', a 'UUID' or "
        + "an 'ObjectId'."),
    .property(
      "@PrimaryKey var a: §Foundation.Date?",
      "The primary key 'a' cannot have the type 'Foundation.Date?': use an integer, a 'String', a "
        + "'UUID' or an 'ObjectId'."),
    .property(
      "§@Indexed var a: Data",
      "The property 'a' cannot be indexed: an index cannot hold values of type 'Data'."),
    .property(
      "§@Indexed(.fullText) var a: Int",
      "The property 'a' cannot have a full-text index: that needs a 'String', and its type is "
        + "'Int'."),
    .property(
      "§@MainActor var a: Int",
      "A stored property of a model cannot belong to an actor: remove '@MainActor' from 'a'.",
      fix: ("Remove '@MainActor'", "var a: Int")),
    .property(
      "private var §a: Int",
      "The property 'a' is private and has no default value, so other code could not create a "
        + "'Zone'. Give it a default value, or write an initializer."),
    DiagnosticCase(
      "§@MainActor @Model final class Zone {}",
      "A model class cannot belong to an actor: remove '@MainActor' from 'Zone'. An object is used "
        + "where its store was opened, on any actor.",
      fix: ("Remove '@MainActor'", "@Model final class Zone {}")),
  ])
  func `a mistake is explained at its place`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `a class with an initializer may have private properties without a value`() {
    let expanded = expand(
      "@Model final class Zone {\n  private var a: Int\n  init(_ a: Int) { self.a = a }\n}\n")
    #expect(expanded.messages.isEmpty)
  }

  @Test func `a model with an error is still a model for others`() {
    let expanded = expand(
      """
      @Model final class Zone {
        let a: Int
        var b: String
        var c: Int = 1
        var d: StoredList<Int>
      }
      """)
    #expect(expanded.messages.count == 1)
    #expect(
      expanded.source.contains(
        "init(b: String, c: Int = { while true {} }(), "
          + "d: StoredList<Int> = { while true {} }())"))
    #expect(expanded.source.contains("nonisolated extension Zone: Whimbrel.Model"))
    #expect(!expanded.source.contains("_$unmanaged"))
  }
}
