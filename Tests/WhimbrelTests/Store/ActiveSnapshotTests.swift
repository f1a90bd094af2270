import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Who holds old pages of a file, and the limits for that.
@Suite struct ActiveSnapshotTests {
  private func add(_ count: Int, to store: Store, characters: Int = 10) throws {
    for _ in 0..<count {
      try store.write {
        try store.add(Node(name: String(repeating: "n", count: characters)))
      }
    }
  }

  /// Writes until it is refused, and returns the error and the number of writes before.
  private func addUntilRefused(to store: Store, characters: Int) -> (StoreError?, writes: Int) {
    for number in 0..<400 {
      do {
        try add(1, to: store, characters: characters)
      } catch {
        return (error as? StoreError, number)
      }
    }
    return (nil, 400)
  }

  @Test func `snapshots are listed with their ages, the oldest first`() throws {
    let test = try TestStore()
    let writer = try test.open()
    let old = try test.open()
    try add(3, to: writer)
    let newer = try test.open()
    try add(2, to: writer)
    let snapshots = try writer.activeSnapshots
    #expect(snapshots.map(\.commitsBehind) == [5, 2, 0])
    #expect(snapshots.allSatisfy { $0.processID == getpid() && $0.threadID != 0 })
    #expect(try old.activeSnapshots.map(\.commitsBehind) == [5, 2, 0])
    #expect(snapshots[0].since ?? .distantFuture <= Date())
    try old.refresh()
    #expect(try writer.activeSnapshots.map(\.commitsBehind) == [2, 0, 0])
    try newer.close()
    #expect(try writer.activeSnapshots.map(\.commitsBehind) == [0, 0])
    try expectError(.storeClosed) { _ = try newer.activeSnapshots }
  }

  @Test func `a read-only store lists them, too`() throws {
    let test = try TestStore()
    let writer = try test.open()
    let reader = try test.openReadOnly()
    try add(4, to: writer)
    #expect(try reader.activeSnapshots.map(\.commitsBehind) == [4, 0])
  }

  @Test(.oneAtATime) func `the snapshot of another process is listed until it dies`() async throws {
    let test = try TestStore()
    let writer = try test.open()
    let path = test.url.path
    async let child: ExitTest.Result? = #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String] in
      let store = try Store(
        Store.Configuration(url: URL(filePath: path), models: TestStore.models))
      Signal.send(path + ".open", "\(getpid())")
      try Signal.wait(for: path + ".die")
      kill(getpid(), SIGKILL)
      _ = store.isClosed
    }
    let process = try #require(Int32(try await Signal.arrival(of: path + ".open")))
    try add(3, to: writer)
    let snapshot = try #require(try writer.activeSnapshots.first)
    #expect(snapshot.processID == process)
    #expect(snapshot.commitsBehind == 3)
    Signal.send(path + ".die")
    _ = await child
    #expect(try writer.activeSnapshots.map(\.processID) == [getpid()])
  }

  @Test func `writes are refused when a snapshot is too many commits old`() throws {
    let test = try TestStore()
    var limited = test
    limited.configuration.snapshotLimits.maximumCommits = 12
    let (writer, reader) = (try limited.open(), try test.open())
    let (error, writes) = addUntilRefused(to: writer, characters: 10)
    #expect(error?.code == .snapshotTooOld)
    #expect(error?.context.processID == getpid())
    #expect(error?.context.count == writes)
    // It looks at the snapshots every third commit.
    #expect((12...15).contains(writes))
    #expect(writer.objects(Node.self).count == writes)
    try expectError(.snapshotTooOld) { try add(1, to: writer) }
    // A store without limits may write, and refreshing releases the pages.
    try add(1, to: reader)
    try add(1, to: writer)
    try test.expectWhole()
  }

  @Test func `writes are refused when a file has grown too much since a snapshot`() throws {
    let test = try TestStore()
    var limited = test
    limited.configuration.snapshotLimits.maximumBytes = 2 << 20
    let (writer, reader) = (try limited.open(), try test.open())
    let before = try #require(FileManager.default.byteCount(of: test.url))
    let (error, writes) = addUntilRefused(to: writer, characters: 100_000)
    #expect(error?.code == .snapshotTooOld)
    #expect(error?.message.contains("process \(getpid())") == true)
    let grown = try #require(FileManager.default.byteCount(of: test.url)) - before
    #expect(grown >= 2 << 20, "\(writes) writes")
    let growth = try #require(try writer.activeSnapshots.first?.fileGrowth)
    #expect((2 << 20...grown).contains(growth))
    #expect(error?.message.contains("\(growth) bytes") == true, "\(error?.message ?? "")")
    try reader.refresh()
    try add(1, to: writer)
  }

  @Test func `without a maximum, no snapshot stops a write`() throws {
    let test = try TestStore()
    let (writer, reader) = (try test.open(), try test.open())
    #expect(addUntilRefused(to: writer, characters: 10).0 == nil)
    #expect(try writer.activeSnapshots.first?.commitsBehind == 400)
    #expect(reader.objects(Node.self).isEmpty)
  }
}

extension FileManager {
  fileprivate func byteCount(of url: URL) -> Int? {
    (try? attributesOfItem(atPath: url.path))?[.size] as? Int
  }
}
