import Testing

/// What `@Inverse` expands to, and says about its property.
struct InverseTests {
  @Test func `an inverse is a getter, listed in the schema apart from the properties`() {
    let expanded = expand(
      """
      @Model public final class Country {
        public var code: String
        @Inverse(of: \\Zone.country) public var zones: LinkingObjects<Zone>
        public var name: String
        @Whimbrel.Inverse(of: \\Old.Zone.`in`)
        var olds: Whimbrel.LinkingObjects<Old.Zone>
      }
      """)
    #expect(expanded.messages.isEmpty)
    #expect(
      expanded.source.contains(
        """
        Whimbrel.ModelSchema("Country", of: Country.self, [
            Whimbrel.ModelProperty("code", String.self, \\Country.code, set: { $0.code = $1 }),
            Whimbrel.ModelProperty("name", String.self, \\Country.name, set: { $0.name = $1 }),
          ], inverses: [
            Whimbrel.ModelInverse("zones", of: Zone.self, "country"),
            Whimbrel.ModelInverse("olds", of: Old.Zone.self, "in"),
          ])
        """))
    #expect(expanded.source.contains("init(code: String, name: String) {"))
    #expect(expanded.source.contains(#"_Inverse("country")"#))
    #expect(expanded.source.contains(#"_Persisted(1, in: "Country", String.self)"#))
    #expect(!expanded.source.contains("values.zones"))
  }

  @Test func `the getter looks the objects up by the property that links`() {
    expectExpansion(
      """
      @_Inverse("country") var zones: LinkingObjects<Zone>
      @_Inverse("init") var olds: Whimbrel.LinkingObjects<Old.Zone>
      """,
      to: """
        var zones: LinkingObjects<Zone> {
          get { Whimbrel.LinkingObjects<Zone>(_$row, of: "country", as: \\Zone.country) }
        }
        var olds: Whimbrel.LinkingObjects<Old.Zone> {
          get { Whimbrel.LinkingObjects<Old.Zone>(_$row, of: "init", as: \\Old.Zone.`init`) }
        }
        """)
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "§@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone> { make() }",
      "'@Inverse' generates the getter of a property, but 'a' has accessors of its own.",
      fix: ("Remove '@Inverse'", "var a: LinkingObjects<Zone> { make() }")),
    .property(
      "§@Inverse(of: \\Zone.b) static var a: LinkingObjects<Zone>",
      "'@Inverse' needs an instance property, and 'a' is a type property.",
      fix: ("Remove '@Inverse'", "static var a: LinkingObjects<Zone>")),
    .property(
      "@Inverse(of: \\Zone.b) §let a: LinkingObjects<Zone>",
      "A property with '@Inverse' must be a 'var', and 'a' is a 'let'.",
      fix: ("Replace 'let' with 'var'", "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>")),
    .property(
      "#if DEBUG\n  @Inverse(of: \\Zone.b) var §a: LinkingObjects<Zone>\n  #endif",
      "The property 'a' with '@Inverse' cannot be inside '#if': the schema must be the same in "
        + "every build. Move it out."),
    .property(
      "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone> §= .init()",
      "The property 'a' with '@Inverse' cannot have an initial value: its objects are those that "
        + "link to this one.",
      fix: ("Remove the initial value", "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>")),
    .property(
      "@Inverse(of: \\Zone.b) var §_$a: LinkingObjects<Zone>",
      "The property name '_$a' is reserved: names that begin with '_$' belong to Whimbrel."),
  ])
  func `an inverse is a plain variable without a value`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: ["PrimaryKey", "Indexed", "Transient", "Renamed(from: \"c\")"])
  func `an inverse has no other marker`(_ attribute: String) throws {
    let marker = attribute.prefix { $0 != "(" }
    try expectDiagnostic(
      .property(
        "@Inverse(of: \\Zone.b) §@\(attribute) var a: LinkingObjects<Zone>",
        "'@\(marker)' and '@Inverse' exclude each other: 'a' is not stored, but found through "
          + "the links of other objects.",
        fix: ("Remove '@\(marker)'", "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>")))
  }

  @Test(arguments: [
    "path", "\\Zone.b.c", "\\Zone.b?", "\\Zone.b?.c", "\\Zone[0]", "\\Zone", "\"b\"",
  ])
  func `the key path is one property, written out`(_ keyPath: String) throws {
    try expectDiagnostic(
      .property(
        "@Inverse(of: §\(keyPath)) var a: LinkingObjects<Zone>",
        "'@Inverse' of 'a' needs the key path of one property, written out like '\\Zone.country'."))
  }

  @Test func `a key path without its class is completed`() throws {
    try expectDiagnostic(
      .property(
        "@Inverse(of: §\\.b) var a: LinkingObjects<Town>",
        "'@Inverse' of 'a' needs the key path of one property, written out like '\\Zone.country'.",
        fix: (
          "Change the key path to '\\Town.b'",
          "@Inverse(of: \\Town.b) var a: LinkingObjects<Town>"
        )))
  }

  @Test(arguments: [
    "Zone", "Zone?", "StoredList<Zone>", "[Zone]", "LinkingObjects<Zone>?", "LinkingObjects",
    "Other.LinkingObjects<Zone>",
  ])
  func `the type is LinkingObjects`(_ type: String) throws {
    try expectDiagnostic(
      .property(
        "@Inverse(of: \\Zone.b) var a: §\(type)",
        "The property 'a' with '@Inverse' must have the type 'LinkingObjects<Zone>'.",
        fix: (
          "Change the type to 'LinkingObjects<Zone>'",
          "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>"
        )))
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "@Inverse(of: \\Old.Zone.b) var §a",
      "The property 'a' with '@Inverse' must have the type 'LinkingObjects<Old.Zone>'.",
      fix: (
        "Add ': LinkingObjects<Old.Zone>'",
        "@Inverse(of: \\Old.Zone.b) var a: LinkingObjects<Old.Zone>"
      )),
    .property(
      "@Inverse(of: \\Zone.b) var a: §LinkingObjects<Town>",
      "'@Inverse' of 'a' follows a property of 'Zone', but the type is 'LinkingObjects<Town>': "
        + "both must name the same class.",
      fix: (
        "Change the type to 'LinkingObjects<Zone>'",
        "@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>"
      )),
    .property(
      "var a: §LinkingObjects<Zone>",
      "The property 'a' of the type 'LinkingObjects' needs to know which links it follows: put "
        + "'@Inverse(of:)' before it."),
  ])
  func `the type and the key path name the same class`(
    _ diagnosticCase: DiagnosticCase
  ) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `Self in the key path is the class`() throws {
    let expanded = expand(
      "@Model final class Zone {\n  var b: Zone?\n"
        + "  @Inverse(of: \\Self.b) var a: LinkingObjects<Zone>\n}\n")
    #expect(expanded.messages.isEmpty)
    try expectDiagnostic(
      .property(
        "@Inverse(of: \\Self.b) var a: §LinkingObjects<Self>",
        "'@Inverse' of 'a' follows a property of 'Zone', but the type is 'LinkingObjects<Self>': "
          + "both must name the same class.",
        fix: (
          "Change the type to 'LinkingObjects<Zone>'",
          "@Inverse(of: \\Self.b) var a: LinkingObjects<Zone>"
        )))
  }

  @Test func `an inverse outside of a model is an error`() throws {
    try expectDiagnostic(
      DiagnosticCase(
        "struct Plain {\n  §@Inverse(of: \\Zone.b) var a: LinkingObjects<Zone>\n}\n",
        "'@Inverse' can be used only in the body of a class marked '@Model'.",
        fix: ("Remove '@Inverse'", "struct Plain {\n  var a: LinkingObjects<Zone>\n}\n")))
  }

  @Test func `a transient property may be of the type LinkingObjects`() {
    let expanded = expand(
      "@Model final class Zone {\n  @Transient var a: LinkingObjects<Zone> = make()\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(!expanded.source.contains("_Inverse"))
  }
}
