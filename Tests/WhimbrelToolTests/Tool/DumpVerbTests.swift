import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport

struct DumpVerbTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  private func run(_ arguments: String..., exitCode: Int32 = 0) throws -> ToolRun {
    let run = try ToolRun(["dump", "a.whimbrel"] + arguments, in: folder)
    #expect(run.exitCode == exitCode, "\(run.errors)")
    return run
  }

  @Test func `a selection is dumped with what it links to`() throws {
    let run = try run("Zone where latitude > 30", "--follow")
    #expect(run.errors == "")
    #expect(
      run.output.split(separator: "\n").dropFirst() == [
        #"{"class":"Country","id":1,"values":{"code":"AD","name":"Andorra"}}"#,
        #"{"class":"Zone","id":1,"values":{"identifier":"Europe/Andorra","latitude":42.5,"country":{"key":"AD"},"area":"europe","comments":""}}"#,
      ])
  }

  // The help searched for '"class":"Zone"', which the first line of a dump contains, too.
  @Test func `the search in the help finds the objects of a class, and nothing else`() throws {
    let help = try ToolRun(["--help"], in: folder)
    #expect(help.output.contains(#"whimbrel dump zones.whimbrel | grep '^{"class":"Zone"'"#))
    let lines = try run().output.split(separator: "\n")
    let found = lines.filter { $0.hasPrefix(#"{"class":"Zone""#) }
    #expect(try found.count == run("Zone").output.split(separator: "\n").count - 1)
    #expect(found.allSatisfy { $0.contains(#""values":"#) })
  }

  @Test func `a link that leads out is an error when that is wanted`() throws {
    let run = try run("Zone", "--strict", "-o", "b.jsonl", exitCode: 1)
    #expect(
      run.errors == """
        Error: Could not dump the selection: 'country' of object 'Europe/Andorra' of class 'Zone' \
        leads to an object outside the selection.
        Hint: Use '--follow' to include linked objects, or omit '--strict' to write such links as \
        nil.

        """)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock"])
  }

  @Test func `a file is written whole, and replaced only when that is wanted`() throws {
    #expect(try run("-o", "b.jsonl").output == "")
    #expect(
      String(decoding: folder.contents("b.jsonl") ?? Data(), as: UTF8.self)
        == (try dump(folder.path("a.whimbrel"))))
    let again = try run("--schema-only", "-o", "b.jsonl", exitCode: 1)
    #expect(
      again.errors == """
        Error: Could not dump the store into 'b.jsonl': a file with that name already exists.
        Hint: Choose another name, or use '--force' to replace the file.

        """)
    _ = try run("--schema-only", "-o", "b.jsonl", "--force")
    #expect(folder.contents("b.jsonl")?.count { $0 == 0x0A } == 1)
    #expect(
      try run("-o", "a.whimbrel", "--force", exitCode: 1).errors.contains("the file is a store."))
    let overLockFile = try run("-o", "a.whimbrel-lock", "--force", exitCode: 1)
    #expect(overLockFile.errors.contains("the file is the lock file of a store."))
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock", "b.jsonl"])
  }

  /// Starts a dump, and sends a signal when it has made its temporary file.
  private func interruptedDump(_ signal: Int32) throws -> (Process, errors: Pipe) {
    let process = Process()
    process.executableURL = ToolRun.executable
    process.arguments = ["dump", "large.whimbrel", "-o", "b.jsonl"]
    process.currentDirectoryURL = folder.url
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    while process.isRunning, try !folder.names().contains(where: { $0.contains(".new-") }) {
      usleep(100)
    }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return (process, errors)
  }

  /// The signal ended the process, and the temporary file stayed.
  @Test(arguments: ToolRun.interruptions)
  func `a dump that is interrupted leaves nothing`(signal: Int32) throws {
    // So large that the signal comes before the end.
    let note = ClassSchema(name: "Note", properties: [PropertySchema(name: "text", type: .string)])
    let text = PropertyValue.string(String(repeating: "a long text ", count: 200))
    try makeStore(at: folder.path("large.whimbrel"), [note]) { session in
      let notes = try session.table("Note")
      for _ in 0..<10_000 { _ = try notes.create(["text": text], replacing: false) }
    }
    let before = try folder.names()
    var (process, errors) = try interruptedDump(signal)
    // On a busy machine it may be done before the signal.
    for _ in 0..<100 where process.terminationStatus == 0 {
      try FileManager.default.removeItem(atPath: folder.path("b.jsonl"))
      (process, errors) = try interruptedDump(signal)
    }
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 130)
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    #expect(
      String(decoding: message, as: UTF8.self) == """
        Error: Could not dump the store into 'b.jsonl': it was cancelled.
        Hint: Start it again. Nothing was changed.

        """)
    #expect(try folder.names() == before)
  }

  /// The tool waited for ever: it read from the pipe to see whether it was a store.
  @Test(arguments: [
    "timeout -s KILL 600 \"$whimbrel\" dump a.whimbrel -o pipe & timeout -s KILL 600 cat pipe; wait",
    "timeout -s KILL 600 \"$whimbrel\" dump a.whimbrel -o /dev/fd/3 --force 3>&1 | cat",
  ])
  func `a pipe gets the dump and stays`(script: String) throws {
    #expect(unsafe mkfifo(folder.path("pipe"), 0o644) == 0)
    let text = try dump(folder.path("a.whimbrel"))
    let result = try shell("\(script); test -p pipe", in: folder)
    #expect(result.output == text)
    #expect(result.exitCode == 0)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock", "pipe"])
  }

  /// The device was a file that should not be replaced. With '--force' a regular file replaced it,
  /// which this tries through a symbolic link only.
  @Test(arguments: [["/dev/null"], ["null", "--force"]])
  func `a device gets the dump and stays`(arguments: [String]) throws {
    let link = folder.path("null")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
    let run = try ToolRun(["dump", "a.whimbrel", "-o"] + arguments, in: folder)
    #expect(run.exitCode == 0, "\(run.errors)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/null")
    #expect(try shell("test -c /dev/null", in: folder).exitCode == 0)
    #expect(try folder.names() == ["a.whimbrel", "a.whimbrel-lock", "null"])
  }

  /// The new file replaced the link.
  @Test func `a symbolic link stays, and the file that it leads to gets the dump`() throws {
    let (link, kept) = (folder.path("b.jsonl"), folder.path("kept"))
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "kept/b.jsonl")
    let text = try dump(folder.path("a.whimbrel"))
    _ = try run("--schema-only", "-o", "b.jsonl")
    #expect(folder.contents("kept/b.jsonl")?.count { $0 == 0x0A } == 1)
    let again = try run("-o", "b.jsonl", exitCode: 1)
    #expect(again.errors.contains("a file with that name already exists"))
    _ = try run("-o", "b.jsonl", "--force")
    #expect(folder.contents("kept/b.jsonl") == Data(text.utf8))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "kept/b.jsonl")
    #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == ["b.jsonl"])
  }

  @Test func `a folder is written and loads again`() throws {
    #expect(try run("--folder", "zones").output == "")
    let load = try ToolRun(["load", "zones", "b.whimbrel"], in: folder)
    #expect(load.exitCode == 0)
    #expect(try dump(folder.path("b.whimbrel")) == dump(folder.path("a.whimbrel")))
    #expect(
      try run("--folder", "zones", exitCode: 1).errors == """
        Error: Could not dump the store into the folder 'zones': the folder already contains a dump.
        Hint: Use '--force' to replace it.

        """)
    _ = try run("--folder", "zones", "--without", "Country", "--force")
    #expect(folder.contents("zones/Country.jsonl") == Data())
  }

  @Test func `a class is written as CSV`() throws {
    #expect(
      try run("--csv", "Zone").output == """
        identifier,latitude,country,area,comments
        Europe/Andorra,42.5,AD,europe,""
        Asia/Kathmandu,27.75,,asia,"a ""b"\""

        """)
  }

  @Test func `options that do not go together are wrong usage`() throws {
    for arguments in [["--folder", "b", "-o", "c"], ["--csv", "Zone", "--follow"]] {
      let run = try ToolRun(["dump", "a.whimbrel"] + arguments, in: folder)
      #expect(run.exitCode == 64)
    }
  }
}
