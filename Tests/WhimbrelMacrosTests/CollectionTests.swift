import Testing

/// What `@Model` makes of lists, sets and maps, and says about them.
struct CollectionTests {
  @Test(arguments: [
    "StoredList<Zone>", "StoredSet<Int>", "StoredMap<String, Zone?>", "Whimbrel.StoredList<Zone>",
    "Whimbrel.StoredMap<String, Int>",
  ])
  func `a collection starts empty and is not required`(_ type: String) {
    let expanded = expand("@Model final class Zone {\n  var a: \(type)\n  init() {}\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("    var a: \(type) = \(type)()\n"))
    #expect(
      expanded.source.contains(
        "ModelProperty(\"a\", \(type).self, \\Zone.a, set: { $0.a = $1 }),"))
    #expect(expanded.source.contains("try encoder.encode(values.a, at: 0)"))
    let accessors = expand("@_Persisted(0, in: \"Zone\") var a: \(type)\n").source
    #expect(accessors.contains("return \(type)._$load(&_$row, 0)"))
    #expect(accessors.contains("return _$unmanaged.a\n"))
    #expect(accessors.contains("_$unmanaged.a = _$unmanaged.a._$assigned(newValue)\n"))
  }

  @Test(arguments: ["", "public "])
  func `a collection is a parameter that is empty by default`(_ access: String) {
    let expanded = expand(
      "@Model \(access)final class Zone {\n  \(access)var a: StoredList<Zone>\n"
        + "  \(access)var b: (StoredMap<String, Int>)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(
      expanded.source.contains(
        "init(a: StoredList<Zone> = StoredList<Zone>(), b: StoredMap<String, Int> = StoredMap<String, Int>())"
      ))
  }

  @Test(arguments: [
    "[]", "[:]", ".init()", "StoredList()", "StoredList<Zone>()", "Whimbrel.StoredList()",
    "Whimbrel.StoredList<Zone>()",
  ])
  func `an initial value that is empty is no default`(_ value: String) {
    let expanded = expand("@Model final class Zone {\n  var a: StoredList<Zone> = \(value)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("init(a: StoredList<Zone> = \(value))"))
    #expect(expanded.source.contains("    var a: StoredList<Zone> = \(value)\n"))
    #expect(
      expanded.source.contains(
        #"ModelProperty("a", StoredList<Zone>.self, \Zone.a, set: { $0.a = $1 }),"#))
  }

  @Test(arguments: ["[1, 2]", "StoredList([1])", "makeList()", "StoredList { 1 }"])
  func `an initial value with elements is the default`(_ value: String) {
    let expanded = expand("@Model final class Zone {\n  var a: StoredList<Int> = \(value)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(
      expanded.source.contains(
        #"("a", StoredList<Int>.self, \Zone.a, set: { $0.a = $1 }, default: {"#))
  }

  @Test(arguments: [
    ("List<Zone>", "StoredList<Zone>"), ("MutableSet<Int>", "StoredSet<Int>"),
    ("Map<String, Zone?>", "StoredMap<String, Zone?>"),
    ("List<Zone>?", "StoredList<Zone>"),
  ])
  func `a collection spelled as in Realm is told of its counterpart`(
    _ type: String, _ counterpart: String
  ) throws {
    try expectDiagnostic(
      .property(
        "var a: §\(type)",
        "'\(type)' is not a collection of Whimbrel: write '\(counterpart)'. For a type of "
          + "your own, write its module name before it.",
        isWarning: true,
        fix: ("Change the type to '\(counterpart)'", "var a: \(counterpart)")))
  }

  @Test func `a collection of Realm cannot be stored`() throws {
    try expectDiagnostic(
      .property(
        "var a: §RealmSwift.List<Int?>",
        "The property 'a' cannot be stored: the type 'RealmSwift.List<Int?>' is not Persistable. "
          + "Write 'StoredList<Int?>'.",
        fix: ("Change the type to 'StoredList<Int?>'", "var a: StoredList<Int?>")))
  }

  @Test(arguments: [
    "StoredList", "Other.StoredList<Zone>", "Listing<Zone>", "List", "App.List<Zone>", "Map<Zone>",
    "List<Int, Int>",
  ])
  func `a type of another name is no collection`(_ type: String) {
    let expanded = expand("@Model final class Zone {\n  var a: \(type)\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains("init(a: \(type))"))
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "§let a: StoredList<Zone>",
      "A stored property of a model must be a 'var', and 'a' is a 'let'.",
      fix: ("Replace 'let' with 'var'", "var a: StoredList<Zone>")),
    .property(
      "var a: §StoredList<Zone>?",
      "The property 'a' cannot be optional: a 'StoredList' may be empty, and is never nil.",
      fix: ("Change the type to 'StoredList<Zone>'", "var a: StoredList<Zone>")),
    .property(
      "var a: §StoredSet<Int>? = nil",
      "The property 'a' cannot be optional: a 'StoredSet' may be empty, and is never nil.",
      fix: ("Change the type to 'StoredSet<Int>'", "var a: StoredSet<Int>")),
    .property(
      "var a: §Optional<Whimbrel.StoredMap<String, Int>> = [:]",
      "The property 'a' cannot be optional: a 'StoredMap' may be empty, and is never nil.",
      fix: (
        "Change the type to 'Whimbrel.StoredMap<String, Int>'",
        "var a: Whimbrel.StoredMap<String, Int> = [:]"
      )),
    .property(
      "var a: §StoredList<Zone>!",
      "The property 'a' cannot be optional: a 'StoredList' may be empty, and is never nil.",
      fix: ("Change the type to 'StoredList<Zone>'", "var a: StoredList<Zone>")),
    .property(
      "var a: §StoredList<Zone>??",
      "The property 'a' cannot be optional: a 'StoredList' may be empty, and is never nil.",
      fix: ("Change the type to 'StoredList<Zone>'", "var a: StoredList<Zone>")),
  ])
  func `a collection is a variable and never nil`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test(arguments: [
    DiagnosticCase.property(
      "§@PrimaryKey var a: StoredList<Zone>",
      "The 'StoredList' 'a' cannot be the primary key: that is a single value.",
      fix: ("Remove '@PrimaryKey'", "var a: StoredList<Zone>")),
    .property(
      "§@Indexed var a: StoredMap<String, Int>",
      "The 'StoredMap' 'a' cannot be indexed: an index holds single values.",
      fix: ("Remove '@Indexed'", "var a: StoredMap<String, Int>")),
  ])
  func `a collection is neither a key nor indexed`(_ diagnosticCase: DiagnosticCase) throws {
    try expectDiagnostic(diagnosticCase)
  }

  @Test func `a collection as it is written for other databases is told of the change`() {
    let expanded = expand("@Model final class Zone {\n  let a = StoredList<Zone>()\n}\n")
    #expect(
      expanded.messages == ["A stored property of a model must be a 'var', and 'a' is a 'let'."])
  }

  @Test func `a collection may have had other names`() {
    let expanded = expand(
      "@Model final class Zone {\n  @Renamed(from: \"b\") var a: StoredList<Zone>\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(expanded.source.contains(#"set: { $0.a = $1 }, previousNames: ["b"])"#))
  }
}
