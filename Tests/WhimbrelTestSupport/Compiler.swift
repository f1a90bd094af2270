public import Foundation
public import Testing

/// Compiles sources against the modules and the macros that were built with these tests.
///
/// That takes a second, where a build of a package takes a minute.
public struct Compiler {
  /// How sources are compiled.
  public enum Mode: String, CaseIterable, Sendable {
    /// As SwiftPM builds for debugging: one process has several files at a time.
    case debug
    /// One process for each file, which has read the others.
    case eachFile
    /// As SwiftPM builds for release.
    case release
    /// With all checks that an app may switch on.
    case strict
    /// In a module whose declarations belong to the main actor where nothing else is said.
    case mainActor
    /// One process, whose messages stand in one line each.
    case messages

    /// The ways in which packages are built.
    public static let allCases: [Mode] = [.debug, .eachFile, .release]

    private static let upcomingFeatures = [
      "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility",
      "NonisolatedNonsendingByDefault", "InferIsolatedConformances", "ImmutableWeakCaptures",
    ]

    fileprivate var arguments: [String] {
      switch self {
      case .debug: ["-Onone", "-warnings-as-errors", "-enable-batch-mode"]
      case .eachFile: ["-Onone", "-warnings-as-errors", "-disable-batch-mode"]
      case .release: ["-O", "-warnings-as-errors", "-whole-module-optimization"]
      case .strict:
        ["-Onone", "-warnings-as-errors", "-strict-memory-safety"]
          + Self.upcomingFeatures.flatMap { ["-enable-upcoming-feature", $0] }
      case .mainActor: ["-Onone", "-warnings-as-errors", "-default-isolation", "MainActor"]
      case .messages: ["-Onone", "-diagnostic-style", "llvm"]
      }
    }
  }

  /// A file to compile.
  public struct Source: Sendable {
    /// The name of the file.
    public let name: String
    /// What is in it.
    public let text: String

    /// A file of this name in the module's folder.
    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// What came of it.
  public struct Outcome {
    /// Whether the compiler, and the program where one was run, ended well.
    public let succeeded: Bool
    /// What the compiler said, and the program where one was run.
    public let output: String
  }

  /// Whether the tests that take long run too.
  public static let runsLong = ProcessInfo.processInfo.environment["WHIMBREL_LONG"] == "1"

  /// The folder of this repository.
  public static let repository = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The folder of what was built.
  private static let products: URL = {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (tests ?? Bundle.main.bundleURL).deletingLastPathComponent()
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
  }()

  /// Compiles sources as one module, in the order given, without linking them.
  public static func compile(_ sources: [Source], _ mode: Mode = .debug) throws -> Outcome {
    try inFolder(of: sources) { folder in
      try run(["swiftc", "-c"] + options + mode.arguments + sources.map(\.name), in: folder)
    }
  }

  /// Compiles sources as one program, in the order given, and runs it.
  ///
  /// - Parameter modules: Other modules that the sources may import, each a file that is called
  ///   after it.
  public static func run(
    _ sources: [Source], _ mode: Mode = .debug, importing modules: [Source] = []
  ) throws -> Outcome {
    try inFolder(of: sources + modules) { folder in
      for module in modules {
        let name = module.name.prefix { $0 != "." }
        let made = try run(
          ["swiftc", "-c", "-emit-module", "-parse-as-library", "-module-name", String(name)]
            + [module.name], in: folder)
        guard made.succeeded else { return made }
      }
      let compiled = try run(
        ["swiftc", "-c", "-I", "."] + options + mode.arguments + sources.map(\.name), in: folder)
      guard compiled.succeeded else { return compiled }
      let objects = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(".o") }
      let program = folder.appending(path: "App").path
      let linked = try run(
        ["swiftc", "-o", program] + objects + libraryObjects() + ["-llmdb"], in: folder)
      return linked.succeeded ? try run([program], in: folder) : linked
    }
  }

  /// Calls a closure with a folder that has the sources, and removes it.
  private static func inFolder<Result>(
    of sources: [Source], _ body: (URL) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "whimbrel-models-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for source in sources {
      try Data(source.text.utf8).write(to: folder.appending(path: source.name))
    }
    return try body(folder)
  }

  /// Runs a program to its end.
  private static func run(_ arguments: [String], in folder: URL) throws -> Outcome {
    let output = folder.appending(path: "output.txt")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // A file and not a pipe: nobody has to empty it while the program runs.
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
    let moduleMap = repository.appending(path: "Sources/CWhimbrelLMDB/module.modulemap").path
    return [
      "-parse-as-library", "-module-name", "App", "-swift-version", "6",
      "-I", products.appending(path: "Modules").path,
      "-load-plugin-executable", "\(plugin)#WhimbrelMacros",
      "-Xcc", "-fmodule-map-file=\(moduleMap)",
    ]
  }()

  /// The object files of the library and of what it needs, as these tests are linked with them. A
  /// folder of objects may also have some of files that are no longer there.
  private static func libraryObjects() throws -> [String] {
    let list = products.appending(path: "WhimbrelPackageTests.product/Objects.LinkFileList")
    let folders = ["Whimbrel", "WhimbrelEngine", "WhimbrelLMDB", "Logging"].map { "/\($0).build/" }
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { path in folders.contains(where: path.contains) }
  }
}

/// Checks that sources compile, without a warning.
public func expectCompiles(
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
