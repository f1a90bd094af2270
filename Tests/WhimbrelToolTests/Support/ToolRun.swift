import Foundation
import Testing
import WhimbrelInspectionTestSupport
import WhimbrelTestSupport

/// One run of the tool, as its caller sees it.
struct ToolRun {
  let output: String
  let errors: String
  let exitCode: Int32

  /// The executable that was built beside these tests.
  static let executable = Compiler.products.appending(path: "whimbrel")

  /// The signals that interrupt the tool. If these tests run under `nohup`, it ignores SIGHUP, too.
  static let interruptions: [Int32] = {
    let handler = signal(SIGHUP, SIG_DFL)
    signal(SIGHUP, handler)
    let isIgnored =
      unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    return [SIGINT, SIGTERM] + (isIgnored ? [] : [SIGHUP])
  }()

  /// Runs the tool.
  init(_ arguments: [String], input: String = "", in folder: TestFolder) throws {
    // Files and not pipes: nobody has to empty them while the tool runs.
    let scratch = try TestFolder()
    for name in ["in", "out", "err"] {
      try Data(name == "in" ? Array(input.utf8) : []).write(to: scratch.url.appending(path: name))
    }
    let process = Process()
    process.executableURL = Self.executable
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.environment = ["COLUMNS": "100", "PATH": "/usr/bin:/bin"]
    process.standardInput = try FileHandle(forReadingFrom: scratch.url.appending(path: "in"))
    process.standardOutput = try FileHandle(forWritingTo: scratch.url.appending(path: "out"))
    process.standardError = try FileHandle(forWritingTo: scratch.url.appending(path: "err"))
    try process.run()
    process.waitUntilExit()
    output = String(decoding: scratch.contents("out") ?? Data(), as: UTF8.self)
    errors = String(decoding: scratch.contents("err") ?? Data(), as: UTF8.self)
    // A signal is no exit code.
    exitCode = process.terminationReason == .exit ? process.terminationStatus : -1
  }
}

extension TestFolder {
  /// Runs the tool in this folder, expects that it succeeds, and returns its output.
  func run(
    _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try ToolRun(arguments, in: self)
    #expect(run.exitCode == 0, "\(run.errors)", sourceLocation: sourceLocation)
    return run.output
  }
}

/// Runs a line of shell script in which `$whimbrel` is the tool.
func shell(_ script: String, in folder: TestFolder) throws -> (output: String, exitCode: Int32) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", script]
  process.currentDirectoryURL = folder.url
  process.environment = ["whimbrel": ToolRun.executable.path, "PATH": "/usr/bin:/bin"]
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (String(decoding: output, as: UTF8.self), process.terminationStatus)
}
