import Foundation

/// A line of the report: the medians of all runs of one workload with one engine.
struct ReportLine: Codable {
  let workload: Workload
  let engine: EngineName
  let n: Int
  let nsPerOp: Double
  /// The processor time of all cores.
  let processorNsPerOp: Double
  /// The time divided by that of LMDB in C; nil if that was not measured.
  let ratioToC: Double?
  /// The processor time divided by that of LMDB in C. It is more reliable while other work slows the
  /// machine.
  let processorRatioToC: Double?
  /// The time divided by that of LMDB in Swift; nil if that was not measured.
  let ratioToLMDB: Double?
  let peakAnonBytes: UInt64
  let fileBytes: UInt64
  /// The throughput in millions of bytes per second, for workloads that move bytes.
  let megabytesPerSecond: Double?
}

/// A report on all measurements of a run.
struct Report {
  private var measurements: [Key: [Measurement]] = [:]

  private var answers: [Workload: Double] = [:]

  private struct Key: Hashable {
    let workload: Workload
    let engine: EngineName
  }

  /// - Throws: ``WorkloadError`` when the answer differs from that of earlier engines.
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

  /// Returns the medians, in the order of the workloads.
  func lines(count: Int) -> [ReportLine] {
    Workload.allCases.flatMap { workload in
      EngineName.allCases.compactMap { engine in
        guard let time = median(workload, engine, { $0.nanoseconds }),
          let processorTime = median(workload, engine, { $0.processorNanoseconds }),
          let peak = median(workload, engine, { $0.peakAnonBytes }),
          let size = median(workload, engine, { $0.fileBytes })
        else { return nil }
        return ReportLine(
          workload: workload, engine: engine, n: count, nsPerOp: time,
          processorNsPerOp: processorTime,
          ratioToC: median(workload, .lmdbInC) { $0.nanoseconds }.map { time / $0 },
          processorRatioToC: median(workload, .lmdbInC) { $0.processorNanoseconds }
            .map { processorTime / $0 },
          ratioToLMDB: median(workload, .lmdb) { $0.nanoseconds }.map { time / $0 },
          peakAnonBytes: peak, fileBytes: size,
          megabytesPerSecond: median(workload, engine) { $0.bytesPerSecond ?? 0 }
            .flatMap { $0 > 0 ? $0 / 1e6 : nil })
      }
    }
  }

  /// Returns a table for people.
  static func table(_ lines: [ReportLine]) -> String {
    let header = [
      "workload", "engine", "n", "ns/op", "of C", "of lmdb", "cpu ns/op", "cpu of C", "peak MB",
      "file MB", "MB/s",
    ]
    let rows = lines.map { line in
      [
        line.workload.rawValue, line.engine.rawValue, String(line.n), decimal(line.nsPerOp, 1),
        line.ratioToC.map { decimal($0, 2) } ?? "–",
        line.ratioToLMDB.map { decimal($0, 2) } ?? "–", decimal(line.processorNsPerOp, 1),
        line.processorRatioToC.map { decimal($0, 2) } ?? "–",
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
