import Testing

/// What `@Model` makes of the kind that it is given.
struct ModelKindTests {
  @Test(arguments: [".embedded", "ModelKind.embedded", "Whimbrel.ModelKind.embedded"])
  func `an embedded model says so in its schema`(_ kind: String) {
    for (arguments, name) in [(kind, "Zone"), ("\"Old\", \(kind)", "Old")] {
      let expanded = expand("@Model(\(arguments)) final class Zone {\n  var a: Int\n}\n")
      #expect(expanded.messages.isEmpty)
      #expect(
        expanded.source.contains(
          "Whimbrel.ModelSchema(\"\(name)\", of: Zone.self, isEmbedded: true, ["))
      #expect(expanded.source.contains("@Whimbrel._Persisted(0, in: \"\(name)\", Int.self)"))
    }
  }

  @Test(arguments: [".topLevel", "ModelKind.topLevel"])
  func `a top-level model says nothing more`(_ kind: String) {
    for (arguments, name) in [(kind, "Zone"), ("\"Old\", \(kind)", "Old")] {
      let expanded = expand(
        "@Model(\(arguments)) final class Zone {\n  @PrimaryKey var a: Int\n}\n")
      #expect(expanded.messages.isEmpty)
      #expect(expanded.source.contains("Whimbrel.ModelSchema(\"\(name)\", of: Zone.self, ["))
    }
  }

  @Test(arguments: ["", "\"Zone\", ", ".topLevel, ", "\"Zone\", .topLevel, "])
  func `previous names of the class stand in its schema`(_ before: String) {
    let expanded = expand(
      "@Model(\(before)renamedFrom: \"Area\", \"Region\") final class Zone {\n  var a: Int\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("Whimbrel.ModelSchema(\"Zone\", of: Zone.self, ["))
    #expect(expanded.source.contains("], previousNames: [\"Area\", \"Region\"])"))
  }

  @Test(arguments: [
    DiagnosticCase(
      "@Model(renamedFrom: §\"Zone\") final class Zone {\n  var a: Int\n}\n",
      "The class 'Zone' cannot be renamed from its own name."),
    DiagnosticCase(
      "@Model(renamedFrom: \"Area\", §name) final class Zone {\n  var a: Int\n}\n",
      "The previous names of 'Zone' must be plain string literals."),
    DiagnosticCase(
      "@Model(renamedFrom: §\"\") final class Zone {\n  var a: Int\n}\n",
      "A previous name of 'Zone' must not be empty."),
  ])
  func `previous names of the class are checked`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase(
      "@Model(.embedded) final class Zone {\n  §@PrimaryKey var a: Int\n}\n",
      "The embedded model 'Zone' cannot have a primary key: its objects are found only "
        + "through the objects that own them.",
      fix: ("Remove '@PrimaryKey'", "@Model(.embedded) final class Zone {\n  var a: Int\n}\n")),
    DiagnosticCase(
      "@Model(\"Old\", .embedded) final class Zone {\n  §@PrimaryKey\n  var a: Int?\n}\n",
      "The embedded model 'Zone' cannot have a primary key: its objects are found only "
        + "through the objects that own them.",
      fix: (
        "Remove '@PrimaryKey'",
        "@Model(\"Old\", .embedded) final class Zone {\n  var a: Int?\n}\n"
      )),
  ])
  func `an embedded model has no primary key`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    "\"Zone\", §kind", "\"Zone\", §isOld ? .embedded : .topLevel", "\"Zone\", §Other.embedded",
    "§.usual", "§ModelKind.usual",
  ])
  func `the kind is written out`(_ arguments: String) throws {
    try expectDiagnostic(
      DiagnosticCase(
        "@Model(\(arguments)) final class Zone {}",
        "The kind given to '@Model' must be written out: '.embedded' or '.topLevel'."))
  }

  @Test func `an argument that may be a name or a kind is written out`() throws {
    try expectDiagnostic(
      DiagnosticCase(
        "@Model(§kind) final class Zone {}",
        "The argument of '@Model' must be written out: a plain string literal as the class name, "
          + "or the kind '.embedded' or '.topLevel'."))
  }

  @Test func `the name before a kind is a literal`() throws {
    try expectDiagnostic(
      DiagnosticCase(
        "@Model(§name, .embedded) final class Zone {}",
        "The class name given to '@Model' must be a plain string literal."))
  }
}
