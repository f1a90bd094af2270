import Testing

/// What `@Model` makes of `@Index` and of the kinds of `@Indexed`.
struct IndexTests {
  @Test func `indexes are in the schema`() {
    let expanded = expand(
      """
      @Model
      @Index([\\.country, \\.identifier])
      @Whimbrel.Index([\\.latitude, \\.`default`], .unique)
      @Index([\\.country], IndexKind.unique)
      final class Zone {
        @Indexed(.unique) var identifier: String
        @Indexed @Indexed(.fullText) var comments: String
        @Indexed(.ordered) var area: String?
        var country: Country?
        var latitude: Double
        var `default`: Int
      }
      """)
    #expect(expanded.messages.isEmpty)
    #expect(
      expanded.source.contains(
        """
        ], indexes: [
            Whimbrel.IndexSchema(["identifier"], .unique),
            Whimbrel.IndexSchema(["comments"], .fullText),
            Whimbrel.IndexSchema(["country", "identifier"]),
            Whimbrel.IndexSchema(["latitude", "default"], .unique),
            Whimbrel.IndexSchema(["country"], .unique),
          ])
        """))
    #expect(expanded.source.contains(#"set: { $0.comments = $1 }, isIndexed: true)"#))
    #expect(expanded.source.contains(#"set: { $0.area = $1 }, isIndexed: true)"#))
    #expect(expanded.source.contains(#"set: { $0.identifier = $1 }),"#))
    #expect(!expanded.source.contains("@Index"))
  }

  @Test func `an index of another module is left alone`() {
    let expanded = expand("@Model @Other.Index([\\.a]) final class Zone {\n  var a: Int\n}\n")
    #expect(expanded.messages.isEmpty)
    #expect(!expanded.source.contains("IndexSchema"))
  }

  private static func zone(_ attribute: String) -> String {
    """
    @Model @Index(\(attribute)) final class Zone {
      var country: String
      var name: String
      var names: StoredList<String>
      @Transient var label: String? = nil
    }
    """
  }

  @Test(arguments: [
    (
      #"§all"#,
      "'@Index' needs the key paths of properties, written out like '[\\.country, \\.name]'."
    ),
    (
      #"§[]"#,
      "'@Index' needs the key paths of properties, written out like '[\\.country, \\.name]'."
    ),
    (
      #"[\.country, §\Zone.name]"#,
      "'@Index' needs the key paths of properties, written out like '[\\.country, \\.name]'."
    ),
    (
      #"[\.country, §\.name.count]"#,
      "'@Index' needs the key paths of properties, written out like '[\\.country, \\.name]'."
    ),
    (
      #"[\.country, §\.xyzzy]"#, "'@Index' names 'xyzzy', which is not a stored property of 'Zone'."
    ),
    (
      #"[\.country, §\.label]"#, "'@Index' names 'label', which is not a stored property of 'Zone'."
    ),
    (#"[\.country, §\.country]"#, "'@Index' names 'country' twice."),
    (
      #"[\.country, §\.names]"#,
      "The 'StoredList' 'names' cannot be indexed: an index holds single values."
    ),
    (
      #"§[\.country]"#,
      "'@Index' is for several properties: put '@Indexed' before 'country' instead."
    ),
    (
      #"[\.country, \.name], §.fullText"#,
      "A full-text index has one property: put '@Indexed(.fullText)' before it instead."
    ),
    (
      #"[\.country, \.name], §kind"#,
      "The kind of an index of 'Zone' must be written out: '.ordered', '.unique' or '.fullText'."
    ),
  ])
  func `an index is of stored properties, written out`(
    attribute: String, message: String
  ) throws {
    try expectDiagnostic(DiagnosticCase(Self.zone(attribute), message))
  }

  @Test func `a name that is nearly one is put right`() throws {
    try expectDiagnostic(
      DiagnosticCase(
        Self.zone(#"[§\.contry, \.name]"#),
        "'@Index' names 'contry', which is not a stored property of 'Zone'. Did you mean 'country'?",
        fix: (#"Change the key path to '\.country'"#, Self.zone(#"[\.country, \.name]"#))))
  }

  @Test func `an index has eight properties at most`() throws {
    let properties = (0..<9).map { "  var p\($0): Int\n" }.joined()
    let names = (0..<9).map { "\\.p\($0)" }.joined(separator: ", ")
    try expectDiagnostic(
      DiagnosticCase(
        "@Model @Index(§[\(names)]) final class Zone {\n\(properties)}\n",
        "'@Index' names 9 properties, and at most 8 are allowed."))
  }

  @Test func `the kind of an index is written out, and there is one of each`() throws {
    try expectDiagnostic(
      .property(
        "@Indexed(§kind) var a: String",
        "The kind of an index of 'a' must be written out: '.ordered', '.unique' or '.fullText'."))
    try expectDiagnostic(
      .property(
        "@Indexed §@Indexed(.ordered) var a: String",
        "The property 'a' has two indexes of the kind '.ordered'.",
        fix: ("Remove '@Indexed'", "@Indexed var a: String")))
  }

  @Test func `an index outside of a model is an error`() throws {
    try expectDiagnostic(
      DiagnosticCase(
        "§@Index([\\.a, \\.b]) final class Zone {}",
        "'@Index' can be used only before a class marked '@Model'.",
        fix: ("Remove '@Index'", "final class Zone {}")))
  }
}
