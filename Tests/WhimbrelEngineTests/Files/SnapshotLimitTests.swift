import Foundation
import Testing
import WhimbrelEngine

/// Snapshots that fall behind.
@Suite struct SnapshotLimitTests {
  private func add(_ number: Int64, in session: Session) throws {
    try session.write { _ = try session.create("Item", ["number": .int(number)]) }
  }

  @Test func `a snapshot above the limit stops writes until it is released`() throws {
    let store = try TestStore([ClassSchema("Item", .key("number"))])
    var request = OpenRequest(path: store.path)
    request.file.snapshotLimits.maximumCommits = 8
    let writer = try Session(StoreFile.open(request))
    let reader = try store.session()
    #expect(try reader.table("Item").count() == 0)
    var error: StoreError?
    var number: Int64 = 0
    while error == nil, number < 100 {
      number += 1
      error = storeError { try add(number, in: writer) }
    }
    #expect(error?.code == .snapshotTooOld)
    #expect(error?.context.processID == getpid())
    #expect((9...12).contains(number))
    let snapshot = try #require(try writer.file.activeSnapshots().first)
    #expect(snapshot.commitsBehind == Int(number) - 1)
    #expect(snapshot.since != nil)
    #expect(storeError { try add(number, in: writer) }?.code == .snapshotTooOld)
    reader.close()
    try add(number, in: writer)
    #expect(try writer.table("Item").count() == Int(number))
  }

  @Test func `the log names a snapshot that is too many commits old, once`() throws {
    let log = Log.shared
    let store = try TestStore([ClassSchema("Item", .key("number"))])
    var request = OpenRequest(path: store.path)
    request.file.snapshotLimits.warningCommits = 8
    let writer = try Session(StoreFile.open(request))
    let first = try store.session()
    for number in 1...7 { try add(Int64(number), in: writer) }
    #expect(log.messages(about: store.path) == [])
    for number in 8...40 { try add(Int64(number), in: writer) }
    let message = try #require(log.messages(about: store.path).first)
    #expect(log.messages(about: store.path).count == 1)
    // It looks at the snapshots every second commit.
    let ages = [8, 9, 10]
    #expect(
      ages.map { "A snapshot is \($0) commits old" }.contains { message.hasPrefix($0) },
      "\(message)")
    #expect(message.hasSuffix("Refresh or close the store that holds it."))
    // Another snapshot is named for itself.
    let second = try store.session()
    for number in 41...60 { try add(Int64(number), in: writer) }
    #expect(log.messages(about: store.path).count == 2)
    for session in [first, second] { #expect(try session.table("Item").count() < 60) }
  }

  @Test func `the log names a snapshot since which the file has grown too much`() throws {
    let log = Log.shared
    let store = try TestStore([ClassSchema("Item", .key("number"), .required("text", .string))])
    var request = OpenRequest(path: store.path)
    request.file.snapshotLimits.warningBytes = 1 << 20
    request.file.snapshotLimits.maximumCommits = 1_000
    let writer = try Session(StoreFile.open(request))
    let reader = try store.session()
    for number in 0..<140 {
      _ = try writer.write {
        try writer.create(
          "Item",
          ["number": .int(Int64(number)), "text": .string(String(repeating: "n", count: 40_000))])
      }
    }
    #expect(log.messages(about: store.path).count == 1)
    #expect(try reader.table("Item").count() == 0)
  }
}
