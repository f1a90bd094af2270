import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// A file that the tool cannot open.
struct BadInput: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The path that the tool is given, in the test's folder.
  var path = "a.whimbrel"
  /// Spoils the folder, in which there is a sample store.
  let spoil: @Sendable (TestFolder) throws -> Void
  /// What the tool says.
  let error: String
  let hint: String

  static func write(_ bytes: some Sequence<UInt8>, _ folder: TestFolder) throws {
    try Data(bytes).write(to: folder.url.appending(path: "a.whimbrel"))
  }

  /// Changes bytes of the header wherever a page has a copy of it.
  static func patchHeader(_ folder: TestFolder, _ change: (inout Data, Int) -> Void) throws {
    var data = try #require(folder.contents("a.whimbrel"))
    let mark = Data("WHIMBREL".utf8)
    var start = data.startIndex
    while let range = data.range(of: mark, in: start..<data.endIndex) {
      change(&data, range.lowerBound)
      start = range.upperBound
    }
    try write(data, folder)
  }

  static let restore =
    "'whimbrel check a.whimbrel' lists the damage. 'whimbrel salvage a.whimbrel saved.whimbrel' "
    + "copies what can be read into a new store."
  static let noStore = "Check the path. The file is unchanged."

  static let all: [BadInput] = [
    BadInput(
      testDescription: "a missing file", path: "b.whimbrel", spoil: { _ in },
      error: "Could not open the store at 'b.whimbrel': the file does not exist.",
      hint: "Check the path. 'whimbrel load' creates a store from a dump."),
    BadInput(
      testDescription: "an empty file", spoil: { try write([], $0) },
      error: "Could not open the store at 'a.whimbrel': the file is empty.",
      hint: "Check the path. A store is one file, such as 'default.whimbrel'."),
    BadInput(
      testDescription: "a short text file", spoil: { try write("hello\n".utf8, $0) },
      error: "Could not open the store at 'a.whimbrel': it is not a Whimbrel store; "
        + "it has only 6 bytes.",
      hint: noStore),
    BadInput(
      testDescription: "a file of one byte", spoil: { try write("x".utf8, $0) },
      error: "Could not open the store at 'a.whimbrel': it is not a Whimbrel store; "
        + "it has only 1 byte.",
      hint: noStore),
    BadInput(
      testDescription: "a long text file",
      spoil: { try write(String(repeating: "hello\n", count: 10_000).utf8, $0) },
      error: "Could not open the store at 'a.whimbrel': it is not a Whimbrel store; "
        + "it does not have the marks of a store.",
      hint: noStore),
    BadInput(
      testDescription: "a truncated store",
      spoil: { folder in
        try write(try #require(folder.contents("a.whimbrel")).prefix(3 * 4_096), folder)
      },
      error: "Could not open the store at 'a.whimbrel': the file is truncated: "
        + "it has 12288 bytes and needs ",
      hint: restore),
    BadInput(
      testDescription: "a store of a newer format",
      spoil: {
        try patchHeader($0) { data, start in for at in [8, 12, 16] { data[start + at] = 10 } }
      },
      error: "Could not open the store at 'a.whimbrel': its format version is 10, "
        + "and this version of Whimbrel supports up to \(Header.transitionFormat).",
      hint: "Open it with a newer version of Whimbrel."),
    BadInput(
      testDescription: "a damaged header",
      spoil: { try patchHeader($0) { data, start in data[start + 30] ^= 1 } },
      error: "Could not read the store at 'a.whimbrel': the file is damaged: "
        + "its header has a wrong checksum.",
      hint: restore),
    BadInput(
      testDescription: "a folder", path: ".", spoil: { _ in },
      error: "Could not open the store at '.': it is a folder.",
      hint: "Give the path of a file, such as 'default.whimbrel' in that folder."),
    BadInput(
      testDescription: "a path under a file", path: "a.whimbrel/b", spoil: { _ in },
      error: "Could not use the store at 'a.whimbrel/b': the operating system reported "
        + "'Not a directory' (error 20).",
      hint: "Check the disk and try again."),
    BadInput(
      testDescription: "a folder for a lock file",
      spoil: {
        try? FileManager.default.removeItem(atPath: $0.path("a.whimbrel-lock"))
        try FileManager.default.createDirectory(
          atPath: $0.path("a.whimbrel-lock"), withIntermediateDirectories: true)
      },
      error: "Could not open the store at 'a.whimbrel': its lock file 'a.whimbrel-lock' "
        + "cannot be used: it is not a regular file.",
      hint: "Check the permissions of the lock file."),
  ]
}

struct BadInputTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    try Sample.make(at: folder.path("a.whimbrel"))
  }

  @Test(arguments: BadInput.all, ["info", "schema", "dump"])
  func `a file that is no good is an error, and left as it is`(
    input: BadInput, verb: String
  ) throws {
    try input.spoil(folder)
    let before = (try folder.names(), folder.contents("a.whimbrel"))
    let run = try ToolRun([verb, input.path], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("Error: \(input.error)"), "\(run.errors)")
    #expect(run.errors.hasSuffix("\nHint: \(input.hint)\n"), "\(run.errors)")
    #expect(try folder.names() == before.0)
    #expect(folder.contents("a.whimbrel") == before.1)
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"))
  func `a file that may not be read is an error`() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.path("a.whimbrel"))
    let run = try ToolRun(["info", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 1)
    #expect(
      run.errors == """
        Error: Could not open the store at 'a.whimbrel': permission was denied.
        Hint: Check the permissions of the file and of its folder.

        """)
  }

  @Test(.enabled(if: getuid() != 0, "root may write everywhere"))
  func `a folder that cannot be written to is an error while the store can be`() throws {
    try FileManager.default.removeItem(atPath: folder.path("a.whimbrel-lock"))
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let run = try ToolRun(["info", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("its folder cannot be written to"))
  }

  @Test func `a store that nothing can write is read without a lock file`() throws {
    try FileManager.default.removeItem(atPath: folder.path("a.whimbrel-lock"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: folder.path("a.whimbrel"))
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
    let run = try ToolRun(["dump", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors == "")
    #expect(run.output.split(separator: "\n").count == 4)
    #expect(try folder.names() == ["a.whimbrel"])
  }

  @Test func `a lock file of garbage is replaced when nobody uses the store`() throws {
    try Data(repeating: 0x5A, count: 9_999).write(to: folder.url.appending(path: "a.whimbrel-lock"))
    let before = folder.contents("a.whimbrel")
    #expect(try ToolRun(["info", "a.whimbrel"], in: folder).exitCode == 0)
    #expect(folder.contents("a.whimbrel") == before)
  }

  @Test func `a damaged object stops the dump with an error that names it`() throws {
    var data = try #require(folder.contents("a.whimbrel"))
    let text = Data("Europe/Andorra".utf8)
    var start = data.startIndex
    while let range = data.range(of: text, in: start..<data.endIndex) {
      data[range.lowerBound] = UInt8(ascii: "e")
      start = range.upperBound
    }
    try BadInput.write(data, folder)
    let run = try ToolRun(["dump", "a.whimbrel"], in: folder)
    #expect(run.exitCode == 1)
    #expect(run.errors.contains("object 1 of class 'Zone' cannot be read: its checksum is wrong"))
  }

  @Test(.takesLong, arguments: 1...300 as ClosedRange<UInt64>)
  func `a store with a changed byte is read or refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var data = try #require(folder.contents("a.whimbrel"))
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      data[Int.random(in: 0..<data.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    let path = folder.path("b.whimbrel")
    try data.write(to: URL(filePath: path))
    do {
      let inspector = try StoreInspector(path: path)
      _ = try inspector.description().text
      _ = SchemaText(inspector.schema)
      try StoreDump(inspector).write { _ in }
    } catch is StoreError {}
    #expect(folder.contents("b.whimbrel") == data)
  }
}
