import Foundation
import Whimbrel

extension WhimbrelEngine {
  func migrate(_ access: PropertyAccess) throws -> Outcome {
    let configuration = Store.Configuration(
      url: URL(fileURLWithPath: path), models: [SchemaV2.PersonV2.self], schemaVersion: 2,
      migration: { migration, oldVersion in
        guard oldVersion < 2 else { return }
        try migration.renameProperty(onType: "Person", from: "email", to: "mail")
        switch access {
        case .handles: try Self.fillByHandles(migration)
        case .names: try Self.fillByNames(migration)
        case .types: try Self.fillByTypes(migration)
        }
      })
    return try .measure {
      let store = try Store(configuration)
      return Double(store.objects(SchemaV2.PersonV2.self).count)
    }
  }

  private static func fillByHandles(_ migration: Migration) throws {
    let firstName = try migration.property("firstName", ofType: "Person")
    let lastName = try migration.property("lastName", ofType: "Person")
    let fullName = try migration.property("fullName", ofType: "Person")
    let age = try migration.property("age", ofType: "Person")
    let score = try migration.property("score", ofType: "Person")
    try migration.enumerateObjects(ofType: "Person") { old, new in
      guard let old, let new else { return }
      let first = try old[firstName, as: String.self]
      let last = try old[lastName, as: String.self]
      let years = try old[age, as: Int.self]
      try new.set(fullName, to: first + " " + last)
      try new.set(age, to: String(years))
      try new.set(score, to: Double(years) / 2)
    }
  }

  private static func fillByNames(_ migration: Migration) throws {
    try migration.enumerateObjects(ofType: "Person") { old, new in
      guard let old, let new else { return }
      let first = try old["firstName", as: String.self]
      let last = try old["lastName", as: String.self]
      let years = try old["age", as: Int.self]
      new["fullName"] = .string(first + " " + last)
      new["age"] = .string(String(years))
      new["score"] = .double(Double(years) / 2)
    }
  }

  private static func fillByTypes(_ migration: Migration) throws {
    try migration.enumerate(SchemaV1.Person.self, SchemaV2.PersonV2.self) { old, new in
      let years = old.age
      new.fullName = old.firstName + " " + old.lastName
      new.age = String(years)
      new.score = Double(years) / 2
    }
  }

  func changeSchema(_ change: PropertyChange) throws -> Outcome {
    var configuration = Store.Configuration(
      url: URL(fileURLWithPath: path), models: [ChangedSchema.model(after: change)],
      schemaVersion: 2)
    // The first change in a process has one-time costs. So an empty store is changed first, and is
    // not measured.
    let other = WhimbrelEngine(path: path + ".empty-\(UUID().uuidString)")
    defer { for end in ["", "-lock"] { unsafe unlink(other.path + end) } }
    _ = try other.open()
    configuration.url = URL(fileURLWithPath: other.path)
    _ = try Store(configuration)
    configuration.url = URL(fileURLWithPath: path)
    return try .measure {
      _ = try Store(configuration)
      return 1
    }
  }
}
