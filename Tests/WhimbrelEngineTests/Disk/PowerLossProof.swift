#if os(Linux)
  import Foundation
  import WhimbrelTestSupport

  @testable import WhimbrelEngine
  @testable import WhimbrelLMDB

  /// Records a workload, lets the power go at many moments, and opens what is left.
  struct PowerLossProof {
    private let folder: String
    private let workload: PowerLossWorkload
    private let log: DiskLog
    private let course: PowerLossWorkload.Course
    private let seed: UInt64
    private var tally = Tally()
    private(set) var problems: [String] = []

    /// What the moments were.
    private struct Tally {
      var commits = 0
      var inFlight = 0
      var newest = 0
      var undone = 0
      var withoutStore = 0
      var inTransition = 0
    }

    init(
      _ folder: String, syncsMetaPage: Bool, commits: Int = TestRun.isLong ? 600 : 200, seed: UInt64
    ) throws {
      self.folder = folder
      self.seed = seed
      let live = folder + "/live"
      try FileManager.default.createDirectory(atPath: live, withIntermediateDirectories: true)
      let workload = PowerLossWorkload(
        folder: live, syncsMetaPage: syncsMetaPage, commits: commits, seed: seed)
      var course = PowerLossWorkload.Course()
      log = try DiskLog.record(live, to: folder + "/log") { course = try workload.run() }
      self.workload = workload
      self.course = course
    }

    /// Whether the log has everything: what it gives without a power loss is what there is. It has
    /// no writes through memory, as LMDB maps the file to read it only.
    func logIsWhole() throws -> Bool {
      let disk = SimulatedDisk(log, seed: 0)
      try disk.advance(to: log.events.count)
      let other = try emptyFolder("whole")
      try disk.write(into: other, from: workload.folder)
      let names = try FileManager.default.contentsOfDirectory(atPath: workload.folder)
        .filter { !$0.hasSuffix("-lock") }.sorted()
      return try names == FileManager.default.contentsOfDirectory(atPath: other).sorted()
        && names.allSatisfy {
          FileManager.default.contentsEqual(
            atPath: workload.folder + "/\($0)", andPath: other + "/\($0)")
        }
    }

    /// Lets the power go at so many moments, of a disk that may lie.
    mutating func run(moments: Int, _ lie: SimulatedDisk.Lie? = nil) throws {
      let start = ContinuousClock.now
      let disk = SimulatedDisk(log, seed: seed, lie: lie)
      for moment in chosenMoments(moments) {
        try disk.advance(to: moment)
        let other = try emptyFolder("crashed")
        let words = try disk.losePower(of: workload.folder, into: other)
        do {
          try check(other, mark: disk.lastMark).forEach { problems.append("\($0) (\(words))") }
        } catch {
          problems.append("\(error) (\(words))")
        }
      }
      try ProofFolder.report(
        """
        seed \(seed), \(log.events.count) events, \(course.states.count) steps, \(moments) moments \
        in \(ContinuousClock.now - start): \(tally), \(problems.count) problems
        """, in: folder)
    }

    /// Moments in order: a third anywhere, a third around meta pages, and some in each kind of step
    /// that is not a commit of the app.
    private func chosenMoments(_ count: Int) -> [Int] {
      var generator = SeededGenerator(seed: seed &+ 1)
      var marks: [Int: Int] = [:]
      var commits: [Int] = []
      for (number, event) in log.events.enumerated() {
        switch event {
        case .mark(let mark): marks[mark] = number
        // LMDB writes a part of a meta page, and of no other page.
        case .write(_, let offset, let bytes) where offset < 8_192 && bytes.count < 512:
          commits.append(number)
        default: break
        }
      }
      let special = [
        [0], [course.compaction], [course.migration], [course.transition], course.batches,
        [course.end],
      ]
      return (0..<count).map { number in
        switch number % 6 {
        case 0, 1: return Int.random(in: 0...log.events.count, using: &generator)
        case 2, 3:
          return min(
            (commits.randomElement(using: &generator) ?? 0)
              + Int.random(in: -1...3, using: &generator), log.events.count)
        default:
          let step = special[number / 6 % special.count].randomElement(using: &generator) ?? 0
          let (first, last) = (marks[2 * step] ?? 0, marks[2 * step + 1] ?? 0)
          return Int.random(in: first...last + 1, using: &generator)
        }
      }.sorted()
    }

    private func emptyFolder(_ name: String) throws -> String {
      let path = folder + "/" + name
      try? FileManager.default.removeItem(atPath: path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      return path
    }

    // MARK: - Checking

    /// What is not as it must be in a folder after a power loss.
    private mutating func check(_ other: String, mark: Int) throws -> [String] {
      let left = PowerLossWorkload(
        folder: other, syncsMetaPage: workload.syncsMetaPage, commits: 0, seed: 0)
      let begun = mark >> 1
      let acknowledged = mark & 1 == 1 ? begun : begun - 1
      if acknowledged < begun { tally.inFlight += 1 }
      if !FileManager.default.fileExists(atPath: left.path) {
        tally.withoutStore += 1
        if acknowledged >= 0 { return ["step \(acknowledged): the store has no name"] }
        // What a killed opener has left is not in the way.
        let session = try Session(StoreFile.open(left.request(version: 1)))
        return try IntegrityCheck.run(session).map(\.description)
      }
      tally.commits += 1
      var problems: [String] = []
      // A power loss may undo the last commit of a relaxed store.
      let first = max(0, workload.syncsMetaPage ? acknowledged : acknowledged - 1)
      let (found, waiting) = try contents(left.path, &problems)
      if waiting > 0 { tally.inTransition += 1 }
      let states = course.states[first...min(max(begun, first), course.states.count - 1)]
      guard
        let step = states.lastIndex(where: { $0.contents == found.hashValue })
          ?? states.lastIndex(where: { isMigrating(found, to: $0) })
      else {
        let clock = found.values("Clock", "step")
        return problems + [
          "after step \(acknowledged) of \(begun): clock \(clock), version \(found.version), "
            + "\(found.objects["Item"]?.count ?? 0) items"
        ]
      }
      if step < acknowledged { tally.undone += 1 } else { tally.newest += 1 }
      if found.version > 1 { problems += try checkBackup(left) }
      // Objects that were converted stay so, as what was committed does.
      if let oldest = states.first, oldest.version == 3, waiting > oldest.waiting {
        problems.append("\(waiting) objects wait, and not \(oldest.waiting)")
      }
      // Elsewhere the app would do what it does in other tests.
      let isBefore = step == course.migration - 1 || step == course.transition - 1
      if tally.commits % 4 == 0 || isBefore || waiting > 0 { problems += try goOn(left, step) }
      return problems.map { "step \(step): \($0)" }
    }

    /// A migration writes down in the file what it does, before it is done.
    private func isMigrating(_ found: StoreContents, to state: PowerLossWorkload.State) -> Bool {
      found.version == state.version && found.objects.hashValue == state.objects
    }

    /// Everything that a store has, and how many objects are not yet converted.
    private func contents(
      _ path: String, _ problems: inout [String]
    ) throws -> (StoreContents, waiting: Int) {
      let file = try StoreFile.open(OpenRequest(path: path))
      let report = try FileCheck.run(path: path, depth: .everything)
      problems += report.findings.kept.map(\.description)
      var session = try Session(file)
      if session.loaded.header.schemaVersion == 3 {
        session = try Session(file, for: workload.onlineRequest().declaration)
      }
      return (try StoreContents(session), try PowerLossWorkload.waiting(file))
    }

    /// The store before the migration, which was on the disk before the migration began.
    private func checkBackup(_ left: PowerLossWorkload) throws -> [String] {
      var problems: [String] = []
      let (found, _) = try contents(left.backup, &problems)
      if found.hashValue != course.states[course.migration - 1].contents {
        problems.append("the backup is of another state")
      }
      return problems
    }

    /// The app opens the store as it did, ends a transition and writes.
    private func goOn(
      _ left: PowerLossWorkload, _ step: Int
    ) throws -> [String] {
      let (version, opening): (SchemaVersion, Int) =
        if step >= course.transition - 1 {
          (3, course.transition)
        } else if step >= course.migration - 1 {
          (2, course.migration)
        } else {
          (1, 0)
        }
      let request = left.request(version: version)
      let session = try Session(StoreFile.open(request), for: request.declaration)
      defer { session.close() }
      let expected = course.states[max(step, opening)].objects
      var problems: [String] = []
      if try StoreContents(session).objects.hashValue != expected {
        problems.append("the migration made other objects")
      }
      try session.file.finishTransition(by: PowerLossWorkload.rules)
      _ = try session.refresh()
      if try StoreContents(session).objects.hashValue != expected {
        problems.append("the transition ends with other objects")
      }
      if session.loaded.catalog.isInTransition { problems.append("the transition does not end") }
      try session.write {
        _ = try session.table("Clock").create(["id": 1, "step": -1], replacing: true)
      }
      problems += try IntegrityCheck.run(session).map(\.description)
      return problems
    }
  }
#endif
