import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

@Suite struct SharedFileTests {
  @Test func `a second name by a hard link is refused`() throws {
    let test = try TestStore()
    let store = try test.open()
    var other = test.configuration
    other.url = test.url.deletingLastPathComponent().appending(path: "Other.whimbrel")
    try FileManager.default.linkItem(at: test.url, to: other.url)
    try expectError(.hardLinked) { try Store(other) }
    try expectError(.hardLinked) { try store.write { try store.add(Node(name: "a")) } }
    try FileManager.default.removeItem(at: other.url)
    try store.write { try store.add(Node(name: "a")) }
    #expect(store.objects(Node.self).count == 1)
  }

  @Test func `another path to the same file shares what is open`() throws {
    let test = try TestStore()
    let store = try test.open()
    var other = test.configuration
    other.url = test.url.deletingLastPathComponent().appending(path: "Other.whimbrel")
    try FileManager.default.createSymbolicLink(at: other.url, withDestinationURL: test.url)
    let linked = try Store(other)
    #expect(linked.session.file.isSame(as: store.session.file))
    #expect(linked.uuid == store.uuid)
    let node = Node(name: "a")
    try linked.write {
      try linked.add(node)
      // Two write transactions of one file on one thread would wait for ever.
      try expectError(.nestedWrite) { try store.write {} }
    }
    try store.refresh()
    #expect(store.objects(Node.self).first?.isSameObject(as: node) == true)
    try test.expectWhole()
  }

  // Opening waited for 30 seconds and threw `mapFull`: the snapshot of the migration kept the map
  // from growing.
  @Test func `a file that has outgrown its maximum size is migrated`() throws {
    var test = try TestStore([Shape1.Thing.self])
    test.configuration.maximumSize = 1 << 20
    let name = String(repeating: "a", count: 20_000)
    let store = try test.open()
    try store.write {
      for key in 0..<300 { try store.add(Shape1.Thing(key: key, name: name, size: 5, note: nil)) }
    }
    try store.close()
    var configuration = Store.Configuration(
      url: test.url, models: [Shape2.Thing.self], schemaVersion: 1,
      migration: { migration, _ in
        try migration.enumerateObjects(ofType: "Thing") { _, new in new?["size"] = .string("x") }
      })
    configuration.maximumSize = 1 << 20
    let migrated = try Store(configuration)
    let sizes = migrated.objects(Shape2.Thing.self).map(\.size)
    #expect(sizes == Array(repeating: "x", count: 300))
  }

  /// How a store comes to the commit of another process.
  enum Step: CaseIterable {
    case refresh, write, asyncWrite
  }

  // The map of a process grows only while it holds no snapshot.
  @Test(arguments: Step.allCases, [false, true])
  func `a file that another process has enlarged is read and written`(
    _ step: Step, _ isObserved: Bool
  ) async throws {
    var test = try TestStore()
    test.configuration.maximumSize = 1 << 20
    let store = try test.open()
    let token = isObserved ? store.objects(Node.self).observe { _ in } : nil
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let other = try Store(.init(url: URL(fileURLWithPath: path), models: TestStore.models))
      try other.write {
        try other.add(Node(name: "theirs"))
        try other.add(Optionals(data: Data(repeating: 7, count: 4 << 20)))
      }
    }
    switch step {
    case .refresh: #expect(try store.refresh())
    case .write: try store.write { try store.add(Node(name: "ours")) }
    case .asyncWrite: try await store.asyncWrite { try store.add(Node(name: "ours")) }
    }
    #expect(store.objects(Node.self).count == (step == .refresh ? 1 : 2))
    #expect(store.objects(Optionals.self).first?.data?.count == 4 << 20)
    withExtendedLifetime(token) {}
    try test.expectWhole()
  }

  // The snapshot was released before the schema was read: all results were empty, without an error.
  @Test func `a store of an enlarged file with another schema keeps its snapshot`() async throws {
    var test = try TestStore([Shape1.Thing.self])
    do {
      let store = try test.open()
      try store.write { try store.add(Shape1.Thing(key: 1, name: "a", size: 5, note: nil)) }
      try store.close()
    }
    test.configuration.maximumSize = 1 << 20
    let store = try test.open()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let other = try Store(
        .init(
          url: URL(fileURLWithPath: path), models: [Shape2.Thing.self], schemaVersion: 1,
          migration: { migration, _ in
            try migration.enumerateObjects(ofType: "Thing") { _, new in new?["size"] = .string("x")
            }
          }))
      try other.write {
        other.objects(Shape2.Thing.self).first?.name = String(repeating: "a", count: 4 << 20)
      }
    }
    for _ in 0..<2 {
      try expectError(.schemaChangedElsewhere) { try store.refresh() }
      try expectError(.schemaChangedElsewhere) { try store.write {} }
      #expect(store.objects(Shape1.Thing.self).map(\.size) == [5])
    }
  }

  /// A store that is closed drops the locks of this process on its lock file.
  @Test func `a store made where an open one was deleted keeps its locks`() async throws {
    let test = try TestStore()
    let old = try test.open()
    try old.write { try old.add(Node(name: "old")) }
    try FileManager.default.removeItem(at: test.url)
    try expectError(.storeMoved) { try old.write {} }
    let store = try Store(test.configuration)
    try old.close()
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let url = URL(fileURLWithPath: path)
      try expectError(.storeInUse) { try Store.deleteFiles(at: url) }
      let other = try Store(.init(url: url, models: TestStore.models))
      try other.write { try other.add(Node(name: "theirs")) }
    }
    try store.write { try store.add(Node(name: "ours")) }
    #expect(store.objects(Node.self).map(\.name) == ["theirs", "ours"])
    try test.expectWhole()
  }

  @Test func `another process writes, and is seen after refresh`() async throws {
    let test = try TestStore()
    let store = try test.open()
    let node = Node(name: "ours")
    try store.write { try store.add(node) }
    await #expect(processExitsWith: .success) { [path = test.url.path as String] in
      let configuration = Store.Configuration(
        url: URL(fileURLWithPath: path), models: TestStore.models)
      let other = try Store(configuration)
      try other.write {
        for object in other.objects(Node.self) { object.name = "changed" }
        try other.add(Node(name: "theirs"))
      }
    }
    #expect(node.name == "ours")
    #expect(try store.refresh())
    #expect(store.objects(Node.self).map(\.name) == ["changed", "theirs"])
    try store.write { try store.add(Node(name: "last")) }
    #expect(Set(store.objects(Node.self).compactMap(\.objectID)).count == 3)
    try test.expectWhole()
  }
}
