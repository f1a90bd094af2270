import Foundation

/// The trials of an engine. Their times are in milliseconds.
struct OnlineTrial {
  let engine: any OnlineEngine.Type
  /// A folder with a file of version 1, one that is converted, and a small one.
  let folder: URL
  let count: Int
  let writes: Int

  static let (plain, converted, small) = ("plain", "converted", "small")

  func run(_ name: OnlineTrialName) throws -> [String: Double] {
    switch name {
    case .opening: try opening()
    case .reads: try reads()
    case .durableWrites: try durableWrites()
    case .atOnce: try atOnce()
    case .idle: try idle()
    case .end: try end()
    }
  }

  /// Makes the files.
  func prepare() throws {
    for (name, count) in [(Self.plain, count), (Self.small, 100)] {
      try engine.create(folder.appending(path: name).path, count: count)
    }
    try engine.migrateAtOnce(copy(Self.plain, to: Self.converted))
  }

  /// Copies a file, and returns the path of the copy.
  private func copy(_ name: String, to other: String = "copy") throws -> String {
    let (from, to) = (folder.appending(path: name), folder.appending(path: other))
    for end in ["", "-wal", "-shm", "-lock"] { unsafe unlink(to.path + end) }
    try FileManager.default.copyItem(at: from, to: to)
    if FileManager.default.fileExists(atPath: from.path + "-wal") {
      try FileManager.default.copyItem(atPath: from.path + "-wal", toPath: to.path + "-wal")
    }
    // What follows must not wait for the copy.
    try FileHandle(forUpdating: to).synchronize()
    return to.path
  }

  // MARK: Trials

  private func opening() throws -> [String: Double] {
    // The first opening in a process has one-time costs.
    try engine.openPlain(copy(Self.small))
    let first = try engine.init(copy(Self.small))
    _ = try first.read(7)
    try first.close()
    var (plain, moving): ([Double], [Double]) = ([], [])
    for _ in 0..<7 {
      let path = try copy(Self.plain)
      plain.append(try milliseconds { try engine.openPlain(path) })
      var opened: (any OnlineEngine)?
      moving.append(
        try milliseconds {
          let made = try engine.init(path)
          made.resume()
          _ = try made.read(7)
          opened = made
        })
      try opened?.close()
    }
    return ["openingPlain": Self.median(plain), "opening": Self.median(moving)]
  }

  private func reads() throws -> [String: Double] {
    let moving = try engine.init(copy(Self.plain))
    let converted = try engine.init(copy(Self.converted, to: "other"))
    var figures: [String: [Double]] = [:]
    var random = SplitMix64(seed: 7)
    var unused = Array(0..<count).shuffled(using: &random)
    let share = min(20_000, count / 8)
    for _ in 0..<3 {
      var answers: Set<Double> = []
      for (name, store) in [("scan", moving), ("scanPlain", converted)] {
        figures[name, default: []].append(try milliseconds { answers.insert(try store.scan()) })
      }
      guard answers.count == 1 else { throw WorkloadError(description: "The scans differ.") }
      // Each reading is written once, so that it has not been converted before.
      let ids = Array(unused.suffix(share))
      unused.removeLast(share)
      for (name, store) in [("write", moving), ("writePlain", converted)] {
        figures[name, default: []].append(try milliseconds { try store.change(ids) })
      }
    }
    try moving.close()
    try converted.close()
    return figures.mapValues(Self.median)
  }

  private func durableWrites() throws -> [String: Double] {
    let moving = try engine.init(copy(Self.plain))
    // A copy of the same file without a migration: files with other free pages are faster or slower.
    let unchanged = try engine.init(keeping: copy(Self.plain, to: "other"))
    var (times, plain): ([Double], [Double]) = ([], [])
    var random = SplitMix64(seed: 9)
    let block = 250
    while times.count < writes, !moving.isOver {
      moving.resume()
      for _ in 0..<block {
        let id = Int.random(in: 0..<count, using: &random)
        times.append(try milliseconds { try moving.change([id]) })
      }
      try moving.pause()
      for _ in 0..<block {
        let id = Int.random(in: 0..<count, using: &random)
        plain.append(try milliseconds { try unchanged.change([id]) })
      }
    }
    let done = moving.fraction
    try moving.close()
    try unchanged.close()
    return [
      "writing": times.reduce(0, +) / Double(times.count),
      "writingPlain": plain.reduce(0, +) / Double(plain.count),
      "tail": Self.percentile(99, times), "tailPlain": Self.percentile(99, plain),
      "writingDonePercent": done * 100,
    ]
  }

  private func atOnce() throws -> [String: Double] {
    let path = try copy(Self.plain)
    return ["atOnce": try milliseconds { try engine.migrateAtOnce(path) }]
  }

  private func idle() throws -> [String: Double] {
    let path = try copy(Self.plain)
    let before = Self.size(path)
    let memory = MemoryPeak.start()
    let base = MemoryPeak.current()
    var largest = before
    let time = try milliseconds {
      let store = try engine.init(path)
      store.resume()
      while !store.isOver {
        usleep(5_000)
        try store.refresh()
        largest = max(largest, Self.size(path))
      }
      try store.close()
    }
    let peak = memory.stop()
    return [
      "idle": time, "memory": (Double(peak) - Double(base)) / 1_048_576,
      "before": Double(before) / 1_048_576, "largest": Double(largest) / 1_048_576,
    ]
  }

  private func end() throws -> [String: Double] {
    let store = try engine.init(copy(Self.plain))
    store.resume()
    // A batch converts some thousand readings.
    let share = max(0.01, 20_000 / Double(count))
    while store.fraction < 1 - share, !store.isOver { usleep(500) }
    var times: [Double] = []
    var random = SplitMix64(seed: 11)
    func change() throws -> Double {
      let id = Int.random(in: 0..<count, using: &random)
      // SQLite gives its lock to whoever asks at the right moment, and so not to the conversion.
      defer { usleep(1_000) }
      return try milliseconds { try store.change([id]) }
    }
    while !store.isOver { times.append(try change()) }
    guard !times.isEmpty else { throw WorkloadError(description: "The end came too early.") }
    // The last hundred writes surround the final step. Of thousands, some wait long for the disk alone.
    times = times.suffix(100)
    // What as many writes take at most when there is nothing to end.
    let plain = try times.map { _ in try change() }
    try store.close()
    return [
      "end": times.max() ?? 0, "endPlain": plain.max() ?? 0, "endMedian": Self.median(times),
      "endWrites": Double(times.count),
    ]
  }

  // MARK: Numbers

  private func milliseconds(_ work: () throws -> Void) rethrows -> Double {
    try ContinuousClock().measure(work) / .milliseconds(1)
  }

  private static func median(_ values: [Double]) -> Double { percentile(50, values) }

  private static func percentile(_ percent: Int, _ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : sorted[min(sorted.count * percent / 100, sorted.count - 1)]
  }

  /// The room that a file takes, with its log.
  private static func size(_ path: String) -> Int {
    ["", "-wal"].reduce(0) { sum, end in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + end)
      return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
    }
  }
}
