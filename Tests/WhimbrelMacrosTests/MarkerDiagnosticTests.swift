import Testing

/// What is said about the attributes of properties.
struct MarkerDiagnosticTests {
  @Test(arguments: [
    DiagnosticCase.property(
      "§@Indexed var half: Int { 1 }",
      "'@Indexed' needs a stored property, and 'half' is computed.",
      fix: ("Remove '@Indexed'", "var half: Int { 1 }")),
    .property(
      "§@PrimaryKey var half: Int { get { 1 } set {} }",
      "'@PrimaryKey' needs a stored property, and 'half' is computed.",
      fix: ("Remove '@PrimaryKey'", "var half: Int { get { 1 } set {} }")),
    .property(
      "§@Renamed(from: \"third\") static var half: Int = 0",
      "'@Renamed' needs an instance property, and 'half' is a type property.",
      fix: ("Remove '@Renamed'", "static var half: Int = 0")),
    .property(
      "@Transient §@Indexed\n  var label: String = \"\"",
      "'@Indexed' and '@Transient' exclude each other: 'label' is either stored or not.",
      fix: ("Remove '@Indexed'", "@Transient var label: String = \"\"")),
  ])
  func `a marker needs a property that is stored`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: ["PrimaryKey", "Indexed", "Transient"])
  func `a marker outside of a model is an error`(_ marker: String) throws {
    let message = "'@\(marker)' can be used only in the body of a class marked '@Model'."
    for declaration in ["final class Plain", "extension Zone", "struct Plain"] {
      let source = "\(declaration) {\n  §@\(marker) var half: Int { 1 }\n}\n"
      let fixed = "\(declaration) {\n  var half: Int { 1 }\n}\n"
      try expectDiagnostic(
        DiagnosticCase(source, message, fix: ("Remove '@\(marker)'", fixed)))
    }
  }

  @Test func `a marker before a function is an error`() throws {
    // An error, but not one of the model itself: it is expanded all the same.
    let expanded = expand("@Model final class Zone {\n  @Indexed func move() {}\n}\n")
    #expect(expanded.messages == ["'@Indexed' applies only to a property."])
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "@PrimaryKey var a: Int\n  @PrimaryKey var §b: Int",
      "A class has one primary key: 'b' cannot be it, because 'a' is.",
      fix: ("Remove '@PrimaryKey'", "@PrimaryKey var a: Int\n  var b: Int")),
    .property(
      "@PrimaryKey var a: §String?",
      "The primary key 'a' cannot be optional: every object needs a value.",
      fix: ("Change the type to 'String'", "@PrimaryKey var a: String")),
  ])
  func `there is one primary key, and every object has it`(
    _ diagnosticCase: DiagnosticCase
  ) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "§@Renamed(from: []) var a: Int", "'@Renamed' of 'a' needs at least one previous name."),
    .property(
      "@Renamed(from: §name) var a: Int",
      "The previous names of 'a' must be plain string literals."),
    .property(
      #"@Renamed(from: "b", §"b\(1)") var a: Int"#,
      "The previous names of 'a' must be plain string literals."),
    .property(
      #"@Renamed(from: §"") var a: Int"#, "A previous name of 'a' must not be empty."),
    .property(
      #"@Renamed(from: §"a") var a: Int"#,
      "The property 'a' cannot be renamed from its own name."),
    .property(
      "@Renamed(from: §\"b\") var a: Int\n  var b: Int",
      "The property 'a' cannot be renamed from 'b', because the class still has a property of "
        + "that name. Set its values in the migration block instead."),
    .property(
      #"@Renamed(from: "old", §"old") var a: Int"#,
      "The previous name 'old' is given twice: 'a' already has it."),
    .property(
      "@Renamed(from: \"old\") var a: Int\n  @Renamed(from: [§\"old\"]) var b: Int",
      "The previous name 'old' is given twice: 'a' already has it."),
    .property(
      "@Renamed(from: §\"\(String(repeating: "x", count: 64))\") var a: Int",
      "The previous name '\(String(repeating: "x", count: 64))' is 64 bytes long in UTF-8, and "
        + "at most 63 are allowed."),
  ])
  func `a previous name leads to one property`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `the name of a transient property may be a previous name`() {
    let expanded = expand(
      """
      @Model final class Zone {
        @Renamed(from: "label") var comments: String
        @Transient var label: String? = nil
        var `default`: Int = 0
      }
      """)
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains(#"previousNames: ["label"]"#))
  }
}
