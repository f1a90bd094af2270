import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelTestSupport
import WhimbrelTesting

/// Stores of one file on several threads at once.
@Suite struct ConcurrencyTests {
  private static let rounds = TestRun.isLong ? 2_000 : 60

  /// Runs `body` on threads of its own, and waits for all.
  private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) {
    let failures = Mutex<[String]>([])
    let group = DispatchGroup()
    for index in 0..<count {
      group.enter()
      let thread = Thread {
        do { try body(index) } catch { failures.withLock { $0.append("\(error)") } }
        group.leave()
      }
      thread.start()
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
  }

  @Test func `writers on two threads lose nothing and readers see whole writes`() throws {
    let test = try TestStore()
    let configuration = test.configuration
    let first = try test.open()
    try first.write { try first.add((0..<10).map { Numbered(number: $0, text: "0") }) }
    let rounds = Self.rounds
    onThreads(4) { thread in
      let store = try Store(configuration)
      for round in 0..<rounds {
        if thread < 2 {
          try store.write {
            // All ten change together.
            let next = Int(store.objects(Numbered.self)[0].text).map { $0 + 1 } ?? -1
            for object in store.objects(Numbered.self) { object.text = "\(next)" }
            try store.add(Node(name: "\(thread).\(round)"))
          }
        } else {
          try store.refresh()
          let texts = Set(store.objects(Numbered.self).map(\.text))
          if texts.count != 1 { throw RollBack() }
          let names = store.objects(Node.self).map(\.name)
          if names.count != Set(names).count { throw RollBack() }
        }
      }
    }
    try first.refresh()
    #expect(first.objects(Numbered.self).allSatisfy { $0.text == "\(rounds * 2)" })
    #expect(first.objects(Node.self).count == rounds * 2)
    #expect(Set(first.objects(Node.self).compactMap(\.objectID)).count == rounds * 2)
    try test.expectWhole()
  }

  // The environment was closed after the registry had forgotten it: another thread
  // could open the file meanwhile, and lost its locks and its reader slots.
  @Test func `the last store that closes does not disturb one that opens`() throws {
    let test = try TestStore()
    let configuration = test.configuration
    do {
      let store = try test.open()
      try store.write { try store.add((0..<200).map { Numbered(number: $0, text: "0") }) }
    }
    let rounds = Self.rounds * 3
    onThreads(4) { thread in
      for round in 0..<rounds {
        let store = try Store(configuration)
        if thread == 0 || round % 16 == 0 {
          try store.write {
            let next = (Int(store.objects(Numbered.self)[0].text) ?? 0) + 1
            for object in store.objects(Numbered.self) { object.text = "\(next)" }
          }
        } else {
          let texts = Set(store.objects(Numbered.self).map(\.text))
          if texts.count != 1 { throw RollBack() }
        }
      }
    }
    try test.expectWhole()
  }

  // A write was refused if another thread was about to add a class: 2,890 of 7,200 writes in a program
  // whose threads opened a file with five lists of models.
  @Test(.oneAtATime) func `writes wait until stores with other models are open`() throws {
    let test = try TestStore([Node.self, Named.self, Numbered.self])
    let configuration = test.configuration
    let others: [[any Model.Type]] = [[], [Tagged.self], [Required.self, Tagged.self]]
    onThreads(4) { thread in
      for round in 0..<10 {
        var own = configuration
        own.models += others[(thread + round) % others.count]
        let store = try Store(own)
        for _ in 0..<5 { try store.write { try store.add(Node(name: "\(thread)")) } }
      }
    }
    #expect(try test.open().objects(Node.self).count == 4 * 10 * 5)
    try test.expectWhole()
  }

  @Test func `stores that open a missing file at once make one`() throws {
    for _ in 0..<(Self.rounds / 10) {
      let test = try TestStore()
      let configuration = test.configuration
      let identifiers = Mutex<Set<UUID>>([])
      onThreads(4) { thread in
        let store = try Store(configuration)
        _ = identifiers.withLock { $0.insert(store.uuid) }
        try store.write { try store.add(Node(name: "\(thread)")) }
      }
      #expect(identifiers.withLock { $0.count } == 1)
      #expect(try test.open().objects(Node.self).count == 4)
      let folder = test.url.deletingLastPathComponent()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      #expect(names == ["Test.whimbrel", "Test.whimbrel-lock"])
      try test.expectWhole()
    }
  }
}
