import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct CreationRaceTests {
  private func isWhole(_ store: OpeningTestStore, objects: Int) throws {
    let session = try Session(StoreFile.open(store.request))
    #expect(try session.table("Thing").count() == objects)
    #expect(try IntegrityCheck.run(session).isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: store.folder).sorted()
    #expect(left == ["test.whimbrel", "test.whimbrel-lock"])
  }

  @Test(arguments: 0..<TestRun.count(5, long: 50))
  func `threads that make one store at once all get it`(round: Int) async throws {
    let store = try OpeningTestStore(objects: nil)
    let path = store.path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          let session = try Session(StoreFile.open(OpeningTestStore.request(path)))
          try OpeningTestStore.add(number * 10..<number * 10 + 2, to: session)
        }
      }
      try await group.waitForAll()
    }
    try isWhole(store, objects: 16)
  }

  @Test func `processes that make one store at once all get it`() async throws {
    let store = try OpeningTestStore(objects: nil)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask { [path = store.path] in
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int] in
            let session = try Session(StoreFile.open(OpeningTestStore.request(path)))
            try OpeningTestStore.add(number * 10..<number * 10 + 2, to: session)
          }
        }
      }
    }
    try isWhole(store, objects: 16)
  }

  @Test(arguments: 0..<TestRun.count(6, long: 60))
  func `a process killed while it makes a store leaves none, or a whole one`(
    round: Int
  ) async throws {
    let store = try OpeningTestStore(objects: nil)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = store.path as String, round = round as Int] in
      Thread.detachNewThread {
        usleep(UInt32(round * 700))
        kill(getpid(), SIGKILL)
      }
      while true {
        _ = try? StoreFile.open(OpeningTestStore.request(path))
      }
    }
    let session = try Session(StoreFile.open(store.request))
    #expect(try IntegrityCheck.run(session).isEmpty)
    try OpeningTestStore.add(0..<3, to: session)
  }
}
