import ArgumentParser
import Foundation

/// Runs the command on a thread of its own: stores that are opened on the main thread track what is read
/// from them, for SwiftUI, unless their configuration says otherwise.
@main
enum Program {
  static func main() {
    let thread = Thread {
      Bench.main()
      exit(0)
    }
    thread.stackSize = 8 << 20
    thread.start()
    while true { sleep(1_000) }
  }
}

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measures Whimbrel beside LMDB in C and in Swift, SQLite and GRDB.",
    subcommands: [Run.self, Measure.self, Online.self, Observe.self, Build.self, Limits.self],
    defaultSubcommand: Run.self)
}

/// The command that measures workloads and reports medians.
struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the workloads and print the medians (default).")

  @Option(
    name: .customLong("n"),
    help: "How many persons to store; may be repeated. The default is 1000000.")
  var counts: [Int] = []

  @Option(help: "How many persons to look up.")
  var lookups = 100_000

  @Option(name: .customLong("repeat"), help: "How often to run; medians are reported.")
  var repeats = 3

  @Option(help: "The engine to measure; may be repeated. The default is all.")
  var engine: [EngineName] = []

  @Option(help: "The workload to report; may be repeated. The default is all.")
  var workload: [Workload] = []

  @Option(help: "The folder for the files. The default is the temporary folder.")
  var folder: String?

  @Flag(help: "Print one JSON object a line.")
  var json = false

  func validate() throws {
    guard counts.allSatisfy({ $0 > 0 }), lookups > 0, repeats > 0 else {
      throw ValidationError("--n, --lookups and --repeat must be greater than 0.")
    }
  }

  func run() throws {
    let engines = engine.isEmpty ? EngineName.allCases : engine
    let reported = workload.isEmpty ? Workload.allCases : workload
    let lines = try (counts.isEmpty ? [1_000_000] : counts).sorted().flatMap { count in
      try measure(count, engines, reported).lines(count: count)
    }
    try show(lines)
  }

  /// Measures workloads with a number of persons.
  private func measure(
    _ count: Int, _ engines: [EngineName], _ reported: [Workload]
  ) throws -> Report {
    let needed = Set(reported).union(reported.map(\.preparation))
    let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let base = parent.appendingPathComponent("whimbrel-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base) }

    var report = Report()
    for _ in 0..<repeats {
      try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
      // The engines take turns, so that a slow moment of the machine does not affect only one of
      // them.
      for step in Workload.allCases where needed.contains(step) {
        for name in engines where name.measures(step) {
          let file = base.appendingPathComponent("\(name.rawValue)-\(step.preparation.rawValue)")
          let measurement = try measure(step, name, count, file)
          if reported.contains(step) { try report.add(measurement, step, name) }
        }
      }
      try FileManager.default.removeItem(at: base)
    }
    return report
  }

  private func measure(
    _ workload: Workload, _ engine: EngineName, _ count: Int, _ file: URL
  ) throws -> Measurement {
    var used = file
    if workload.worksOnCopy {
      used = file.deletingLastPathComponent().appendingPathComponent("copy-\(engine)")
      try FileManager.default.copyItem(at: file, to: used)
      // Otherwise the workload would pay for writing the copy to disk.
      try FileHandle(forUpdating: used).synchronize()
    }
    defer { if workload.worksOnCopy { try? FileManager.default.removeItem(at: used) } }
    return try Measurement.inChild(
      workload, engine: engine, count: count, lookups: lookups, path: used.path)
  }

  private func show(_ lines: [ReportLine]) throws {
    var text = ""
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      for line in lines { text += String(decoding: try encoder.encode(line), as: UTF8.self) + "\n" }
    } else {
      text = Report.table(lines) + "\n"
    }
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
