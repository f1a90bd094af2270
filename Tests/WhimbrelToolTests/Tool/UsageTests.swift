import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct UsageTests {
  let folder: TestFolder

  init() throws { folder = try TestFolder() }

  @Test func `the version is that of the library`() throws {
    let run = try ToolRun(["--version"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == "whimbrel \(StoreInspector.libraryVersion)\n")
  }

  private static let mistakes: [(arguments: [String], message: String, hint: String)] = [
    (["ifno", "a"], "There is no verb 'ifno'.", "Did you mean 'info'? 'whimbrel --help' lists"),
    (["wxyz"], "There is no verb 'wxyz'.", "'whimbrel --help' lists all verbs."),
    (["\u{1B}[31m"], #"There is no verb '\u{1B}[31m'."#, "'whimbrel --help' lists all verbs."),
    (["info"], "Missing expected argument '<store>'.", "See 'whimbrel info --help'"),
    (["info", "a", "b"], "Unexpected argument 'b'.", "See 'whimbrel info --help'"),
    (["info", "a", "--yaml"], "Unknown option '--yaml'.", "See 'whimbrel info --help'"),
    (["info", "a", "--jsno"], "Unknown option '--jsno'.", "Did you mean '--json'? See 'whimbrel"),
    (["load", "a"], "Missing expected argument '<store>'.", "See 'whimbrel load --help'"),
    // The next argument was the value: the query had another argument, and its answer was a table.
    (
      ["query", "a", "Zone", "city == $0", "--arg=", "--count"],
      "'--arg=' has no value.",
      "Write an empty value as an argument of its own: --arg ''."
    ),
    (
      ["set", "a", "Zone", "--where=", "latitude=1", "area=north"],
      "'--where=' has no value.", "Write an empty value as an argument of its own"
    ),
    // The argument parser takes a negative key for an option.
    (
      ["show", "a", "Region", "-8"], "Missing expected argument '<object> ...'.",
      "Write '--' before '-8', and options before '--'. See 'whimbrel show --help'"
    ),
    (
      ["set", "a", "Region", "-8", "name=x"],
      "Name an object and give it a value, such as 'latitude=48.87'.",
      "Write '--' before '-8', and options before '--'. See 'whimbrel set --help'"
    ),
    (
      ["rm", "a", "Region", "--write", "-8"],
      "Name the objects to remove, or use '--where' with a query.",
      "Write '--' before '-8', and options before '--'. See 'whimbrel rm --help'"
    ),
    (
      ["show", "a", "Region", "8", "--depth", "-1"], "Missing value for '--depth <number>'.",
      "See 'whimbrel show --help'"
    ),
    (
      ["schema", "a", "b", "--swift"], "Two schemas are compared as text, or with '--json'.",
      "See 'whimbrel schema --help'"
    ),
    (
      ["schema", "-", "-"], "Only one of the two can be standard input.",
      "See 'whimbrel schema --help'"
    ),
    (
      ["completions", "csh"],
      "The value 'csh' is invalid for '<shell>'. Please provide one of 'bash', 'zsh' or 'fish'.",
      "See 'whimbrel completions --help'"
    ),
  ]

  @Test(arguments: mistakes)
  func `wrong usage has its own exit code, and a hint`(
    arguments: [String], message: String, hint: String
  ) throws {
    let run = try ToolRun(arguments, in: folder)
    #expect(run.exitCode == 64)
    #expect(run.output == "")
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.first == "Error: \(message)")
    #expect(lines.dropFirst().first?.hasPrefix("Hint: \(hint)") == true, "\(run.errors)")
    // Of a verb that there is not, nobody knows the usage.
    if lines.count > 2 { #expect(lines[2].hasPrefix("Usage: whimbrel \(arguments[0]) ")) }
  }

  // The argument parser stopped the program, because its help needs 27 columns.
  @Test(arguments: ["26", "1", "0", "-5"], ["help ls", "--help", "ls"])
  func `help and usage fit into a narrow terminal`(columns: String, arguments: String) throws {
    let run = try shell("COLUMNS=\(columns) \"$whimbrel\" \(arguments)", in: folder)
    #expect(run.exitCode == (arguments == "ls" ? 64 : 0))
    #expect(run.output.contains(arguments == "ls" ? "Usage: whimbrel ls" : "OVERVIEW: "))
  }

  // The bytes that are not UTF-8 were stored as U+FFFD, and a file with such a name was reported as missing.
  @Test(arguments: [
    (#""$whimbrel" info "$(printf 'caf\351.whimbrel')""#, Int32(64)),
    (#""$whimbrel" set a.whimbrel Country AD name="$(printf 'caf\351')" --write"#, 64),
    (#"printf '{"name":"caf\351"}' | "$whimbrel" set a.whimbrel Country AD - --write"#, 1),
    (#"printf '{"code":"X","name":"caf\351"}' | "$whimbrel" add a.whimbrel Country - --write"#, 1),
  ])
  func `text that is not UTF-8 is refused`(script: String, exitCode: Int32) throws {
    try folder.copySampleStore("Zones.v4", as: "a.whimbrel")
    let store = folder.contents("a.whimbrel")
    let run = try shell(script, in: folder)
    #expect(run.exitCode == exitCode)
    #expect(run.output.contains("is not valid UTF-8"))
    #expect(folder.contents("a.whimbrel") == store)
  }

  @Test func `no arguments show the help`() throws {
    let run = try ToolRun([], in: folder)
    let help = try ToolRun(["--help"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.output == help.output)
  }

  // Writing to standard error ended the process with a signal, in `load` before the store was made.
  @Test(arguments: [
    ("load --from csv a.csv a.whimbrel --class City", 0), ("info missing", 1), ("ifno", 64),
    ("anonymize zones.whimbrel b.whimbrel --random-key", 0),
  ])
  func `a verb works without standard error`(arguments: String, exitCode: Int32) throws {
    try Sample.make(at: folder.path("zones.whimbrel"))
    try Data("id,name\n1,Bern\n".utf8).write(to: folder.url.appending(path: "a.csv"))
    let result = try shell("\"$whimbrel\" \(arguments) 2>&-", in: folder)
    #expect(result.exitCode == exitCode)
  }

  // The damaged store took the descriptor of standard output, where the table was then printed.
  @Test(arguments: [">&-", "<&- >&-", "<&- >&- 2>&-"])
  func `salvage works without standard streams`(streams: String) throws {
    try Sample.make(at: folder.path("zones.whimbrel"))
    let store = folder.contents("zones.whimbrel")
    let result = try shell("\"$whimbrel\" salvage zones.whimbrel b.whimbrel \(streams)", in: folder)
    #expect(result.exitCode == 0)
    #expect(folder.contents("zones.whimbrel") == store)
    #expect(try ToolRun(["check", "b.whimbrel"], in: folder).exitCode == 0)
  }

  // The library opened '/dev/null' as the descriptor of standard output. The output was lost, and the
  // exit code was that of success.
  @Test(arguments: ["info zones.whimbrel", "dump zones.whimbrel", "ls zones.whimbrel --json"])
  func `a verb whose output is all it makes fails if standard output is closed`(
    arguments: String
  ) throws {
    try Sample.make(at: folder.path("zones.whimbrel"))
    let result = try shell("\"$whimbrel\" \(arguments) 2>&1 >&-", in: folder)
    #expect(result.exitCode == 1)
    #expect(
      result.output == """
        Error: Could not write to 'standard output': bad file descriptor.
        Hint: It is closed. Redirect it to a file, or to '/dev/null' if you do not need it.

        """)
  }

  @Test(arguments: [
    "compact zones.whimbrel b.whimbrel", "check zones.whimbrel",
    "diff zones.whimbrel zones.whimbrel", "prune zones.whimbrel b.whimbrel",
    "rm zones.whimbrel Zone Europe/Andorra --write",
  ])
  func `a verb that makes a file or gives an answer does so if standard output is closed`(
    arguments: String
  ) throws {
    try Sample.make(at: folder.path("zones.whimbrel"))
    let result = try shell("\"$whimbrel\" \(arguments) 2>&1 >&-", in: folder)
    #expect(result.exitCode == 0)
    #expect(result.output == "")
  }

  @Test(arguments: [
    "add zones.whimbrel Zone -", "set zones.whimbrel Zone Europe/Paris -",
    "migrate zones.whimbrel -", "plan zones.whimbrel -", "schema -", "load - b.whimbrel",
  ])
  func `an error says that standard input cannot be read`(arguments: String) throws {
    try Sample.make(at: folder.path("zones.whimbrel"))
    let result = try shell("\"$whimbrel\" \(arguments) 2>&1 <&-", in: folder)
    #expect(result.exitCode == (arguments.hasPrefix("plan") ? 2 : 1))
    let error = "Error: Could not read 'standard input': bad file descriptor.\nHint: "
    #expect(result.output.hasPrefix(error))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell completes verbs`(name: String) throws {
    let run = try ToolRun(["completions", name], in: folder)
    #expect(run.exitCode == 0 && run.errors == "")
    for verb in ToolVerbs.all { #expect(run.output.contains(verb)) }
  }

  @Test func `the script for bash has no mistake of syntax`() throws {
    let result = try shell(
      "command -v bash > no && \"$whimbrel\" completions bash > a.bash && bash -n a.bash",
      in: folder)
    #expect(result.output == "")
  }

  @Test(arguments: [
    ("ls", "zones.whimbrel"), ("show", "zones.whimbrel"), ("query", "zones.whimbrel"),
    ("dump", "zones.whimbrel"), ("add", "zones.whimbrel"),
    // Shells pass the words as they were typed, so these stores were not found.
    ("ls", #"my\ zones.whimbrel"#), ("ls", #""my zones.whimbrel""#), ("ls", "~/zones.whimbrel"),
  ])
  func `bash completes the classes of the store that was named`(verb: String, path: String) throws {
    let folder = try TestFolder()
    for name in ["zones.whimbrel", "my zones.whimbrel"] { try Sample.make(at: folder.path(name)) }
    let script = """
      "$whimbrel" completions bash > completions.bash
      source ./completions.bash
      PATH=$(dirname "$whimbrel"):$PATH
      export HOME=$PWD
      COMP_WORDS=(whimbrel \(verb) '\(path)' '') COMP_CWORD=3
      COMP_LINE='whimbrel \(verb) \(path) ' COMP_POINT=${#COMP_LINE}
      _whimbrel
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try Data(script.utf8).write(to: URL(filePath: folder.path("complete.bash")))
    let result = try shell("bash complete.bash", in: folder)
    #expect(result.output.split(separator: "\n").sorted() == ["Country", "Zone"])
  }

  @Test func `bash does not run the commands in the name of a class`() throws {
    let folder = try TestFolder()
    let names = ["$(touch made)", "`touch made`", "it's \"odd\\\": $HOME", "a*", "~"]
    let classes = names.map {
      ClassSchema(name: $0, properties: [PropertySchema(name: "number", type: .int)])
    }
    try makeStore(at: folder.path("a.whimbrel"), classes) { _ in }
    let script = """
      "$whimbrel" completions bash > completions.bash
      source ./completions.bash
      PATH=$(dirname "$whimbrel"):$PATH
      COMP_WORDS=(whimbrel ls a.whimbrel '') COMP_CWORD=3
      COMP_LINE='whimbrel ls a.whimbrel ' COMP_POINT=${#COMP_LINE}
      _whimbrel
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    try Data(script.utf8).write(to: URL(filePath: folder.path("complete.bash")))
    let result = try shell("bash complete.bash", in: folder)
    #expect(result.output.split(separator: "\n").map(String.init).sorted() == names.sorted())
    #expect(try !folder.names().contains("made"))
  }

  @Test func `zsh completes class names with a colon or a backslash as they are`() throws {
    let folder = try TestFolder()
    let names = ["a:b", "a:c", #"d\:e"#, "plain"]
    let classes = names.map {
      ClassSchema(name: $0, properties: [PropertySchema(name: "number", type: .int)])
    }
    try makeStore(at: folder.path("a.whimbrel"), classes) { _ in }
    let result = try shell(
      #"SAP_SHELL=zsh "$whimbrel" ---completion ls -- positional@1 3 0 whimbrel ls a.whimbrel ''"#,
      in: folder)
    // '_describe' takes a backslash for an escape, and what follows a colon for a description. A line
    // with a space ends the answer for zsh.
    #expect(
      result.output.split(separator: "\n").map(String.init).sorted()
        == [" ", #"a\:b"#, #"a\:c"#, #"d\\\:e"#, "plain"])
  }
}
