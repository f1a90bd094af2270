import ArgumentParser
import Foundation

/// The command that measures a migration while an app uses the file.
struct Online: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure a migration that runs while an app reads and writes.",
    discussion: """
      Whimbrel converts objects by a rule; SQLite and GRDB fill a shadow table in batches of 500, as \
      apps do by hand. Each figure stands beside its aim. All writes are durable.
      """)

  @Option(name: .customLong("n"), help: "How many readings to store.")
  var count = 1_000_000

  @Option(help: "How many durable writes to measure.")
  var writes = 3_000

  @Option(name: .customLong("repeat"), help: "How often to run; medians are reported.")
  var repeats = 3

  @Option(help: "The engine to measure; may be repeated. The default is all.")
  var engine: [OnlineEngineName] = []

  @Option(help: "The folder for the files. The default is the temporary folder.")
  var folder: String?

  @Flag(help: "Print what the figures are made from as well.")
  var raw = false

  @Option(help: .hidden)
  var trial: String?

  func validate() throws {
    guard count >= 1_000, writes > 0, repeats > 0 else {
      throw ValidationError("--n must be at least 1000; --writes and --repeat more than 0.")
    }
  }

  func run() throws {
    if let trial { return try runTrial(trial) }
    let engines = engine.isEmpty ? OnlineEngineName.allCases : engine
    let parent = folder.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    let base = parent.appending(path: "whimbrel-online-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base) }
    for engine in engines {
      let files = base.appending(path: engine.rawValue)
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      _ = try figures("prepare", engine, files)
    }
    var report = OnlineReport()
    for _ in 0..<repeats {
      // The engines take turns, so that a slow moment of the machine does not affect only one.
      for trial in OnlineTrialName.allCases {
        for engine in engines {
          let files = base.appending(path: engine.rawValue)
          report.add(try figures(trial.rawValue, engine, files), engine)
        }
      }
    }
    say(report.table(engines, raw: raw))
  }

  /// Runs a trial in a new process, so that its memory is its own.
  private func figures(
    _ trial: String, _ engine: OnlineEngineName, _ files: URL
  ) throws -> [String: Double] {
    let process = Process()
    process.executableURL = URL(
      filePath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.arguments = [
      "online", "--trial", trial, "--engine", engine.rawValue, "--folder", files.path, "--n",
      "\(count)", "--writes", "\(writes)",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw WorkloadError(
        description: "'\(trial)' with \(engine) ended with status \(process.terminationStatus).")
    }
    return try JSONDecoder().decode([String: Double].self, from: line)
  }

  private func runTrial(_ name: String) throws {
    guard let engine = engine.first, let folder else { throw WorkloadError.notMeasured }
    let trial = OnlineTrial(
      engine: engine.engine, folder: URL(filePath: folder), count: count, writes: writes)
    var figures: [String: Double] = [:]
    if let name = OnlineTrialName(rawValue: name) {
      figures = try trial.run(name)
    } else {
      try trial.prepare()
    }
    FileHandle.standardOutput.write(try JSONEncoder().encode(figures))
  }
}
