import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport

@testable import WhimbrelEngine

/// Asynchronous writes that share a commit.
@Suite(.oneAtATime) struct AsyncWriteGroupTests {
  @Test(arguments: [true, false])
  func `writes that come at the same time share a commit, in order`(_ usesActors: Bool) async throws
  {
    let patient = try PatientStore()
    let (test, store) = (patient.test, patient.store)
    let writers = try (0..<4).map { _ in try StoreWriter(test.configuration) }
    let held = HeldWrite(test.configuration)
    let before = try patient.lastCommit
    try await withThrowingTaskGroup(of: Void.self) { [configuration = test.configuration] group in
      for number in 0..<12 {
        group.addTask {
          if usesActors {
            try await writers[number % 4].add("\(number)")
            #expect(await writers[number % 4].names.contains("\(number)"))
          } else {
            try await Store.write(configuration) { try $0.add(Node(name: "\(number)")) }
          }
        }
        try await patient.wait(for: number + 1)
      }
      held.release()
      try await group.waitForAll()
    }
    // The held write has written nothing.
    #expect(try patient.lastCommit == before + 1)
    try store.refresh()
    #expect(store.objects(Node.self).map(\.name) == (0..<12).map { "\($0)" })
    #expect(Set(store.objects(Node.self).compactMap(\.objectID)).count == 12)
    try test.expectWhole()
  }

  @Test func `a group has a greatest size`() async throws {
    let patient = try PatientStore()
    patient.queue.limits.count = 4
    let held = HeldWrite(patient.test.configuration)
    let before = try patient.lastCommit
    try await withThrowingTaskGroup(of: Void.self) {
      [configuration = patient.test.configuration] group in
      for number in 0..<12 {
        group.addTask {
          try await Store.write(configuration) { try $0.add(Node(name: "\(number)")) }
        }
        try await patient.wait(for: number + 1)
      }
      held.release()
      try await group.waitForAll()
    }
    #expect(try patient.lastCommit == before + 3)
  }

  @Test func `a group takes no write after one with many changes`() async throws {
    let patient = try PatientStore()
    let held = HeldWrite(patient.test.configuration)
    let before = try patient.lastCommit
    try await withThrowingTaskGroup(of: Void.self) {
      [configuration = patient.test.configuration] group in
      for number in 0..<4 {
        group.addTask {
          try await Store.write(configuration) { store in
            for _ in 0..<(number == 1 ? 5_000 : 1) { try store.add(Node(name: "\(number)")) }
          }
        }
        try await patient.wait(for: number + 1)
      }
      held.release()
      try await group.waitForAll()
    }
    #expect(try patient.lastCommit == before + 2)
    try patient.test.expectWhole()
  }

  @Test func `a group of writes that all throw commits nothing`() async throws {
    let patient = try PatientStore()
    let writer = try StoreWriter(patient.test.configuration)
    let before = try patient.lastCommit
    await #expect(throws: RollBack.self) { try await writer.addAndThrow("one") }
    await #expect(throws: RollBack.self) {
      try await Store.write(patient.test.configuration) { store in
        try store.add(Node(name: "two"))
        throw RollBack()
      }
    }
    #expect(try patient.lastCommit == before)
    #expect(await writer.names == [])
  }

  @Test func `the next write of a group sees what the one before has written`() async throws {
    let patient = try PatientStore()
    let configuration = patient.test.configuration
    let held = HeldWrite(configuration)
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<6 {
        group.addTask {
          try await Store.write(configuration) { store in
            try store.add(Numbered(number: number, text: ""))
            if number == 2 { try store.deleteAll() }
            if number == 3 { throw RollBack() }
            return store.objects(Numbered.self).count
          }
        }
        try await patient.wait(for: number + 1)
      }
      held.release()
      var counts: [Int] = []
      while let count = await group.nextResult() { counts.append((try? count.get()) ?? -1) }
      return counts
    }
    #expect(counts.sorted() == [-1, 0, 1, 1, 2, 2])
    try patient.store.refresh()
    #expect(patient.store.objects(Numbered.self).map(\.number) == [4, 5])
    try patient.test.expectWhole()
  }

  @Test(.takesLong) func `a write that does not fit fails alone, and the file may grow after it`()
    async throws
  {
    let test = try TestStore()
    var configuration = test.configuration
    configuration.maximumSize = 4 << 20
    let writer = try StoreWriter(configuration)
    let text = String(repeating: "text ", count: 200)
    @Sendable func fill(_ store: Store) throws {
      for _ in 0..<5_000 { try store.add(Node(name: text)) }
    }
    // The snapshots of both stores keep the file from growing.
    let other = try StoreWriter(configuration)
    for isOfActor in [true, false] {
      let error = await #expect(throws: StoreError.self) {
        if isOfActor {
          try await writer.write(fill)
        } else {
          try await Store.write(configuration, fill)
        }
      }
      #expect(error?.code == .mapFull)
      try await writer.add("\(isOfActor)")
    }
    try await other.with { try $0.close() }
    // Without the other store, each write that fails doubles the size.
    var failures = 0
    while failures < 5 {
      do {
        try await writer.write(fill)
        break
      } catch StoreError.Code.mapFull {
        failures += 1
      }
    }
    #expect(failures < 5)
    #expect(await writer.names.count == 5_002)
    try test.expectWhole()
  }

  @Test func `a store follows a new class in its turn, and its closure runs once`() async throws {
    let models: [any Model.Type] = [Node.self, Named.self, Numbered.self]
    let test = try TestStore(models)
    let writer = try StoreWriter(test.configuration)
    try await writer.add("before")
    _ = try test.open(models + [TextModel.self], version: 1)
    let runs = Shared(0)
    try await writer.write { store in
      runs.value += 1
      try store.add(Node(name: "after"))
    }
    #expect(runs.value == 1)
    #expect(await writer.names == ["before", "after"])
  }

  @Test func `a schema that the store cannot use is an error of its write alone`() async throws {
    let test = try TestStore([TextModel.self])
    let writer = try StoreWriter(test.configuration)
    let newer = try test.open([NumberModel.self], version: 1)
    let configuration = newer.configuration
    async let other: Void = Store.write(configuration) { try $0.add(NumberModel(number: 1)) }
    let error = await #expect(throws: StoreError.self) {
      try await writer.write { try $0.add(TextModel(text: "")) }
    }
    #expect(error?.code == .schemaChangedElsewhere)
    try await other
    try newer.refresh()
    #expect(newer.objects(NumberModel.self).map(\.number) == [1])
  }

  @Test func `objects whose write is undone do not keep their IDs for others`() async throws {
    let patient = try PatientStore()
    let configuration = patient.test.configuration
    let ids = Mutex<[ObjectID]>([])
    for round in 0..<10 {
      _ = try? await Store.write(configuration) { store in
        let node = Node(name: "\(round)")
        try store.add(node)
        ids.withLock { ids in node.objectID.map { ids.append($0) } }
        if round.isMultiple(of: 2) { throw RollBack() }
      }
    }
    #expect(Set(ids.withLock { $0 }).count == 10)
    try patient.test.expectWhole()
  }
}

@Model("Changing")
private final class TextModel {
  var text: String
}

@Model("Changing")
private final class NumberModel {
  var number: Int
}
