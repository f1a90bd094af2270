import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct ReadOnlyTests {
  @Test func `a read-only store reads, refuses to write and leaves the bytes alone`() throws {
    let test = try TestStore()
    do {
      let store = try test.open()
      try store.write { try store.add((0..<100).map { Numbered(number: $0, text: "\($0)") }) }
    }
    let before = try Data(contentsOf: test.url)
    do {
      let store = try test.openReadOnly()
      #expect(store.objects(Numbered.self).map(\.text) == (0..<100).map(String.init))
      try expectError(.readOnlyStore) { try store.write {} }
      try expectError(.notInWrite) { try store.add(Node(name: "a")) }
      #expect(try store.refresh() == false)
      #expect(try store.integrityFindings().isEmpty)
    }
    #expect(try Data(contentsOf: test.url) == before)
  }

  @Test func `a read-only store is not made when it is missing`() throws {
    let test = try TestStore()
    try expectError(.fileNotFound) { try test.openReadOnly() }
    #expect(!FileManager.default.fileExists(atPath: test.url.path))
  }

  @Test func `a file that is open read-only is not opened for writing`() throws {
    let test = try TestStore()
    _ = try test.open()
    let reader = try test.openReadOnly()
    try expectError(.openWithOtherSettings) { try test.open() }
    #expect(reader.objects(Node.self).isEmpty)
    withExtendedLifetime(reader) {}
  }

  @Test func `a read-only store follows the writes of a writing one`() throws {
    let test = try TestStore()
    let writer = try test.open()
    let reader = try test.openReadOnly()
    try writer.write { try writer.add(Node(name: "a")) }
    #expect(reader.objects(Node.self).isEmpty)
    #expect(try reader.refresh())
    #expect(reader.objects(Node.self).first?.name == "a")
    try expectError(.readOnlyStore) { try reader.write {} }
  }

  @Test func `a read-only store that would have to be migrated is an error`() throws {
    let test = try TestStore([Shape1.Thing.self])
    _ = try test.open()
    let before = try Data(contentsOf: test.url)
    var other = test.configuration
    other.isReadOnly = true
    other.models = [Shape2.Thing.self]
    other.schemaVersion = 1
    let error = try expectError(.migrationNeeded) { try Store(other) }
    // The others need no data change.
    #expect(
      error.context.changes == [
        .propertyRetyped(class: "Thing", property: "size", from: .int, to: .string)
      ])
    #expect(error.message.contains("'Thing.size' has been changed from 'int' to 'string'"))
    // No migration is made without a new version, read-only or not.
    other.schemaVersion = 0
    let mismatch = try expectError(.schemaMismatch) { try Store(other) }
    #expect(mismatch.context.changes == error.context.changes)
    #expect(try Data(contentsOf: test.url) == before)
  }
}
