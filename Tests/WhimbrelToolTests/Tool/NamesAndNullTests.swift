import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

/// `set … name=null` wrote the text "null" where there has to be one, and `'#2'` was the object with ID
/// 2 although another had the key `#2`.
struct NamesAndNullTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func run(_ arguments: String..., exitCode: Int32 = 0) throws -> ToolRun {
    let run = try ToolRun(arguments, in: folder)
    #expect(run.exitCode == exitCode, "\(run.errors)")
    return run
  }

  @Test func `null for a required text is an error that says how to write the word`() throws {
    let before = try dump(folder.path("a.whimbrel"))
    let refused = try run("set", "a.whimbrel", "Country", "AD", "name=null", "--write", exitCode: 1)
    #expect(
      refused.errors == """
        Error: Could not understand 'name=null': 'Country.name' is required and cannot be nil.
        Hint: To set the text, write it in double quotes: 'name="null"'.

        """)
    #expect(try dump(folder.path("a.whimbrel")) == before)
    _ = try run("set", "a.whimbrel", "Country", "AD", #"name="null""#, "--write")
    #expect(try dump(folder.path("a.whimbrel")).contains(#""name":"null""#))
    let number = try run(
      "set", "a.whimbrel", "Zone", "Asia/Kathmandu", "latitude=null", exitCode: 1)
    #expect(number.errors.contains("'Zone.latitude' is required and cannot be nil"))
    let link = try run("set", "a.whimbrel", "Zone", "Europe/Andorra", "country=null")
    #expect(link.output.contains("nil") || link.output.contains("null"))
  }

  @Test func `a text in double quotes is what JSON makes of it, and any other is itself`() throws {
    for (text, stored) in [
      (#""null""#, #""null""#), (#""a \"b\"""#, #""a \"b\"""#),
      (#"say "hello""#, #""say \"hello\"""#),
      ("\"", #""\"""#), (#""""#, #""""#), (#""id:1""#, #""id:1""#),
    ] {
      _ = try run("set", "a.whimbrel", "Country", "AD", "name=\(text)", "--write")
      #expect(try dump(folder.path("a.whimbrel")).contains(#""name":\#(stored)"#), "\(text)")
    }
    let bad = try run("set", "a.whimbrel", "Country", "AD", #"name="a" and "b""#, exitCode: 1)
    #expect(bad.errors.contains("is in double quotes but is not a JSON string"))
  }

  @Test func `keys come before object IDs, which are written as id and a number`() throws {
    for code in ["#2", "id:1", "null", "2"] {
      _ = try run("add", "a.whimbrel", "Country", "code=\"\(code)\"", "name=key \(code)", "--write")
    }
    for code in ["#2", "id:1", "null", "2"] {
      #expect(try run("show", "a.whimbrel", "Country", code).output.contains("key \(code)"))
    }
    // No key is this, so it is the object ID of what was added first.
    #expect(try run("show", "a.whimbrel", "Country", "id:2").output.contains("key #2"))
    let missing = try run("show", "a.whimbrel", "Country", "#17", exitCode: 1)
    #expect(
      missing.errors == """
        Error: Could not find the object '#17' of class 'Country': no object has this primary key, 'code'.
        Hint: List the objects with 'whimbrel ls'. Name an object by its primary key, or by its object ID, such as 'id:17'.

        """)
    _ = try run("set", "a.whimbrel", "Zone", "Europe/Andorra", "country=#2", "--write")
    #expect(try dump(folder.path("a.whimbrel")).contains(##""country":{"key":"#2"}"##))
    _ = try run("set", "a.whimbrel", "Zone", "Europe/Andorra", #"country="null""#, "--write")
    #expect(try dump(folder.path("a.whimbrel")).contains(#""country":{"key":"null"}"#))
  }

  @Test func `help with a verb that there is not is trouble`() throws {
    let help = try run("help", "bogus", exitCode: 2)
    #expect(help.output == "")
    #expect(help.errors.hasPrefix("Error: There is no verb 'bogus'.\nHint: "))
    let close = try run("help", "lss", exitCode: 2)
    #expect(close.errors.contains("Did you mean 'ls'?"))
    _ = try run("help")
    _ = try run("help", "ls")
  }

  @Test func `the library's advice about code is another one in the tool`() throws {
    let missing = try run("dump", "b.whimbrel", exitCode: 1)
    #expect(
      missing.errors == """
        Error: Could not open the store at 'b.whimbrel': the file does not exist.
        Hint: Check the path. 'whimbrel load' creates a store from a dump.

        """)
    let twice = try run("add", "a.whimbrel", "Country", "code=AD", "name=x", exitCode: 1)
    #expect(!twice.errors.contains("update: ."))
    #expect(twice.errors.contains("'whimbrel set'"))
    let lines = try ToolRun(
      ["add", "a.whimbrel", "Country", "-"], input: #"{"code":"AD","name":"x"}"#, in: folder)
    #expect(!lines.errors.contains("update: ."))
    #expect(lines.errors.contains("'whimbrel set'"))
    let schema = try run(
      "load", "--from", "csv", "a.csv", "c.whimbrel", "--class", "A", "--schema", "no.json",
      exitCode: 1)
    #expect(
      schema.errors == """
        Error: Could not read the schema 'no.json': the file does not exist.
        Hint: Give a store, or a file that 'whimbrel schema --json' wrote.

        """)
    let spaced = try run("query", "a.whimbrel", "Zone area == 'asia'", exitCode: 1)
    #expect(spaced.errors.contains("'where' must follow the class"))
    let fixed = try run("set", "a.whimbrel", "Country", "AD", "code=FR", exitCode: 1)
    #expect(fixed.errors.contains("'whimbrel add'"))
  }

  @Test func `damage names check and salvage, and says in words what it is`() throws {
    var data = try #require(folder.contents("a.whimbrel"))
    for page in 2..<data.count / 4_096 { data[page * 4_096 + 4_000] ^= 0xFF }
    for page in 2..<data.count / 4_096 { data[page * 4_096 + 16] ^= 0x10 }
    try data.write(to: folder.url.appending(path: "my store.whimbrel"))
    let run = try run("dump", "my store.whimbrel", exitCode: 1)
    #expect(
      run.errors.contains(
        #"Hint: 'whimbrel check "my store.whimbrel"' lists the damage. "#
          + #"'whimbrel salvage "my store.whimbrel" saved.whimbrel' copies"#), "\(run.errors)")
    // No Swift value as `nodeFlags(node: 5, 22331)`.
    #expect(run.errors.firstMatch(of: #/[a-z]\([a-z]+: /#) == nil, "\(run.errors)")
  }
}
