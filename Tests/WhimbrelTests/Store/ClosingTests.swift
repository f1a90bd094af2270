import Foundation
import Synchronization
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTestSupport
import WhimbrelTesting

/// What a store that was closed lets go of, and what is said when it is used.
@Suite(.serialized) struct ClosingTests {
  /// The paths of the files that this process has open in a folder.
  private func openFiles(beside url: URL) throws -> Set<String> {
    let folder = url.deletingLastPathComponent().path
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let targets = descriptors.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
    }
    return Set(targets.filter { $0.hasPrefix(folder) }.map { ($0 as NSString).lastPathComponent })
  }

  /// Whether the memory of this process has a file of the folder mapped.
  private func isMapped(_ url: URL) throws -> Bool {
    let maps = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps")).readToEnd()
    return String(decoding: maps ?? Data(), as: UTF8.self).contains(url.path)
  }

  private static let hasProc = FileManager.default.fileExists(atPath: "/proc/self/fd")

  private func filled() throws -> (test: TestStore, store: Store, object: Node) {
    let test = try TestStore()
    let store = try test.open()
    let object = Node(name: "a")
    try store.write { try store.add(object) }
    return (test, store, object)
  }

  @Test(.enabled(if: hasProc)) func `the file is let go of though objects are kept`() throws {
    let (test, store, object) = try filled()
    let results = store.objects(Node.self)
    var iterator = results.makeIterator()
    _ = iterator.next()
    let (name, lock) = (test.url.lastPathComponent, test.url.lastPathComponent + "-lock")
    #expect(try openFiles(beside: test.url) == [name, lock])
    #expect(try isMapped(test.url))
    try store.close()
    #expect(try openFiles(beside: test.url) == [])
    #expect(try !isMapped(test.url))
    #expect(object.isInvalidated)
    #expect(store.isClosed)
    withExtendedLifetime((store, object, results, iterator)) {}
  }

  // An asynchronous write keeps the file of a closed store open until it is committed. The error said
  // only to close the store, which the app had done.
  @Test func `the error of a deletion says what keeps the file open in this process`() throws {
    let (test, store, _) = try filled()
    let error = try expectError(.storeInUse) { try Store.deleteFiles(at: test.url) }
    #expect(error.recovery.contains("await its asynchronous writes"))
    try store.close()
    #expect(try Store.deleteFiles(at: test.url))
  }

  @Test(.enabled(if: hasProc)) func `other stores of the file go on working`() throws {
    let (test, store, object) = try filled()
    let other = try test.open()
    let found = try #require(other.objects(Node.self).first)
    try store.close()
    #expect(found.name == "a")
    try other.write { found.name = "b" }
    #expect(try other.refresh() == false)
    #expect(try openFiles(beside: test.url).count == 2)
    try other.close()
    #expect(try openFiles(beside: test.url) == [])
    let again = try test.open()
    #expect(again.objects(Node.self).map(\.name) == ["b"])
    withExtendedLifetime((store, object, other, found)) {}
  }

  @Test func `every call that can throw says that the store was closed`() throws {
    let (test, store, object) = try filled()
    let (results, uuid) = (store.objects(Node.self), store.uuid)
    try store.close()
    try store.close()
    let copy = test.url.deletingLastPathComponent().appending(path: "copy.whimbrel")
    func expectClosed(_ name: String, _ call: () throws -> Void) {
      let error = #expect(throws: StoreError.self, "\(name)") { try call() }
      #expect(error?.code == .storeClosed, "\(name): \(String(describing: error))")
    }
    expectClosed("write") { try store.write {} }
    expectClosed("beginWrite") { try store.beginWrite() }
    expectClosed("commitWrite") { try store.commitWrite() }
    expectClosed("cancelWrite") { try store.cancelWrite() }
    expectClosed("refresh") { try store.refresh() }
    expectClosed("add") { try store.add(Node(name: "b")) }
    expectClosed("add no objects") { try store.add([Node]()) }
    expectClosed("dynamicObjects") { _ = try store.dynamicObjects("Node") }
    expectClosed("delete") { try store.delete(object) }
    expectClosed("delete results") { try store.delete(results) }
    expectClosed("deleteAll") { try store.deleteAll() }
    expectClosed("writeCopy") { try store.writeCopy(to: copy) }
    expectClosed("undoMigration") { try store.undoMigration() }
    expectClosed("integrityFindings") { _ = try store.integrityFindings() }
    expectClosed("discard") { try store.discardPreviousGeneration() }
    expectClosed("create") { try store.create(Node.self, value: ["name": "c"]) }
    #expect(store.uuid == uuid)
    #expect(!store.canUndoMigration)
    #expect(!store.isInWrite)
  }

  @Test func `closing is refused inside of a write`() throws {
    let (test, store, object) = try filled()
    try store.write {
      try expectError(.inWrite) { try store.close() }
      object.name = "b"
    }
    try store.beginWrite()
    try expectError(.inWrite) { try store.close() }
    object.name = "c"
    try store.commitWrite()
    try store.close()
    #expect(try test.open().objects(Node.self).map(\.name) == ["c"])
  }

  @Test(.takesLong) func `what needs the file for itself can be done then`() throws {
    let (test, store, object) = try filled()
    var readOnly = test.configuration
    readOnly.isReadOnly = true
    var next = test.configuration
    next.models = [Shape2.Thing.self]
    next.schemaVersion = 1
    next.migration = { _, _ in throw RollBack() }
    let old = test.url.deletingLastPathComponent().appending(path: "old.whimbrel")
    next.whenMigrationFails = .startFresh(movingOldTo: old)
    try expectError(.freshStartRefused) { try Store(next) }
    try expectError(.storeInUse) { try Store.deleteFiles(at: test.url) }
    try store.close()
    // A file that is open read-only cannot be opened for writing before that is closed.
    let reader = try Store(readOnly)
    try expectError(.openWithOtherSettings) { try test.open() }
    try reader.close()
    let fresh = try Store(next)
    #expect(fresh.freshStart?.oldStore.path == old.path)
    try fresh.close()
    #expect(Store.exists(at: test.url))
    #expect(try Store.deleteFiles(at: test.url))
    #expect(!Store.exists(at: test.url))
    #expect(try !Store.deleteFiles(at: test.url))
    #expect(try test.open().objects(Node.self).isEmpty)
    withExtendedLifetime((store, object, reader)) {}
  }

  @Test func `a loop over objects ends`() throws {
    let test = try TestStore()
    let store = try test.open()
    try store.write { try store.add((0..<50).map { Node(name: "\($0)") }) }
    var count = 0
    for _ in store.objects(Node.self) {
      count += 1
      if count == 3 { try store.close() }
    }
    #expect(count == 3)
  }

  @Test func `a store that is undone is closed`() throws {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self])
    try test.open().close()
    var next = test.configuration
    next.models = [Shape2.Thing.self]
    next.schemaVersion = 1
    next.keepsPreviousGeneration = true
    next.migration = { _, _ in }
    let store = try Store(next)
    try store.undoMigration()
    #expect(store.isClosed)
    #expect(try Store.deleteFiles(at: test.url))
    withExtendedLifetime(store) {}
  }

  @Test func `a copy of a running store opens as the store does`() throws {
    let (test, store, object) = try filled()
    let url = test.url.deletingLastPathComponent().appending(path: "copy.whimbrel")
    try store.writeCopy(to: url)
    try store.write { object.name = "later" }
    var other = test.configuration
    other.url = url
    let copy = try Store(other)
    #expect(copy.objects(Node.self).map(\.name) == ["a"])
    #expect(copy.uuid == store.uuid)
    try expectError(.fileExists) { try store.writeCopy(to: url) }
    let web = try #require(URL(string: "https://example.org/a"))
    try expectError(.invalidConfiguration) { try store.writeCopy(to: web) }
    try expectError(.invalidConfiguration) { try Store.deleteFiles(at: web) }
    #expect(!Store.exists(at: web))
  }
}
