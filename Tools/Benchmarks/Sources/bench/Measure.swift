import ArgumentParser
import Foundation

/// What a child process says of its one measurement.
struct Measurement: Codable {
  let nanoseconds: Double
  let peakAnonBytes: UInt64
  let fileBytes: UInt64
}

extension Measurement {
  /// Runs one workload in a fresh child process, so that the peak of its memory
  /// is its own.
  static func inChild(
    _ workload: Workload, engine: EngineName, count: Int, lookups: Int, path: String
  ) throws -> Measurement {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [
      "measure", "--engine", engine.rawValue, "--workload", workload.rawValue, "--n", "\(count)",
      "--lookups", "\(lookups)", "--path", path,
    ]
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

/// The child process's side.
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
    let duration = try engine.open(path: path).run(workload, count: count, lookups: lookups)
    let operations = workload.operations(count: count, lookups: lookups)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    let measurement = Measurement(
      nanoseconds: duration / .nanoseconds(1) / Double(operations), peakAnonBytes: memory.stop(),
      fileBytes: (attributes[.size] as? NSNumber)?.uint64Value ?? 0)
    FileHandle.standardOutput.write(try JSONEncoder().encode(measurement))
  }
}
