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
    request.snapshotLimits.maximumCommits = 8
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
}
