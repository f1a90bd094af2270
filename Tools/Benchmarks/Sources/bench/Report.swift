import Foundation

/// One line of the result: the medians of all runs of a workload.
struct ReportLine: Codable {
  let workload: Workload
  let engine: EngineName
  let n: Int
  let nsPerOp: Double
  /// The time of all cores together.
  let processorNsPerOp: Double
  /// How many times longer than LMDB; left out when LMDB was not measured.
  let ratioToLMDB: Double?
  /// The same of the time of all cores: it says more while other work slows the machine.
  let processorRatioToLMDB: Double?
  let peakAnonBytes: UInt64
  let fileBytes: UInt64
  /// How many millions of bytes went through in a second, where that is what counts.
  let megabytesPerSecond: Double?
}

/// All measurements of a run.
struct Report {
  private var measurements: [Key: [Measurement]] = [:]

  private var answers: [Workload: Double] = [:]

  private struct Key: Hashable {
    let workload: Workload
    let engine: EngineName
  }

  /// - Throws: ``WorkloadError`` where the answer is not that of the engines before.
  mutating func add(
    _ measurement: Measurement, _ workload: Workload, _ engine: EngineName
  ) throws {
    let expected = answers[workload, default: measurement.answer]
    guard measurement.answer == expected else {
      throw WorkloadError(
        description: "'\(workload.rawValue)' with \(engine.rawValue) gave \(measurement.answer); "
          + "the engines before gave \(expected).")
    }
    answers[workload] = expected
    measurements[Key(workload: workload, engine: engine), default: []].append(measurement)
  }

  private func median<Value: Comparable>(
    _ workload: Workload, _ engine: EngineName, _ value: (Measurement) -> Value
  ) -> Value? {
    let values = measurements[Key(workload: workload, engine: engine), default: []]
      .map(value).sorted()
    return values.isEmpty ? nil : values[values.count / 2]
  }

  /// The medians, in the order of the workloads.
  func lines(count: Int) -> [ReportLine] {
    Workload.allCases.flatMap { workload in
      EngineName.allCases.compactMap { engine in
        guard let time = median(workload, engine, { $0.nanoseconds }),
          let processorTime = median(workload, engine, { $0.processorNanoseconds }),
          let peak = median(workload, engine, { $0.peakAnonBytes }),
          let size = median(workload, engine, { $0.fileBytes })
        else { return nil }
        let base = median(workload, .lmdb) { $0.nanoseconds }
        let processorBase = median(workload, .lmdb) { $0.processorNanoseconds }
        return ReportLine(
          workload: workload, engine: engine, n: count, nsPerOp: time,
          processorNsPerOp: processorTime, ratioToLMDB: base.map { time / $0 },
          processorRatioToLMDB: processorBase.map { processorTime / $0 },
          peakAnonBytes: peak, fileBytes: size,
          megabytesPerSecond: median(workload, engine) { $0.bytesPerSecond ?? 0 }
            .flatMap { $0 > 0 ? $0 / 1e6 : nil })
      }
    }
  }

  /// A table for people.
  static func table(_ lines: [ReportLine]) -> String {
    let header = [
      "workload", "engine", "ns/op", "ratio", "cpu ns/op", "cpu ratio", "peak MB", "file MB",
      "MB/s",
    ]
    let rows = lines.map { line in
      [
        line.workload.rawValue, line.engine.rawValue, decimal(line.nsPerOp, 1),
        line.ratioToLMDB.map { decimal($0, 2) } ?? "–", decimal(line.processorNsPerOp, 1),
        line.processorRatioToLMDB.map { decimal($0, 2) } ?? "–",
        decimal(Double(line.peakAnonBytes) / 1e6, 1),
        decimal(Double(line.fileBytes) / 1e6, 1),
        line.megabytesPerSecond.map { decimal($0, 0) } ?? "–",
      ]
    }
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    return ([header] + rows).map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column < 2 ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }

  private static func decimal(_ value: Double, _ digits: Int) -> String {
    value.formatted(
      .number.precision(.fractionLength(digits)).grouping(.never)
        .locale(Locale(identifier: "en_US_POSIX")))
  }
}
