import ArgumentParser
import Foundation

/// The result of one measurement, which a child process reports.
struct Measurement: Codable {
  let nanoseconds: Double
  /// The processor time of all cores.
  let processorNanoseconds: Double
  let answer: Double
  let peakAnonBytes: UInt64
  let fileBytes: UInt64
  /// The throughput in bytes per second, for workloads that move bytes.
  let bytesPerSecond: Double?
}

extension Measurement {
  /// Runs one workload in a new child process, so that its memory peak is not
  /// affected by others.
  static func inChild(
    _ workload: Workload, engine: EngineName, count: Int, lookups: Int, path: String
  ) throws -> Measurement {
    let process = Process()
    var command = [
      Bundle.main.executablePath ?? CommandLine.arguments[0], "measure", "--engine",
      engine.rawValue, "--workload", workload.rawValue, "--n", "\(count)", "--lookups",
      "\(lookups)", "--path", path,
    ]
    let taskset = "/usr/bin/taskset"
    if workload.isForOneCore, FileManager.default.isExecutableFile(atPath: taskset) {
      command = [taskset, "--cpu-list", "0"] + command
    }
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let line = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw WorkloadError(
        description: "'\(workload)' with \(engine) ended with status \(process.terminationStatus).")
    }
    return try JSONDecoder().decode(Measurement.self, from: line)
  }
}

/// The command of the child process.
struct Measure: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run one workload and print its measurement.", shouldDisplay: false)

  @Option var engine: EngineName
  @Option var workload: Workload
  @Option(name: .customLong("n")) var count: Int
  @Option var lookups: Int
  @Option var path: String

  func run() throws {
    let memory = MemoryPeak.start()
    let outcome = try engine.engine(path: path).run(workload, count: count, lookups: lookups)
    let operations = Double(workload.operations(count: count, lookups: lookups))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let measurement = Measurement(
      nanoseconds: outcome.duration / .nanoseconds(1) / operations,
      processorNanoseconds: outcome.processorTime / .nanoseconds(1) / operations,
      answer: outcome.answer, peakAnonBytes: memory.stop(),
      fileBytes: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
      bytesPerSecond: outcome.bytes.map { Double($0) / (outcome.duration / .seconds(1)) })
    FileHandle.standardOutput.write(try JSONEncoder().encode(measurement))
  }
}
