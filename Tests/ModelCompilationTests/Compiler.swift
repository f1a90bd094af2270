import Foundation
import Testing

/// Compiles sources against the modules and the macros that were built with these tests.
///
/// That takes a second, where a build of a package takes a minute.
struct Compiler {
  /// How sources are compiled.
  enum Mode: String, CaseIterable {
    /// As SwiftPM builds for debugging: one process has several files at a time.
    case debug
    /// One process for each file, which has read the others.
    case eachFile
    /// As SwiftPM builds for release.
    case release

    fileprivate var arguments: [String] {
      switch self {
      case .debug: ["-Onone", "-enable-batch-mode"]
      case .eachFile: ["-Onone", "-disable-batch-mode"]
      case .release: ["-O", "-whole-module-optimization"]
      }
    }
  }

  /// A file to compile.
  struct Source {
    let name: String
    let text: String
  }

  /// What came of it.
  struct Outcome {
    let succeeded: Bool
    /// What the compiler said.
    let output: String

    /// The errors and warnings alone, without the lines of source around them.
    var messages: [String] {
      output.split(separator: "\n").map(String.init).filter {
        $0.contains(": error: ") || $0.contains(": warning: ")
      }
    }
  }

  /// Whether the tests that take long run too.
  static let runsLong = ProcessInfo.processInfo.environment["WHIMBREL_LONG"] == "1"

  static let package = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of what was built.
  private static let products: URL = {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (tests ?? Bundle.main.bundleURL).deletingLastPathComponent()
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
  }()

  /// Compiles sources as one module, in the order given.
  static func compile(_ sources: [Source], _ mode: Mode = .debug) throws -> Outcome {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-models-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for source in sources {
      try Data(source.text.utf8).write(to: folder.appending(path: source.name))
    }
    let output = folder.appending(path: "output.txt")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["swiftc"] + options + mode.arguments + sources.map(\.name)
    process.currentDirectoryURL = folder
    // A file and not a pipe: nobody has to empty it while the compiler runs.
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    return Outcome(
      succeeded: process.terminationReason == .exit && process.terminationStatus == 0,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self))
  }

  private static let options: [String] = {
    let plugin = products.appending(path: "WhimbrelMacros-tool").path
    let moduleMap = package.appending(path: "Sources/CWhimbrelLMDB/module.modulemap").path
    return [
      "-c", "-parse-as-library", "-module-name", "App", "-swift-version", "6",
      "-warnings-as-errors",
      "-I", products.appending(path: "Modules").path,
      "-load-plugin-executable", "\(plugin)#WhimbrelMacros",
      "-Xcc", "-fmodule-map-file=\(moduleMap)",
    ]
  }()
}

/// Checks that sources compile, without a warning.
func expectCompiles(
  _ sources: [Compiler.Source], _ mode: Compiler.Mode = .debug, _ comment: String = "",
  sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let outcome = try Compiler.compile(sources, mode)
  guard !outcome.succeeded else { return }
  let text = sources.map { "// \($0.name)\n\($0.text)" }.joined(separator: "\n")
  Issue.record(
    "\(comment) (\(mode.rawValue))\n\(outcome.output.prefix(6_000))\n\(text)",
    sourceLocation: sourceLocation)
}
