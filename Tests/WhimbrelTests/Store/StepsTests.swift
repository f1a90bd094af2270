import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

private enum Steps1 {
  @Model("Person") final class Person {
    @PrimaryKey var id: Int
    var name: String
  }
}

private enum Steps2 {
  @Model("Person") final class Person {
    @PrimaryKey var id: Int
    var first: String
    var last: String
  }
}

private enum Steps3 {
  @Model("Person") final class Person {
    @PrimaryKey var id: Int
    var first: String
    var last: String
    var initials: String
  }
}

/// Migration in steps, as an app declares it.
@Suite struct StepsTests {
  private let sample: TemporaryStoreFile

  init() throws {
    sample = try TemporaryStoreFile()
    let store = try Store(
      Store.Configuration(url: sample.url, models: [Steps1.Person.self], schemaVersion: 1))
    try store.write {
      try store.add(Steps1.Person(id: 1, name: "Ada Lovelace"))
      try store.add(Steps1.Person(id: 2, name: "Grace Hopper"))
    }
  }

  private static let split: MigrationStep = .step(to: 2, models: [Steps2.Person.self]) {
    migration, _ in
    try migration.enumerateObjects(ofType: "Person") { old, new in
      guard let old, let new else { return }
      let words = try old["name", as: String.self].split(separator: " ").map(String.init)
      try new.set("first", to: words[0])
      try new.set("last", to: words[1])
    }
  }

  // Without a last step nothing says that the steps lead to the declared version.
  @Test func `an empty list of steps is a mistake, whether the file exists or not`() throws {
    for url in [sample.url, sample.url.appendingPathExtension("new")] {
      let configuration = Store.Configuration(
        url: url, models: [Steps3.Person.self], schemaVersion: 3, migration: .steps([]))
      let error = try #require(throws: StoreError.self) { try Store(configuration) }
      #expect(error.code == .invalidConfiguration)
      #expect(error.message.hasSuffix("its list of migration steps is empty."), "\(error)")
    }
    #expect(try Store.schemaVersion(at: sample.url) == 1)
  }

  @Test func `opening the store in its own migration says what to do`() throws {
    let url = sample.url
    let second = Store.Configuration(url: url, models: [Steps2.Person.self], schemaVersion: 2)
    var configuration = second
    configuration.migration = { migration, oldVersion in
      try Self.split.migration?(migration, oldVersion)
      let error = try #require(throws: StoreError.self) { try Store(second) }
      #expect(error.code == .migrationInProgress)
      #expect(error.message.contains("this thread is migrating it"), "\(error)")
      #expect(error.recovery.contains("Open the store when the migration has finished."))
    }
    #expect(try Store(configuration).objects(Steps2.Person.self).count == 2)
  }

  private func configuration(
    _ initials: @escaping @Sendable (DynamicObject) throws -> String
  ) -> Store.Configuration {
    Store.Configuration(
      url: sample.url, models: [Steps3.Person.self], schemaVersion: 3,
      migration: .steps([
        Self.split,
        .step(to: 3, models: [Steps3.Person.self]) { migration, oldVersion in
          #expect(oldVersion == 2)
          try migration.enumerateObjects(ofType: "Person") { old, new in
            guard let old, let new else { return }
            try new.set("initials", to: try initials(old))
          }
        },
      ]))
  }

  private static func initials(_ old: DynamicObject) throws -> String {
    let names = try [old["first", as: String.self], old["last", as: String.self]]
    return names.map { String($0.prefix(1)) }.joined()
  }

  @Test func `an app that skipped a version takes both steps`() throws {
    let store = try Store(configuration(Self.initials))
    #expect(store.objects(Steps3.Person.self).map(\.initials) == ["AL", "GH"])
    #expect(store.migrationHistory.map(\.to) == [2, 3])
  }

  @Test func `after a step has failed, the app of the version before opens the store`() throws {
    struct NoInitials: Error {}
    let failing = configuration { _ in throw NoInitials() }
    let error = try expectError(.migrationBlockFailed) { try Store(failing) }
    #expect(error.context.migrationReach?.step == 2)
    #expect(error.context.migrationReach?.version == 2)
    do {
      let store = try Store(
        Store.Configuration(url: sample.url, models: [Steps2.Person.self], schemaVersion: 2))
      #expect(store.objects(Steps2.Person.self).map(\.last) == ["Lovelace", "Hopper"])
    }
    let store = try Store(configuration(Self.initials))
    #expect(store.objects(Steps3.Person.self).map(\.initials) == ["AL", "GH"])
    #expect(try store.integrityFindings().isEmpty)
  }

  @Test func `the models of the last step must be those of the store`() throws {
    let before = try Data(contentsOf: sample.url)
    var configuration = configuration(Self.initials)
    configuration.models = [Steps2.Person.self]
    let error = try expectError(.invalidConfiguration) { try Store(configuration) }
    #expect(
      error.context.problems
        == ["after its last migration step, property 'Person.initials' has been removed"])
    configuration.models = [Steps3.Person.self]
    configuration.migration = { _, _ in }
    try expectError(.invalidConfiguration) { try Store(configuration) }
    #expect(try Data(contentsOf: sample.url) == before)
  }

  @Test func `all that is wrong with models is told at once, inverses and steps included`() throws {
    var configuration = configuration(Self.initials)
    configuration.models = [Hermit.self]
    configuration.migrationSteps = .steps([.step(to: 3, models: [Hermit.self])])
    let error = try expectError(.invalidSchema) { try Store(configuration) }
    let inverse =
      "Inverse 'Hermit.friends' needs class 'HermitFriend', which is not among the models."
    #expect(
      error.context.problems == [
        "Property 'Hermit.friend' links to class 'HermitFriend', which is not in the schema.",
        inverse, "In the step to version 3: \(inverse)",
      ])
    #expect(error.recovery.hasSuffix("missing to the 'models' of the configuration."))
  }
}

@Model
final class Hermit {
  var friend: HermitFriend?
  @Inverse(of: \HermitFriend.hermit) var friends: LinkingObjects<HermitFriend>
}

@Model
final class HermitFriend {
  var hermit: Hermit?
}
