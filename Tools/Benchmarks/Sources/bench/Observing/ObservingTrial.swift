import Foundation
import Whimbrel

/// Observes a store while another store of the same file commits.
final class ObservingTrial {
  private let store: Store
  private let writer: ObservingWriter
  private let configuration: Store.Configuration
  private let count: Int
  private let repeats: Int
  private var figures: [ObservingFigure] = []
  private var callCount = 0

  init(file: URL, count: Int, repeats: Int) throws {
    var configuration = Store.Configuration(
      url: file, models: [Resident.self, Town.self, Notice.self], schemaVersion: 0)
    configuration.durability = .relaxed
    self.configuration = configuration
    (self.count, self.repeats) = (count, repeats)
    writer = try ObservingWriter(configuration, count: count)
    store = try Store(configuration)
    try writer.fill()
    try store.refresh()
  }

  /// - Parameter only: the text that the titles of the changes contain, or nil for all.
  func run(_ only: String?) throws -> [ObservingFigure] {
    try measureMemory()
    for trial in ObservingCase.all where only.map(trial.title.contains) ?? true {
      var figure = ObservingFigure(title: trial.title, aim: trial.aim)
      figure.time = try measure(trial)
      let actor = try ObservingActor(configuration)
      (figure.latency, figure.actorTime) = try measure(trial, on: actor)
      if trial.isLarge { figure.query = try measureQuery(trial) }
      figures.append(figure)
    }
    try measureUnconcerned()
    return figures
  }

  /// Says what a second observer of the same objects needs: the first one leaves memory to the process
  /// that it has no use for.
  private func measureMemory() throws {
    let residents = store.objects(Resident.self)
    let first = residents.observe { _ in }
    let before = Int(MemoryPeak.current())
    let second = residents.observe { _ in }
    let used = Int(MemoryPeak.current()) - before
    say(String(format: "%.1f bytes for each observed object", Double(used) / Double(count)))
    withExtendedLifetime((first, second)) {}
  }

  /// Returns how long the store takes to follow a change in a refresh, in milliseconds.
  private func measure(_ trial: ObservingCase) throws -> Double {
    let tokens = trial.observe(in: store) { [unowned self] in callCount += 1 }
    defer { end(tokens) }
    return try measure(upTo: trial.limit, isTold: true, trial.change)
  }

  private func end(_ tokens: [ObservationToken]) {
    for token in tokens { token.invalidate() }
  }

  private func measure(
    upTo limit: Int, isTold: Bool, _ change: (ObservingWriter) throws -> Void
  ) throws -> Double {
    var times: [Double] = []
    for _ in 0..<min(repeats, limit) {
      try writer.commit(change)
      let calls = callCount
      let start = ContinuousClock.now
      try store.refresh()
      times.append((ContinuousClock.now - start) / .milliseconds(1))
      guard (callCount > calls) == isTold else {
        throw WorkloadError(description: "Wrong: \(callCount - calls) calls, told: \(isTold).")
      }
    }
    return times.median
  }

  /// Returns the time from a commit to the callback on an actor, and the part of it for which the
  /// actor is busy, in milliseconds.
  private func measure(
    _ trial: ObservingCase, on actor: ObservingActor
  ) throws -> (latency: Double, actorTime: Double) {
    var (latencies, actorTimes): ([Double], [Double]) = ([], [])
    actor.begin(trial)
    for _ in 0..<min(repeats, trial.limit) {
      actor.executor.reset()
      try writer.store.write { try trial.change(writer) }
      let start = ContinuousClock.now
      try actor.waitForCall()
      latencies.append((ContinuousClock.now - start) / .milliseconds(1))
      // The actor may yet have to go to sleep.
      usleep(2_000)
      actorTimes.append(actor.executor.busyTime / .milliseconds(1))
    }
    actor.end()
    return (latencies.median, actorTimes.median)
  }

  /// Returns how long the query takes after the change, without observers, in milliseconds.
  private func measureQuery(_ trial: ObservingCase) throws -> Double {
    var times: [Double] = []
    for _ in 0..<min(repeats, trial.limit) {
      try writer.commit(trial.change)
      try store.refresh()
      let start = ContinuousClock.now
      _ = trial.results(store).ids
      times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    return times.median
  }

  private func measureUnconcerned() throws {
    let tokens = (0..<100).map { number in
      store.objects(Resident.self).where { $0.rank < number }.observe { [unowned self] _ in
        callCount += 1
      }
    }
    let time = try measure(upTo: .max, isTold: false) {
      try $0.store.add(Notice(text: "nobody looks"))
    }
    figures.append(
      ObservingFigure(title: "100 observers, none concerned", aim: "20 µs", time: time))
    end(tokens)
  }
}
