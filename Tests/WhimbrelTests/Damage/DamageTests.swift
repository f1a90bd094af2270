import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Damaged copies of stores, read in every way, then written to, then migrated, in child processes.
/// Some are damaged while they are open.
///
/// What a store answers is right or an error, but for the known issues. `WHIMBREL_LONG=1` takes
/// 10,000 damages and a store of about 50 MB; `WHIMBREL_DAMAGES` says how many, and `WHIMBREL_SEED`
/// which is the first.
@Suite struct DamageTests {
  private static let count =
    TestRun.number("WHIMBREL_DAMAGES") ?? (TestRun.isLong ? 10_000 : 48)
  private static let firstSeed = Int(TestRun.seed ?? 1)

  /// Whether the damage of a seed comes while the store is open and has been read: every fourth time.
  static func damagesWhileOpen(_ seed: Int) -> Bool { seed % 4 == 1 }

  @Test(.takesLong)
  func `a damaged store gives what was stored or an error, and never stops the program`()
    async throws
  {
    let folder = URL.temporaryDirectory.appending(path: "whimbrel-damage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stores = TestRun.isLong ? DamageStore.all + [.large] : DamageStore.all
    for store in stores { try store.make(in: folder) }
    let path = folder.path
    var results: [DamageResult] = []
    var next = Self.firstSeed
    let end = next + Self.count
    while next < end {
      let first = next
      await withKnownIssue(isIntermittent: true) {
        await #expect(processExitsWith: .success) {
          [
            path = path as String, first = first as Int, end = end as Int,
            isLong = TestRun.isLong as Bool
          ] in
          try DamageChild(path: path, isLong: isLong).run(first..<end)
        }
      }
      let found = try DamageResult.read(folder)
      results = found
      let last = found.last?.seed ?? next
      // A seed that began and did not end has stopped the child.
      next = max(last, next) + 1
    }
    print(DamageResult.table(results))
    if let text = try? String(contentsOf: folder.appending(path: "stderr"), encoding: .utf8) {
      print(text.suffix(4_000))
    }
    let bad = results.filter { $0.outcome.isBad }
    for result in bad.prefix(60) { print("  \(result)") }
    #expect(results.count == Self.count)
    let wrong = bad.filter { $0.outcome == .wrong }
    let whileOpen = wrong.filter { Self.damagesWhileOpen($0.seed) }
    #expect(bad.count == whileOpen.count)
    withKnownIssue(
      "What was verified is believed: a page that comes from elsewhere while the store is open may pass.",
      isIntermittent: true
    ) {
      #expect(whileOpen.isEmpty)
    }
  }
}

/// What became of one damage.
struct DamageResult: CustomStringConvertible {
  enum Outcome: String {
    /// A crash is also a child that took too long, which a signal has ended.
    case right, error, wrong, crash

    var isBad: Bool { self == .wrong || self == .crash }
  }

  let seed: Int
  var store = ""
  var kind = ""
  var outcome = Outcome.crash
  var detail = ""

  var description: String { "\(outcome) \(store) \(kind) seed \(seed) \(detail)" }

  /// Reads what children have written: a line when a seed begins, and one when it ends.
  static func read(_ folder: URL) throws -> [DamageResult] {
    let text = try String(contentsOf: folder.appending(path: "results"), encoding: .utf8)
    var results: [DamageResult] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard let seed = Int(parts[1]) else { continue }
      if parts[0] == "begin" {
        results.append(DamageResult(seed: seed, store: parts[2], kind: parts[3]))
      } else if let outcome = Outcome(rawValue: parts[2]), let last = results.indices.last {
        results[last].outcome = outcome
        results[last].detail = parts[3]
      }
    }
    return results
  }

  static func table(_ results: [DamageResult]) -> String {
    var lines = ["damages: \(results.count)"]
    for kind in FileDamage.allCases.map(\.rawValue) {
      let mine = results.filter { $0.kind == kind }
      func count(_ outcome: Outcome) -> Int { mine.count { $0.outcome == outcome } }
      lines.append(
        "  \(kind): right \(count(.right)), error \(count(.error)), wrong \(count(.wrong)), crash or hang \(count(.crash))"
      )
    }
    return lines.joined(separator: "\n")
  }
}

/// Damages stores and asks them, one seed after the other.
struct DamageChild {
  let folder: URL
  let isLong: Bool
  private let results: FileHandle

  init(path: String, isLong: Bool) throws {
    folder = URL(filePath: path)
    self.isLong = isLong
    let file = folder.appending(path: "results").path
    if !FileManager.default.fileExists(atPath: file) {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    results = try #require(FileHandle(forWritingAtPath: file))
    try results.seekToEnd()
  }

  func run(_ seeds: Range<Int>) throws {
    // What a program says when it is stopped.
    let log = unsafe Foundation.open(
      folder.appending(path: "stderr").path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    dup2(log, STDERR_FILENO)
    let stores = isLong ? DamageStore.all + [.large] : DamageStore.all
    var whole: [String: Expected] = [:]
    let contents = try stores.map { try [UInt8](Data(contentsOf: $0.url(in: folder))) }
    let older = try stores.map { try [UInt8](Data(contentsOf: $0.older(in: folder))) }
    for seed in seeds {
      var random = WhimbrelTestSupport.SeededGenerator(seed: UInt64(seed))
      let isLarge = isLong && seed % 500 == 0
      let number = isLarge ? stores.count - 1 : seed % DamageStore.all.count
      let store = stores[number]
      let (bytes, kind) = FileDamage.damaged(
        contents[number], older: older[number],
        foreign: contents[(number + 1) % DamageStore.all.count], &random)
      try write("begin\t\(seed)\t\(store.name)\t\(kind.rawValue)")
      // A child that hangs is ended by the signal.
      alarm(isLarge ? 600 : 60)
      do {
        if whole[store.name] == nil { whole[store.name] = try expected(of: store) }
        let isOpen = DamageTests.damagesWhileOpen(seed) && bytes.count == contents[number].count
        let (outcome, detail) = try self.outcome(
          of: bytes, replacing: isOpen ? contents[number] : nil,
          comparedTo: #require(whole[store.name]))
        try end(seed, outcome, detail)
      } catch {
        try end(seed, .crash, "the test itself has failed: \(error)")
      }
    }
    alarm(0)
  }

  private func end(_ seed: Int, _ outcome: DamageResult.Outcome, _ detail: String) throws {
    let clean = detail.replacing("\n", with: " ").replacing("\t", with: " ")
    try write("end\t\(seed)\t\(outcome.rawValue)\t\(clean.prefix(300))")
  }

  private func write(_ line: String) throws {
    try results.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// What a store answers that is whole: when it is read, after writes, and after a migration.
  private struct Expected {
    let read, written, migrated: DamageTranscript
  }

  private func expected(of store: DamageStore) throws -> Expected {
    let url = folder.appending(path: "whole.whimbrel")
    try Store.deleteFiles(at: url)
    try FileManager.default.copyItem(at: store.url(in: folder), to: url)
    let opened = try open(url)
    let read = DamageTranscript.ask(opened)
    try #require(read.errorCount == 0, "\(read.answers)")
    #expect(change(opened) == 0)
    let written = DamageTranscript.ask(opened)
    try opened.close()
    return Expected(read: read, written: written, migrated: try migrated(url))
  }

  /// - Parameter before: the bytes that an open store has before it is damaged, or nil when it is
  ///   opened damaged.
  private func outcome(
    of bytes: [UInt8], replacing before: [UInt8]?, comparedTo whole: Expected
  ) throws -> (DamageResult.Outcome, String) {
    let url = folder.appending(path: "damaged.whimbrel")
    // The library deletes nothing that is not a store.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("damaged.whimbrel") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    try Data(before ?? bytes).write(to: url)
    let store: Store
    do { store = try open(url) } catch { return (.error, "opening: \(error)") }
    if before != nil {
      #expect(DamageTranscript.ask(store).errorCount == 0)
      let file = try FileHandle(forWritingTo: url)
      try file.write(contentsOf: Data(bytes))
      try file.close()
    }
    let read = DamageTranscript.ask(store)
    var wrong = read.wrong(comparedTo: whole.read)
    var errors = read.errorCount
    // Writes that all go through leave what they leave in a whole store.
    let refused = change(store)
    errors += refused
    if refused == 0 {
      let written = DamageTranscript.ask(store)
      wrong += written.wrong(comparedTo: whole.written).map { "\($0) after writes" }
      errors += written.errorCount
    }
    try store.close()
    if refused == 0 {
      do {
        wrong += try migrated(url).wrong(comparedTo: whole.migrated).map { "\($0) after migration" }
      } catch { errors += 1 }
    } else {
      _ = try? migrated(url)
    }
    if !wrong.isEmpty { return (.wrong, wrong.joined(separator: ", ")) }
    return errors > 0 ? (.error, "\(errors) errors") : (.right, "")
  }

  private func open(_ url: URL) throws -> Store {
    var configuration = Store.Configuration(url: url, models: Fleet.models, schemaVersion: 1)
    configuration.durability = .relaxed
    return try Store(configuration)
  }

  /// Changes objects, and returns how many writes are refused.
  private func change(_ store: Store) -> Int {
    var refused = 0
    func write(_ body: () throws -> Void) {
      do { try store.write(body) } catch { refused += 1 }
    }
    for number in 0..<4 {
      write {
        for boat in store.objects(Fleet.Boat.self) where boat.number % 4 == number {
          boat.length += 1
          boat.notes += " more"
          boat.depths.append(number)
        }
      }
    }
    for number in 0..<3 {
      write {
        try store.add(Fleet.Boat(number: 9_000 + number, name: "new"))
        try store.add(Fleet.Entry(day: number, value: .int(number), text: "new"))
        try store.add(Fleet.Sailor(name: "new \(number)", age: number, licence: nil))
      }
    }
    for number in 1..<4 {
      write {
        if let boat = store.object(ofType: Fleet.Boat.self, forPrimaryKey: number * 2) {
          try store.delete(boat)
        }
        if let sailor = store.object(ofType: Fleet.Sailor.self, forPrimaryKey: "sailor \(number)") {
          try store.delete(sailor)
        }
      }
    }
    return refused
  }

  private func migrated(_ url: URL) throws -> DamageTranscript {
    var configuration = Store.Configuration(
      url: url, models: FleetV2.models, schemaVersion: 2,
      migration: { migration, _ in
        try migration.enumerateObjects(ofType: "Boat") { old, new in
          guard let old, let new, case .double(let length) = try old.value("length") else { return }
          try new.set("feet", to: length * 3.28)
        }
      })
    configuration.durability = .relaxed
    let store = try Store(configuration)
    defer { try? store.close() }
    return DamageTranscript.askDynamically(store)
  }
}
