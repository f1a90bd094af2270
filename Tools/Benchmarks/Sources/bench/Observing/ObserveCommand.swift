import ArgumentParser
import Foundation

/// The command that measures how long observers wait for a change.
struct Observe: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure the time from a commit to the callbacks of observers.",
    discussion: """
      Another store commits. 'refresh' is the time that an observed store takes to follow the commit \
      and to call its observers in a refresh. 'latency' is the time from the commit to the callback on \
      an actor, and 'actor' the processor time that it takes on that actor. 'grdb' is the time from the \
      commit to the callback of a ValueObservation that fetches the IDs again. Medians are printed.
      """)

  @Option(name: .customLong("n"), help: "How many objects to observe.")
  var count = 1_000_000

  @Option(name: .customLong("repeat"), help: "How often to make each change.")
  var repeats = 21

  @Option(help: "The folder for the files. The default is the temporary folder.")
  var folder: String?

  @Option(help: "Measure only the changes whose title contains this text.")
  var only: String?

  @Flag(help: "Leave GRDB out.")
  var withoutGRDB = false

  func validate() throws {
    guard count >= 1_000, repeats > 0 else {
      throw ValidationError("--n must be at least 1000, and --repeat greater than 0.")
    }
  }

  func run() throws {
    let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let url = parent.appendingPathComponent("whimbrel-observe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: url) }
    say("\(count) objects, medians of \(repeats)\n")
    let trial = try ObservingTrial(
      file: url.appendingPathComponent("Observed.whimbrel"), count: count, repeats: repeats)
    var figures = try trial.run(only)
    if !withoutGRDB {
      let peer = try GRDBObservation(
        path: url.appendingPathComponent("observed.sqlite").path, count: count,
        repeats: min(repeats, 5))
      for (title, time) in try peer.run() {
        for index in figures.indices where figures[index].title == title {
          figures[index].peer = time
        }
      }
    }
    say(ObservingFigure.table(figures))
  }
}

/// A figure of the table.
struct ObservingFigure {
  var title: String
  /// The limit that the design sets, as text.
  var aim: String
  /// The time of a refresh, in milliseconds.
  var time = Double.nan
  /// The time from the commit to the callback on an actor, and the part of it on the actor.
  var latency: Double?
  var actorTime: Double?
  /// The time of the query by itself.
  var query: Double?
  var peer: Double?

  static func table(_ figures: [ObservingFigure]) -> String {
    func text(_ milliseconds: Double) -> String {
      if milliseconds < 1 { return String(format: "%.1f µs", milliseconds * 1_000) }
      return String(format: "%.1f ms", milliseconds)
    }
    let rows =
      [["commit to callback", "aim", "refresh", "latency", "actor", "query", "grdb"]]
      + figures.map { figure in
        [figure.title, figure.aim, text(figure.time)]
          + [figure.latency, figure.actorTime, figure.query, figure.peer]
          .map { $0.map(text) ?? "-" }
      }
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}

extension [Double] {
  var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}
