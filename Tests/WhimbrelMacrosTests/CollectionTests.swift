import Testing

/// What `@Model` makes of lists, sets and maps, and says about them.
struct CollectionTests {
  @Test(arguments: [
    "List<Zone>", "MutableSet<Int>", "Map<String, Zone?>", "Whimbrel.List<Zone>",
    "Whimbrel.Map<String, Int>",
  ])
  func `a collection starts empty and is not required`(_ type: String) {
    let expanded = expand("@Model final class Zone {\n  var a: \(type)\n  init() {}\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("    var a: \(type) = \(type)()\n"))
    #expect(expanded.source.contains("ModelProperty(\"a\", \(type).self, \\Zone.a),"))
    #expect(expanded.source.contains("try encoder.encode(values.a, at: 0)"))
    let accessors = expand("@_Persisted(0, in: \"Zone\") var a: \(type)\n").source
    #expect(accessors.contains("return \(type)._$load(&_$row, 0)"))
    #expect(accessors.contains("return _$unmanaged.a\n"))
    #expect(accessors.contains("_$unmanaged.a = _$unmanaged.a._$assigned(newValue)\n"))
  }

  @Test(arguments: ["", "public "])
  func `a collection is a parameter that is empty by default`(_ access: String) {
    let expanded = expand(
      "@Model \(access)final class Zone {\n  \(access)var a: List<Zone>\n"
        + "  \(access)var b: (Map<String, Int>)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(
      expanded.source.contains(
        "init(a: List<Zone> = List<Zone>(), b: Map<String, Int> = Map<String, Int>())"))
  }

  @Test(arguments: [
    "[]", "[:]", ".init()", "List()", "List<Zone>()", "Whimbrel.List()", "Whimbrel.List<Zone>()",
  ])
  func `an initial value that is empty is no default`(_ value: String) {
    let expanded = expand("@Model final class Zone {\n  var a: List<Zone> = \(value)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("init(a: List<Zone> = \(value))"))
    #expect(expanded.source.contains("    var a: List<Zone> = \(value)\n"))
    #expect(expanded.source.contains(#"ModelProperty("a", List<Zone>.self, \Zone.a),"#))
  }

  @Test(arguments: ["[1, 2]", "List([1])", "makeList()", "List { 1 }"])
  func `an initial value with elements is the default`(_ value: String) {
    let expanded = expand("@Model final class Zone {\n  var a: List<Int> = \(value)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains(#"("a", List<Int>.self, \Zone.a, default: {"#))
  }

  @Test(arguments: ["List", "Other.List<Zone>", "Listing<Zone>"])
  func `a type of another name is no collection`(_ type: String) {
    let expanded = expand("@Model final class Zone {\n  var a: \(type)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("init(a: \(type))"))
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "§let a: List<Zone>", "A stored property of a model must be a 'var', and 'a' is a 'let'.",
      fix: ("Replace 'let' with 'var'", "var a: List<Zone>")),
    .property(
      "var a: §List<Zone>?",
      "The property 'a' cannot be optional: a 'List' may be empty, and is never nil.",
      fix: ("Change the type to 'List<Zone>'", "var a: List<Zone>")),
    .property(
      "var a: §MutableSet<Int>? = nil",
      "The property 'a' cannot be optional: a 'MutableSet' may be empty, and is never nil.",
      fix: ("Change the type to 'MutableSet<Int>'", "var a: MutableSet<Int>")),
    .property(
      "var a: §Optional<Whimbrel.Map<String, Int>> = [:]",
      "The property 'a' cannot be optional: a 'Map' may be empty, and is never nil.",
      fix: (
        "Change the type to 'Whimbrel.Map<String, Int>'", "var a: Whimbrel.Map<String, Int> = [:]"
      )),
    .property(
      "var a: §List<Zone>!",
      "The property 'a' cannot be optional: a 'List' may be empty, and is never nil.",
      fix: ("Change the type to 'List<Zone>'", "var a: List<Zone>")),
    .property(
      "var a: §List<Zone>??",
      "The property 'a' cannot be optional: a 'List' may be empty, and is never nil.",
      fix: ("Change the type to 'List<Zone>'", "var a: List<Zone>")),
  ])
  func `a collection is a variable and never nil`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "§@PrimaryKey var a: List<Zone>",
      "The 'List' 'a' cannot be the primary key: that is one value.",
      fix: ("Remove '@PrimaryKey'", "var a: List<Zone>")),
    .property(
      "§@Indexed var a: Map<String, Int>",
      "The 'Map' 'a' cannot be indexed: an index is of single values.",
      fix: ("Remove '@Indexed'", "var a: Map<String, Int>")),
  ])
  func `a collection is neither a key nor indexed`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `a collection as it is written for other databases is told of both changes`() {
    let expanded = expand("@Model final class Zone {\n  let a = List<Zone>()\n}\n")
    #expect(
      expanded.messages == [
        "A stored property of a model must be a 'var', and 'a' is a 'let'.",
        "The property 'a' needs a type annotation: '@Model' cannot see the type of its default "
          + "value.",
      ])
  }

  @Test func `a collection may have had other names`() {
    let expanded = expand(
      "@Model final class Zone {\n  @Renamed(from: \"b\") var a: List<Zone>\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains(#"\Zone.a, previousNames: ["b"])"#))
  }
}
