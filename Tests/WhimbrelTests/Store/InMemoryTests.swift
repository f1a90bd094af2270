import Foundation
import Testing
import Whimbrel
import WhimbrelEngine
import WhimbrelTesting

/// Stores that are kept in memory.
@Suite struct InMemoryTests {
  private func configuration(_ name: String = "\(UUID())") -> Store.Configuration {
    Store.Configuration(inMemory: name, models: TestStore.models)
  }

  @Test func `stores of one name are one store, and of two names two`() throws {
    let one = configuration()
    let (store, same) = (try Store(one), try Store(one))
    let other = try Store(configuration())
    try store.write { try store.add(Node(name: "a")) }
    #expect(try same.refresh())
    #expect(same.objects(Node.self).map(\.name) == ["a"])
    #expect(try !other.refresh())
    #expect(other.objects(Node.self).isEmpty)
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `a store in memory is gone with its last handle`() throws {
    let one = configuration()
    let path = try MemoryFolder.named(one.inMemoryName ?? "").path
    #expect(!FileManager.default.fileExists(atPath: path))
    let (store, same) = (try Store(one), try Store(one))
    let location = store.session.file.path
    try store.write { try store.add(Node(name: "a")) }
    try store.close()
    #expect(FileManager.default.fileExists(atPath: location))
    #expect(same.objects(Node.self).count == 0)
    #expect(try same.refresh())
    #expect(try Store(one).objects(Node.self).count == 1)
    let object = try #require(same.objects(Node.self).first)
    try same.close()
    #expect(!FileManager.default.fileExists(atPath: location))
    let folder = (location as NSString).deletingLastPathComponent
    #expect(!FileManager.default.fileExists(atPath: folder))
    #expect(try Store(one).objects(Node.self).isEmpty)
    withExtendedLifetime((store, same, object)) {}
  }

  @Test func `a store that goes away with its objects takes it along`() throws {
    let one = configuration()
    var store: Store? = try Store(one)
    let location = try #require(store?.session.file.path)
    store = nil
    #expect(!FileManager.default.fileExists(atPath: location))
  }

  @Test func `a store in memory is migrated, also while others have it open`() throws {
    let name = "\(UUID())"
    let old = Store.Configuration(
      inMemory: name, models: [Shape1.Thing.self, Shape1.Extra.self])
    let store = try Store(old)
    try store.write {
      try store.add((0..<30).map { Shape1.Thing(key: $0, name: "n\($0)", size: $0, note: nil) })
    }
    let next = Store.Configuration(
      inMemory: name, models: [Shape2.Thing.self], schemaVersion: 1,
      migration: { migration, _ in
        try migration.enumerateObjects(ofType: "Thing") { old, new in
          guard let old, let new else { return }
          new["size"] = .string("\(try old["size", as: Int.self])")
        }
      })
    #expect(try Store.migrationPlan(for: next).toVersion == 1)
    let migrated = try Store(next)
    #expect(migrated.objects(Shape2.Thing.self).map(\.size) == (0..<30).map(String.init))
    #expect(store.objects(Shape1.Thing.self).map(\.size) == Array(0..<30))
    try expectError(.schemaChangedElsewhere) { try store.refresh() }
    #expect(try migrated.integrityFindings().isEmpty)
  }

  @Test func `a store in memory begins with a seed, and its copy is a file`() throws {
    let file = try TestStore()
    let first = try Store(configuration())
    try first.write { try first.add(Node(name: "a")) }
    try first.writeCopy(to: file.url)
    var seeded = configuration()
    seeded.seedFileURL = file.url
    let store = try Store(seeded)
    #expect(store.objects(Node.self).map(\.name) == ["a"])
    try store.write { try store.add(Node(name: "b")) }
    #expect(try file.open().objects(Node.self).count == 1)
  }

  @Test func `a URL makes a store in memory one in a file`() throws {
    let test = try TestStore()
    var one = configuration("name with blanks / and ü")
    #expect(one.inMemoryName == "name with blanks / and ü")
    _ = try Store(one)
    one.url = test.url
    #expect(one.inMemoryName == nil)
    _ = try Store(one)
    #expect(Store.exists(at: test.url))
  }

  @Test func `a read-only store is not made`() throws {
    var one = configuration()
    one.isReadOnly = true
    try expectError(.fileNotFound) { try Store(one) }
  }

  @Test func `threads that open one name at once share it`() async throws {
    let one = configuration()
    let kept = try Store(one)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          do {
            let store = try Store(one)
            try store.write { try store.add(Numbered(number: number)) }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
    #expect(try kept.refresh())
    #expect(kept.objects(Numbered.self).count == 8)
  }

  @Test func `what a killed process leaves goes with the next store in memory`() async throws {
    let file = try TestStore()
    await #expect(processExitsWith: .signal(SIGKILL)) { [note = file.url as URL] in
      let one = Store.Configuration(inMemory: "killed", models: TestStore.models)
      let store = try Store(one)
      try Data(store.session.file.path.utf8).write(to: note)
      kill(getpid(), SIGKILL)
      withExtendedLifetime(store) {}
    }
    let left = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
    #expect(left.hasSuffix("killed.whimbrel"))
    _ = try Store(configuration())
    #expect(!FileManager.default.fileExists(atPath: (left as NSString).deletingLastPathComponent))
  }

  @Test func `a process that ends with open stores leaves nothing`() async throws {
    let file = try TestStore()
    await #expect(processExitsWith: .exitCode(0)) { [note = file.url as URL] in
      let one = Store.Configuration(inMemory: "ended", models: TestStore.models)
      let store = try Store(one)
      try Data(store.session.file.path.utf8).write(to: note)
      withExtendedLifetime(store) { exit(0) }
    }
    let left = String(decoding: try Data(contentsOf: file.url), as: UTF8.self)
    #expect(left.hasSuffix("ended.whimbrel"))
    #expect(!FileManager.default.fileExists(atPath: (left as NSString).deletingLastPathComponent))
  }
}
