import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

struct LoadErrorTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
    try Data(dump(folder.path("a.whimbrel")).utf8).write(to: folder.url.appending(path: "a.jsonl"))
  }

  /// Runs 'load' and expects an error, and nothing left of the load.
  private func expectError(
    _ dump: String, _ store: String, input: String = "", _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let before = try folder.names()
    let run = try ToolRun(["load", dump, store], input: input, in: folder)
    #expect(run.exitCode == 1, sourceLocation: sourceLocation)
    #expect(run.output == "", sourceLocation: sourceLocation)
    #expect(
      run.errors == "Error: \(words[0])\nHint: \(words[1])\n", sourceLocation: sourceLocation)
    #expect(try folder.names() == before, sourceLocation: sourceLocation)
  }

  @Test func `a store that is there already is not touched`() throws {
    let before = folder.contents("a.whimbrel")
    try expectError(
      "a.jsonl", "a.whimbrel",
      "Could not load a dump into 'a.whimbrel': a file with that name already exists.",
      "Choose another name, or move the file away first.")
    #expect(folder.contents("a.whimbrel") == before)
  }

  @Test func `a dump that is missing or a folder is an error`() throws {
    let hint = "Check the path and the permissions of the file."
    try expectError(
      "b.jsonl", "b.whimbrel", "Could not read 'b.jsonl': no such file or directory.", hint
    )
    try expectError(
      ".", "b.whimbrel", "Could not read '.': it is a folder that is not a dump.",
      "Give the path of a file, or of a folder that 'whimbrel dump --folder' wrote.")
  }

  @Test func `a folder that is missing is an error`() throws {
    try expectError(
      "a.jsonl", "none/b.whimbrel",
      "Could not open the store at 'none/b.whimbrel': its folder 'none' does not exist.",
      "Create the folder first.")
  }

  /// The store did not exist, and the advice was to create it with `load`.
  @Test func `a link to a missing store is named, with its target`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.whimbrel"), withDestinationPath: "gone.whimbrel")
    try expectError(
      "a.jsonl", "link.whimbrel",
      "Could not open the store at 'link.whimbrel': it is a symbolic link to 'gone.whimbrel', and "
        + "that file does not exist.",
      "Remove the link, or create the store at the path that it leads to.")
  }

  @Test func `what is no dump is an error`() throws {
    let hint = "Check that 'whimbrel dump' wrote the file."
    try expectError(
      "-", "b.whimbrel", input: "hello\n",
      "Could not load the dump at line 1, column 1 of 'standard input': this is not valid JSON.",
      hint)
    try expectError(
      "-", "b.whimbrel", input: #"{"classes":[]}"#,
      "Could not load the dump at line 1, column 1 of 'standard input': "
        + "the first line does not begin with {\"whimbrel\":\"dump\".", hint)
    try expectError(
      "a.whimbrel", "b.whimbrel",
      "Could not load the dump at line 1, column 1 of 'a.whimbrel': this is not valid JSON.", hint)
    try expectError(
      "-", "b.whimbrel", "Could not load the dump of 'standard input': it is empty.",
      "Correct the line, or create the dump again. Nothing was changed.")
  }

  @Test func `a dump that was cut short is an error`() throws {
    let text = String(decoding: folder.contents("a.jsonl") ?? Data(), as: UTF8.self)
    let lines = text.split(separator: "\n")
    try expectError(
      "-", "b.whimbrel", input: lines.prefix(3).joined(separator: "\n"),
      "Could not load the dump of 'standard input': it has 1 of the 2 objects of class 'Zone' "
        + "that its first line announces.",
      "Create the dump again, or remove 'objects' from the first line if objects are missing "
        + "on purpose. Nothing was changed.")
    try expectError(
      "-", "b.whimbrel", input: String(text.dropLast(20)),
      "Could not load the dump at line 4, column \(lines[3].count - 18) of 'standard input': "
        + "the line ends inside a string.",
      "Correct the line, or create the dump again. Nothing was changed.")
  }

  @Test(.takesLong, arguments: ToolRun.interruptions)
  func `a load that is interrupted leaves nothing`(signal: Int32) throws {
    let before = try folder.names()
    let process = Process()
    process.executableURL = ToolRun.executable
    process.arguments = ["load", "-", "b.whimbrel"]
    process.currentDirectoryURL = folder.url
    let (input, errors) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardError = errors
    try process.run()
    let text = String(decoding: folder.contents("a.jsonl") ?? Data(), as: UTF8.self)
    let first = text.split(separator: "\n").prefix(1).joined() + "\n"
    input.fileHandleForWriting.write(Data(first.utf8))
    // It waits for more once it has begun to make the store.
    for _ in 0..<60_000 where try folder.names().count == before.count { usleep(10_000) }
    #expect(try folder.names().count > before.count)
    kill(process.processIdentifier, signal)
    for _ in 0..<60_000 where process.isRunning { usleep(10_000) }
    try #require(!process.isRunning)
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    #expect(
      String(decoding: message, as: UTF8.self) == """
        Error: Could not load a dump into 'b.whimbrel': it was cancelled.
        Hint: Start it again. Nothing was changed.

        """)
    #expect(try folder.names() == before)
  }

  // The error was 'interrupted system call', with the advice to check the path, and the exit code 1.
  @Test(arguments: [
    "load pipe b.whimbrel", "load --from csv pipe b.whimbrel --class City", "diff pipe a.whimbrel",
  ])
  func `an interrupted wait for the writer of a pipe is cancelled`(arguments: String) throws {
    #expect(unsafe mkfifo(folder.path("pipe"), 0o644) == 0)
    let result = try shell(
      "timeout --preserve-status -s INT 2 \"$whimbrel\" \(arguments)", in: folder)
    #expect(result.exitCode == 130)
    #expect(!result.output.contains("Check the path"), "\(result.output)")
  }

  @Test func `a load under nohup goes on when the terminal is closed`() throws {
    let script = """
      export whimbrel
      { until [ -e stopped ]; do sleep 0.01; done; cat a.jsonl; } |
        nohup sh -c 'touch started; exec "$whimbrel" load - b.whimbrel' &
      until [ -e started ]; do sleep 0.01; done
      sleep 0.2; kill -HUP $!; touch stopped; wait $!; echo $?
      """
    #expect(try shell(script, in: folder).output.hasSuffix("0\n"))
    #expect(folder.contents("b.whimbrel") != nil)
  }
}
