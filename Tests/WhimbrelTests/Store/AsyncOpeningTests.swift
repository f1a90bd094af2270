import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Opening a store from a task. Its migrations hold a thread until a test lets them go on.
@Suite(.oneAtATime) struct AsyncOpeningTests {
  private final class Place: Sendable {
    let url: URL

    init() throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "whimbrel-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      url = folder.appending(path: "Async.whimbrel")
    }

    deinit {
      try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
    }

    /// A store of version 1 with so many objects.
    func fill(_ count: Int) throws {
      let store = try Store(
        Store.Configuration(url: url, models: [OldNumber.self], schemaVersion: 1))
      try store.write { for number in 0..<count { try store.add(OldNumber(id: number)) } }
    }

    /// Version 2, to which only code leads.
    func configuration(_ block: @escaping @Sendable () throws -> Void) -> Store.Configuration {
      Store.Configuration(
        url: url, models: [NewNumber.self], schemaVersion: 2,
        migration: { migration, _ in
          try migration.enumerateObjects(ofType: "Number") { _, new in
            try block()
            try new?.set("text", to: "n")
          }
        })
    }
  }

  /// Whether a migration has begun.
  private final class Begun: Sendable {
    private let flag = Atomic(false)

    var isNoted: Bool { flag.load(ordering: .relaxed) }

    func note() { flag.store(true, ordering: .relaxed) }
  }

  @MainActor
  @Test func `a store is migrated on a thread of its own`() async throws {
    let place = try Place()
    try place.fill(10)
    let store = try await Store.open(
      place.configuration { #expect(!Thread.isMainThread) })
    MainActor.assertIsolated()
    #expect(store.objects(NewNumber.self).map(\.text) == Array(repeating: "n", count: 10))
  }

  @Test func `the steps of a migration come as a sequence, which ends`() async throws {
    let place = try Place()
    try place.fill(100)
    let progress = MigrationProgressSequence()
    let seen = Task {
      var steps: [MigrationProgress] = []
      for await step in progress { steps.append(step) }
      return steps
    }
    let store = try await Store.open(place.configuration {}, reportingTo: progress)
    #expect(store.schemaVersion == 2)
    let last = try #require(await seen.value.last)
    #expect(last.phase == .finishing && last.completed == last.total)
  }

  @Test func `the sequence ends when the store cannot be opened`() async throws {
    let place = try Place()
    let progress = MigrationProgressSequence()
    var configuration = Store.Configuration(url: place.url, models: [OldNumber.self])
    configuration.isReadOnly = true
    await #expect(throws: StoreError.self) {
      _ = try await Store.open(configuration, reportingTo: progress)
    }
    for await _ in progress {}
  }

  @Test func `cancelling the task cancels the migration, and the file is as it was`() async throws {
    let place = try Place()
    try place.fill(2_000)
    let (begun, isCancelled) = (Begun(), Begun())
    let configuration = place.configuration {
      begun.note()
      while !isCancelled.isNoted { Thread.sleep(forTimeInterval: 0.001) }
    }
    let task = Task { _ = try await Store.open(configuration) }
    while !begun.isNoted { await Task.yield() }
    task.cancel()
    isCancelled.note()
    await #expect(throws: CancellationError.self) { try await task.value }
    let store = try Store(
      Store.Configuration(url: place.url, models: [OldNumber.self], schemaVersion: 1))
    #expect(store.objects(OldNumber.self).count == 2_000)
  }

  @Test func `cancelling the task ends the waiting for a migration by somebody else`() async throws
  {
    let place = try Place()
    try place.fill(1)
    let (begun, isOver) = (Begun(), Begun())
    let slow = place.configuration {
      begun.note()
      while !isOver.isNoted { Thread.sleep(forTimeInterval: 0.001) }
    }
    let migrating = Task { _ = try await Store.open(slow) }
    while !begun.isNoted { await Task.yield() }
    let progress = MigrationProgressSequence()
    var patient = place.configuration { Issue.record("It has begun.") }
    patient.migrationTimeout = nil
    let waiting = Task { [patient] in
      _ = try await Store.open(patient, reportingTo: progress)
    }
    for await step in progress {
      #expect(step.phase == .waiting)
      waiting.cancel()
    }
    await #expect(throws: CancellationError.self) { try await waiting.value }
    isOver.note()
    try await migrating.value
    #expect(try Store(place.configuration {}).objects(NewNumber.self).map(\.text) == ["n"])
  }

  @Test func `the time to wait is that of the configuration`() async throws {
    let place = try Place()
    try place.fill(1)
    let (begun, isOver) = (Begun(), Begun())
    let slow = place.configuration {
      begun.note()
      while !isOver.isNoted { Thread.sleep(forTimeInterval: 0.001) }
    }
    #expect(slow.migrationTimeout == .seconds(60))
    let migrating = Task { _ = try await Store.open(slow) }
    while !begun.isNoted { await Task.yield() }
    var impatient = place.configuration { Issue.record("It has begun.") }
    impatient.migrationTimeout = .milliseconds(50)
    let error = try expectError(.migrationInProgress) { try Store(impatient) }
    #expect(error.context.processID == getpid())
    isOver.note()
    try await migrating.value
  }
}

@Model("Number")
final class OldNumber {
  @PrimaryKey var id: Int
}

@Model("Number")
final class NewNumber {
  @PrimaryKey var id: Int
  var text: String
}
