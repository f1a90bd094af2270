public import Foundation
public import Testing

/// A compiler of sources against the modules and macros that were built with these tests.
///
/// It takes a second; building a package takes a minute.
public struct Compiler {
  /// A way to compile sources.
  public enum Mode: String, CaseIterable, Sendable {
    /// As SwiftPM builds for debugging: one process compiles several files.
    case debug
    /// One process for each file, which reads the other files too.
    case eachFile
    /// As SwiftPM builds for release.
    case release
    /// With all checks that an app may turn on.
    case strict
    /// In a module whose declarations are isolated to the main actor by default.
    case mainActor
    /// In the Swift 5 language mode, with the checks that prepare for Swift 6.
    case swift5
    /// In a module with library evolution. The compiler warns of each import.
    case evolution
    /// One process that prints each message on one line.
    case messages

    /// The modes in which packages are built.
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
      case .swift5:
        ["-Onone", "-warnings-as-errors", "-swift-version", "5", "-strict-concurrency=complete"]
      case .evolution: ["-Onone", "-enable-library-evolution"]
      case .messages: ["-Onone", "-diagnostic-style", "llvm"]
      }
    }
  }

  /// A file to compile.
  public struct Source: Sendable {
    /// The name of the file.
    public let name: String
    /// The contents of the file.
    public let text: String

    /// Makes a source file in the module's folder.
    public init(name: String, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// The result of compiling, and of running a program.
  public struct Outcome {
    /// Whether the compiler succeeded, and the program if one was run.
    public let succeeded: Bool
    /// The output of the compiler, and of the program if one was run.
    public let output: String
  }

  /// The folder of this repository.
  public static let repository = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  /// The folder of what was built beside these tests: modules and executables.
  public static let products: URL = {
    #if os(macOS)
      let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      return (tests ?? Bundle.main.bundleURL).deletingLastPathComponent()
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
  }()

  /// Compiles sources as one module in the given order, without linking.
  public static func compile(_ sources: [Source], _ mode: Mode = .debug) throws -> Outcome {
    try inFolder(of: sources) { folder in
      try run(["swiftc", "-c"] + options + mode.arguments + sources.map(\.name), in: folder)
    }
  }

  /// Compiles sources as one program in the given order, and runs it.
  ///
  /// - Parameter modules: Other modules that the sources may import, each a file with the name of
  ///   the module.
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

  /// Calls a closure with a folder that contains the sources, then removes the folder.
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

  private static func run(_ arguments: [String], in folder: URL) throws -> Outcome {
    let output = folder.appending(path: "output.txt")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    // A file needs no reader while the program runs; a pipe does.
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

  /// Returns the object files of the library and its dependencies that these tests link. A folder
  /// of objects may also contain outdated ones, so it is not used.
  private static func libraryObjects() throws -> [String] {
    let list = products.appending(path: "WhimbrelPackageTests.product/Objects.LinkFileList")
    let folders = ["Whimbrel", "WhimbrelEngine", "WhimbrelLMDB", "Logging"].map { "/\($0).build/" }
    return try String(contentsOf: list, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { path in folders.contains(where: path.contains) }
  }
}

/// Expects that sources compile without a warning.
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
