import Foundation
import Testing
import Whimbrel
import WhimbrelTestSupport

/// Observers while another process changes the schema of the file.
@Suite(.oneAtATime, .mustEnd) struct SchemaObservationTests {
  private typealias Notes = FollowingTests.Notes

  private static let migration: MigrationBlock = { migration, _ in
    try migration.enumerateObjects(ofType: "Thing") { old, new in
      guard let old, let new else { return }
      new["size"] = .string("\(try old["size", as: Int.self])")
    }
  }

  private static func migrated(_ path: String) -> Store.Configuration {
    Store.Configuration(
      url: URL(filePath: path), models: [Shape2.Thing.self], schemaVersion: 1,
      migration: migration)
  }

  /// An actor with observers of all kinds.
  private actor Observers {
    static let names = ["results", "limit", "object", "store", "loop"]

    private let store: Store
    private let notes: Notes
    private var tokens: [ObservationToken] = []

    init(_ configuration: Store.Configuration, _ notes: Notes) throws {
      store = try Store(configuration)
      self.notes = notes
    }

    func observe() throws {
      let things = store.objects(Shape1.Thing.self)
      let thing = try #require(things.first)
      tokens = [
        things.observe { [notes] in notes.add("results \(Self.text($0))") },
        things.where { $0.size >= 0 }.sorted(by: \.name).limit(5).observe { [notes] in
          notes.add("limit \(Self.text($0))")
        },
        thing.observe { [notes] change in
          switch change {
          case .change(let thing, _): notes.add("object \(thing.size)")
          case .deleted: notes.add("object deleted")
          case .error(let error): notes.add("object \(Self.text(error))")
          }
        },
        store.observe { [notes] change in
          switch change {
          case .initial: notes.add("store initial")
          case .update(_, let update):
            notes.add("store \(update.modifications(of: Shape1.Thing.self).count)")
          case .error(let error): notes.add("store \(Self.text(error))")
          }
        },
      ]
    }

    func loop() async {
      for await change in store.objects(Shape1.Thing.self).changes {
        notes.add("loop \(Self.text(change))")
      }
    }

    func size() -> Int? { store.objects(Shape1.Thing.self).first?.size }

    /// Expects that the store cannot be used any longer.
    func expectRefusals() throws {
      try expectError(.schemaChangedElsewhere) { try store.refresh() }
      try expectError(.schemaChangedElsewhere) { try store.write {} }
      #expect(tokens.allSatisfy { $0.isInvalidated })
    }

    func set(_ size: Int) throws {
      try store.write { store.objects(Shape1.Thing.self).first?.size = size }
    }

    private static func text(_ change: CollectionChange<Shape1.Thing>) -> String {
      switch change {
      case .initial: "initial"
      case .update(let things, let update):
        "\(things.first?.size ?? -1) \(update.modifications)"
      case .error(let error): text(error)
      }
    }

    private static func text(_ error: any Error) -> String {
      "error \((error as? StoreError)?.code.description ?? "?")"
    }
  }

  private func opened() throws -> TestStore {
    let test = try TestStore([Shape1.Thing.self, Shape1.Extra.self])
    let store = try test.open()
    try store.write {
      try store.add(
        (0..<50).map { Shape1.Thing(key: $0, name: "n\($0)", size: $0, note: nil) })
    }
    return test
  }

  /// Returns observers of all kinds that were told of the state at hand, with their loop.
  private func observed(
    _ configuration: Store.Configuration, _ notes: Notes
  ) async throws -> (Observers, Task<Void, Never>) {
    let observers = try Observers(configuration, notes)
    try await observers.observe()
    let loop = Task { await observers.loop() }
    #expect(await notes.wait { $0.contains("loop initial") })
    return (observers, loop)
  }

  private static func notes(of name: String, in notes: [String]) -> [String] {
    notes.filter { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
  }

  @Test func `a migration to a schema that the app cannot use is told once, as an error`()
    async throws
  {
    let test = try opened()
    let notes = Notes()
    let (observers, loop) = try await observed(test.configuration, notes)
    let path = test.url.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store(Self.migrated(path))
      for size in 0..<5 {
        try store.write { store.objects(Shape2.Thing.self).first?.size = "\(size)" }
        usleep(2_000)
      }
    }
    let error = "error schemaChangedElsewhere"
    #expect(
      await notes.wait { notes in
        Observers.names.allSatisfy { Self.notes(of: $0, in: notes).last == error }
      }, "\(notes.all)")
    await loop.value
    try await observers.expectRefusals()
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try Store(Self.migrated(path))
      try store.write { try store.add(Shape2.Thing(key: 100, name: nil, size: "new")) }
    }
    try await Task.sleep(for: .milliseconds(50))
    for name in Observers.names {
      let own = Self.notes(of: name, in: notes.all)
      #expect(own.filter { $0 == error }.count == 1 && own.last == error, "\(name): \(own)")
    }
    // What was observed is still what it was.
    #expect(await observers.size() == 0)
  }

  enum Addition: String, CaseIterable, Codable {
    case aClass
    case anIndex

    var models: [any Model.Type] {
      switch self {
      case .aClass: [Shape1.Thing.self, Shape1.Extra.self, Small.self]
      case .anIndex: [Shape1Indexed.Thing.self, Shape1.Extra.self]
      }
    }
  }

  /// Opens the file with other models, and changes a size twice.
  private static func add(_ addition: Addition, _ path: String) throws {
    let store = try Store(
      Store.Configuration(url: URL(filePath: path), models: addition.models))
    for size in [76, 77] {
      usleep(20_000)
      try store.write {
        switch addition {
        case .aClass: store.objects(Shape1.Thing.self).first?.size = size
        case .anIndex: store.objects(Shape1Indexed.Thing.self).first?.size = size
        }
      }
    }
  }

  @Test(arguments: Addition.allCases)
  func `observers go on after another process has added`(_ addition: Addition) async throws {
    let test = try opened()
    let notes = Notes()
    let (observers, loop) = try await observed(test.configuration, notes)
    await #expect(processExitsWith: .success) {
      [path = test.url.path as String, addition = addition as Addition] in
      try Self.add(addition, path)
    }
    for _ in 0..<1_000 where await observers.size() != 77 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(await observers.size() == 77)
    try await observers.set(78)
    let expected = ["results 78 [0]", "limit 78 [0]", "object 78", "store 1", "loop 78 [0]"]
    #expect(
      await notes.wait { notes in
        zip(Observers.names, expected).allSatisfy { name, last in
          "\(name) \(Self.notes(of: name, in: notes).last ?? "")" == last
        }
      }, "\(notes.all)")
    #expect(!notes.all.contains { $0.contains("error") }, "\(notes.all)")
    loop.cancel()
    await loop.value
    try test.expectWhole()
  }

  @Test func `an object that changed together with the schema is reported as changed`() throws {
    let test = try opened()
    let store = try test.open()
    let thing = try #require(store.objects(Shape1.Thing.self).first)
    var reported: [(size: Int, names: [String])] = []
    let token = thing.observe { change in
      guard case .change(let thing, let properties) = change else { return }
      reported.append((thing.size, properties.map(\.name)))
    }
    // The store sees both in one step.
    let other = try Store(
      Store.Configuration(url: test.url, models: Addition.aClass.models))
    try other.write { other.objects(Shape1.Thing.self).first?.size = 99 }
    try store.refresh()
    #expect(reported.map(\.size) == [99])
    #expect(reported.map(\.names) == [[]])
    try store.write { thing.size = 100 }
    #expect(reported.map(\.size) == [99, 100])
    #expect(reported.last?.names == ["size"])
    token.invalidate()
  }
}
