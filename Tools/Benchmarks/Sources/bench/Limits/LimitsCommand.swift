import ArgumentParser
import Foundation

/// The command that takes stores to sizes that no test has time or room for.
struct Limits: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Take stores to their limits: many and large objects, classes and properties.",
    discussion: """
      Each limit is tried in a process of its own. What was stored is read again and compared, and \
      the file is checked. A wrong answer ends the command with an error. The default sizes need \
      about 25 GB of free disk, and a quarter of an hour.
      """)

  @Option(help: "The limit to try; may be repeated. The default is all.")
  var limit: [Limit] = []

  @Option(help: "How many small objects to store.")
  var objects = 100_000_000

  @Option(help: "How many gigabytes the large store has. Its file is sparse.")
  var gigabytes = 60

  @Option(help: "The folder for the files. The default is the temporary folder.")
  var folder: String?

  @Flag(help: .hidden)
  var isChild = false

  func run() throws {
    let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let url = parent.appendingPathComponent("whimbrel-limits-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    guard isChild, let limit = limit.first else { return try runAll() }
    let trial = LimitTrial(
      file: url.appendingPathComponent("Limit.whimbrel"), objects: objects, gigabytes: gigabytes)
    let memory = MemoryPeak.start()
    try trial.run(limit)
    let size = try trial.fileSize()
    say("  peak memory \(memory.stop() >> 20) MiB, file \(size.apparent >> 20) MiB")
  }

  private func runAll() throws {
    for limit in limit.isEmpty ? Limit.allCases : limit {
      say(limit.title)
      let process = Process()
      process.executableURL = URL(
        filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
      process.arguments =
        [
          "limits", "--is-child", "--limit", limit.rawValue, "--objects", "\(objects)",
          "--gigabytes", "\(gigabytes)",
        ] + (folder.map { ["--folder", $0] } ?? [])
      try process.run()
      process.waitUntilExit()
      guard process.terminationReason == .exit, process.terminationStatus == 0 else {
        throw WorkloadError(
          description: "'\(limit.rawValue)' ended with status \(process.terminationStatus).")
      }
    }
  }
}

/// Writes a line at once: a trial takes minutes.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// A size that a store is taken to.
enum Limit: String, CaseIterable, ExpressibleByArgument {
  case manyClasses = "many-classes"
  case manyProperties = "many-properties"
  case largeObject = "large-object"
  case largeStore = "large-store"
  case manyObjects = "many-objects"

  var title: String {
    switch self {
    case .manyClasses: "500 classes"
    case .manyProperties: "a class of 1,000 properties"
    case .largeObject: "an object of 1 GiB"
    case .largeStore: "a large store"
    case .manyObjects: "many small objects"
    }
  }
}
