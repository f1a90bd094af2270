import Foundation
import Synchronization
import Testing
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// Each step of making, moving, replacing and removing a file, with somebody else who opens it then,
/// or who comes after a process that died there.
///
/// Who opened a file while another process moved it away made LMDB create an empty one in its place:
/// "it is not a Whimbrel store; it is an LMDB file of another program".
@Suite(.serialized, .oneAtATime) struct FileRaceTests {
  struct Case: Codable, Sendable, CustomTestStringConvertible {
    let race: FileRace
    let step: FileStep
    var testDescription: String { "\(race.rawValue) at \(step.rawValue)" }
  }

  static let cases = FileRace.allCases.flatMap { race in
    race.steps.map { Case(race: race, step: $0) }
  }
  /// Those that leave something behind when the process dies.
  static let fatalCases = cases.filter {
    $0.race != .openingDeleted && $0.race != .openingReplaced
  }

  /// Holds the first thread up that comes to a step, until it is told to go on or has waited.
  private final class Pause: Sendable {
    private let isTaken = Atomic(false)
    private let reached = Atomic(false)
    private let over = Atomic(false)

    var isReached: Bool { reached.load(ordering: .acquiring) }
    var isOver: Bool { over.load(ordering: .acquiring) }

    func end() { over.store(true, ordering: .releasing) }

    func arm(_ path: String, at step: FileStep, for milliseconds: UInt32) {
      FileStepProbe.arm(path) { [self] current in
        guard current == step, !isTaken.exchange(true, ordering: .relaxed) else { return }
        reached.store(true, ordering: .releasing)
        for _ in 0..<milliseconds where !isOver { usleep(1_000) }
      }
    }
  }

  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  private func waitUntil(_ condition: @Sendable () -> Bool) async throws {
    for _ in 0..<10_000 where !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test(.takesLong, arguments: cases)
  func `a thread that opens the file meanwhile gets a whole store`(_ one: Case) async throws {
    let store = try one.race.store()
    let before = one.race == .creation ? nil : try store.contents()
    let (path, race, pause) = (store.path, one.race, Pause())
    pause.arm(path, at: one.step, for: 150)
    defer { FileStepProbe.disarm(path) }
    async let held: Void = onThread {
      try race.run(path)
      pause.end()
    }
    try await waitUntil { pause.isReached || pause.isOver }
    #expect(pause.isReached, "the step was not reached")
    try await onThread { try race.runOther(path) }
    pause.end()
    try await held
    FileStepProbe.disarm(path)
    try race.verify(store, before)
  }

  @Test(.takesLong, arguments: cases)
  func `a process that opens the file meanwhile gets a whole store`(_ one: Case) async throws {
    let store = try one.race.store()
    let before = one.race == .creation ? nil : try store.contents()
    let (path, race, pause) = (store.path, one.race, Pause())
    async let child: ExitTest.Result? = #expect(processExitsWith: .success) {
      [path = path as String, race = race as FileRace] in
      Signal.send(path + ".ready")
      try Signal.wait(for: path + ".go")
      try race.runOther(path)
      Signal.send(path + ".done")
    }
    try await Signal.arrival(of: path + ".ready")
    pause.arm(path, at: one.step, for: 400)
    defer { FileStepProbe.disarm(path) }
    async let held: Void = onThread { try race.run(path) }
    try await waitUntil { pause.isReached }
    Signal.send(path + ".go")
    // It is either done at once, or waits until the pause is over.
    let finished = path + ".done"
    for _ in 0..<400 where !FileManager.default.fileExists(atPath: finished) {
      try await Task.sleep(for: .milliseconds(1))
    }
    pause.end()
    try await held
    _ = await child
    for name in [".ready", ".go", ".done"] {
      try? FileManager.default.removeItem(atPath: path + name)
    }
    FileStepProbe.disarm(path)
    try race.verify(store, before)
  }

  @Test(.takesLong, arguments: fatalCases)
  func `a process killed there leaves a whole store, and nothing that stays`(
    _ one: Case
  ) async throws {
    let store = try one.race.store()
    let before = one.race == .creation ? nil : try store.contents()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, one = one as Case] in
      FileStepProbe.arm(path) { step in
        if step == one.step { kill(getpid(), SIGKILL) }
      }
      try one.race.run(path)
    }
    if one.race == .deletion {
      _ = try StoreFile.deleteFiles(at: store.path)
      #expect(!StoreFile.exists(at: store.path))
    } else {
      try one.race.runOther(store.path)
      try requireNoLeftovers(beside: store)
    }
    try one.race.verify(store, one.race == .backup ? nil : before)
  }

  private func requireNoLeftovers(beside store: TestStore) throws {
    let folder = (store.path as NSString).deletingLastPathComponent
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
      [".new-", ".old-", "-owners"].contains { name.contains($0) }
    }
    #expect(left == [])
  }
}
