import Foundation

/// A figure of the report on conversions that run while an app uses the file.
enum OnlineFigure: String, CaseIterable, Codable {
  case opening, rate, tail, scan, write, conversion, memory, disk, end

  var title: String {
    switch self {
    case .opening: "open to first read, more than without (ms)"
    case .rate: "durable writes, of the rate without (%)"
    case .tail: "their 99th percentile, times that without"
    case .scan: "scan of what is not converted, times that of converted"
    case .write: "write of what is not converted, times that of converted"
    case .conversion: "conversion with an idle app, times that at once"
    case .memory: "private memory of it (MiB)"
    case .disk: "file at its largest, times its size before"
    case .end: "longest durable write as it ends (ms)"
    }
  }

  /// The aim, and whether a larger figure is better.
  var aim: (value: Double, isLeast: Bool) {
    switch self {
    case .opening: (2, false)
    case .rate: (95, true)
    case .tail: (1.5, false)
    case .scan: (3, false)
    case .write: (2, false)
    case .conversion: (2, false)
    case .memory: (16, false)
    case .disk: (1.3, false)
    case .end: (5, false)
    }
  }
}

/// A trial, which runs in a process of its own.
enum OnlineTrialName: String, CaseIterable, Codable {
  case opening, reads, durableWrites, atOnce, idle, end
}

/// The medians of all runs, and a table of them.
struct OnlineReport {
  private var values: [OnlineEngineName: [String: [Double]]] = [:]

  mutating func add(_ figures: [String: Double], _ engine: OnlineEngineName) {
    for (name, value) in figures { values[engine, default: [:]][name, default: []].append(value) }
  }

  private func median(_ name: String, _ engine: OnlineEngineName) -> Double? {
    let sorted = (values[engine]?[name] ?? []).sorted()
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  private func figure(_ figure: OnlineFigure, _ engine: OnlineEngineName) -> Double? {
    func median(_ name: String) -> Double? { self.median(name, engine) }
    func ratio(_ first: String, _ second: String) -> Double? {
      guard let first = median(first), let second = median(second) else { return nil }
      return first / second
    }
    return switch figure {
    case .opening: median("opening").flatMap { found in median("openingPlain").map { found - $0 } }
    case .rate: ratio("writing", "writingPlain").map { 100 / $0 }
    case .tail: ratio("tail", "tailPlain")
    case .scan: ratio("scan", "scanPlain")
    case .write: ratio("write", "writePlain")
    case .conversion: ratio("idle", "atOnce")
    case .memory: median("memory")
    case .disk: ratio("largest", "before")
    case .end: median("end")
    }
  }

  /// Returns the figures beside the aims, and what they were made from.
  func table(_ engines: [OnlineEngineName], raw: Bool) -> String {
    var rows = [["", "aim"] + engines.map(\.rawValue)]
    for row in OnlineFigure.allCases {
      let aim = (row.aim.isLeast ? "≥ " : "≤ ") + String(format: "%g", row.aim.value)
      rows.append(
        [row.title, aim] + engines.map { figure(row, $0).map { String(format: "%.2f", $0) } ?? "–" }
      )
    }
    if raw {
      for name in Set(values.values.flatMap(\.keys)).sorted() {
        rows.append(
          ["  \(name)", ""]
            + engines.map { median(name, $0).map { String(format: "%.3f", $0) } ?? "–" })
      }
    }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.indices.map { column in
        let padding = String(repeating: " ", count: widths[column] - row[column].count)
        return column == 0 ? row[column] + padding : padding + row[column]
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
