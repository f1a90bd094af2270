import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// Names that begin with what joins the character before them: an accent, or a joiner. To Swift `<`
/// and a joiner are one character, so a store with a link to such a class could not be opened.
struct JoiningNameTests {
  let folder: TestFolder

  private static let accent = "\u{301}class"
  private static let joiner = "\u{200D}prop\u{200D}"

  init() throws {
    folder = try TestFolder()
    let schema = ClassSchema(
      name: Self.accent,
      properties: [
        PropertySchema(name: Self.joiner, type: .string, isPrimaryKey: true),
        PropertySchema(name: "\u{308}link", type: .link(to: Self.accent)),
        PropertySchema(name: "list", type: .list(of: ElementType(.link(to: Self.accent)))),
        PropertySchema(name: "bag", type: .set(of: ElementType(.link(to: Self.accent)))),
        PropertySchema(name: "map", type: .map(of: ElementType(.link(to: Self.accent)))),
        PropertySchema(name: "\"\u{301}", type: .int, isOptional: true),
      ])
    try makeStore(at: folder.path("a.whimbrel"), [schema]) { session in
      let table = try session.table(Self.accent)
      let id = try table.create([Self.joiner: "\u{301}k"], replacing: false)
      try table.update(id) { encoder in try encoder.set(1, .link(id)) }
    }
  }

  @Test(arguments: ["\u{301}c", "\u{200D}", "a>", "?", "x>?", "]", "string: x", "日本"])
  func `types are read as they are written`(name: String) throws {
    let link = PropertyType.link(to: name)
    for type: PropertyType in [
      link, .list(of: ElementType(link)), .set(of: ElementType(link)), .map(of: ElementType(link)),
      .list(of: ElementType(.int, isOptional: true)),
    ] {
      #expect(PropertyType(type.description) == type)
    }
  }

  @Test(arguments: [
    "", "<", "<>", "[]", "{}", "[string: ]", "[int", "int?", "[[int]]", "<\u{338}>",
  ])
  func `other texts are no types`(text: String) {
    #expect(PropertyType(text).map(\.description) == (text == "<\u{338}>" ? text : nil))
  }

  @Test func `the tool reads and writes names that begin with a joining mark`() throws {
    try expectRoundTrip(of: folder.path("a.whimbrel"), in: folder)
    let schema = try folder.run("schema", "a.whimbrel", "--json")
    try Data(schema.utf8).write(to: folder.url.appending(path: "schema.json"))
    #expect(try folder.run("schema", "schema.json", "--json") == schema)
    let quoted = "'\(Self.accent)'"
    for selection in [
      Self.accent, quoted, "\(quoted) where `\(Self.joiner)` == '\u{301}k'",
      "\(Self.accent) where `\u{308}link`.`\(Self.joiner)` BEGINSWITH '\u{301}'",
    ] {
      #expect(try folder.run("query", "a.whimbrel", selection, "--count") == "1\n", "\(selection)")
    }
    #expect(
      try folder.run(
        "ls", "a.whimbrel", Self.accent, "--json", "--columns", "`\u{308}link`, `\(Self.joiner)`"
      )
      .contains("\u{301}k"))
    _ = try folder.run("show", "a.whimbrel", Self.accent, "\u{301}k")
    _ = try folder.run(
      "set", "a.whimbrel", Self.accent, "\u{301}k", "\"\u{301}=5", "\u{308}link=\u{301}k", "--write"
    )
    #expect(try folder.run("ls", "a.whimbrel", Self.accent, "--csv").contains(",5"))
    #expect(
      try folder.run("diff", "a.whimbrel", "a.whimbrel", "--ignore", "\(quoted).'\(Self.joiner)'")
        == "")
    _ = try folder.run("export", "a.whimbrel", "--sqlite", "a.db")
    let text = try folder.run("dump", "a.whimbrel")
    try Data(text.utf8).write(to: folder.url.appending(path: "a.jsonl"))
    _ = try folder.run("load", "a.jsonl", "b.whimbrel")
    #expect(try folder.run("dump", "b.whimbrel") == text)
    #expect(try folder.run("dump", "a.whimbrel", "--csv", Self.accent).contains("\u{301}k"))
  }

  @Test func `two names are told apart by their sign`() {
    #expect(QualifiedName("A.\u{301}b")?.second == "\u{301}b")
    #expect(QualifiedName("'a\u{301}'.\u{301}b")?.first == "a\u{301}")
    #expect(QualifiedName("'\u{301}a'.b")?.first == "\u{301}a")
    #expect(QualifiedName("\u{301}a.x.b", among: ["\u{301}a.x"])?.second == "b")
  }
}
