import Foundation

/// One run of the Swift compiler over an app's sources, with the modules and the macros that were
/// built beside these tests.
struct CompilerRun {
  /// What the compiler printed: its errors, warnings and notes.
  let diagnostics: String
  let exitCode: Int32

  /// The lines that report an error, without those that repeat it under the excerpt.
  var errors: [String] {
    diagnostics.split(separator: "\n").map(String.init).filter { $0.contains(": error: ") }
  }

  /// Type-checks sources, given by file name. The order of the dictionary does not count: the
  /// files are passed sorted by name.
  ///
  /// - Parameter options: further options of the compiler, `-O` and `-wmo` for example.
  init(typeChecking sources: [String: String], options: [String] = []) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "Compile-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in sources {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
    let log = folder.appending(path: "log")
    try Data().write(to: log)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.currentDirectoryURL = folder
    process.arguments =
      ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library"]
      + Self.moduleOptions + options + sources.keys.sorted()
    process.standardOutput = try FileHandle(forWritingTo: log)
    process.standardError = process.standardOutput
    try process.run()
    process.waitUntilExit()
    diagnostics = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    exitCode = process.terminationStatus
  }

  /// Where the build has put its modules and executables.
  private static let binaries: URL = {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (tests ?? Bundle.main.bundleURL).deletingLastPathComponent()
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
  }()

  /// Options that let a source import Whimbrel and use its macros.
  private static let moduleOptions = [
    "-I", binaries.appending(path: "Modules").path,
    "-Xcc", "-fmodule-map-file=\(repository.path)/Sources/CWhimbrelLMDB/module.modulemap",
    "-load-plugin-executable", "\(binaries.path)/WhimbrelMacros-tool#WhimbrelMacros",
  ]

  /// The folder of this repository.
  static let repository = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }
}
