import Testing
import WhimbrelTestSupport

/// Methods of actors that create objects from a local list and use the list afterwards.
///
/// Swift 6.3 rejects one of them: `Snippets/actor-local-list.swift` records it. A closure that
/// captures an actor, as one that uses its `store` property does, takes every value that is not
/// `Sendable` and that it captures with it. That is so even if the closure is never called, so no
/// signature of `write` can change it.
@Suite(.serialized) struct ActorTests {
  private static let models = """
    import Foundation
    import Whimbrel

    @Model final class Book {
      @PrimaryKey var title: String
      var pages: Int = 0
    }

    func rows(_ text: Data) throws -> [[String: Any]] {
      try JSONSerialization.jsonObject(with: text) as? [[String: Any]] ?? []
    }
    """

  /// A body of `func load(_ text: Data) throws -> Int`.
  private static let usingParameter = """
    let list: [[String: Any]] = try rows(text)
    try store.write { store in
      for value in list { try store.create(Book.self, value: value, update: .modified) }
    }
    return list.count
    """

  /// Bodies that compile in an actor.
  private static let bodies = [
    usingParameter,
    """
    let list: [[String: Any]] = try rows(text)
    let store = store
    try store.write {
      for value in list { try store.create(Book.self, value: value, update: .modified) }
    }
    return list.count
    """,
    """
    let list: [[String: Any]] = try rows(text)
    try store.write { [store] in
      for value in list { try store.create(Book.self, value: value, update: .modified) }
    }
    return list.count
    """,
    """
    let list: [[String: Any]] = try rows(text)
    return try store.write {
      for value in list { try store.create(Book.self, value: value, update: .modified) }
      return list.count
    }
    """,
    """
    let list: [[String: Any]] = try rows(text)
    let store = try Store(configuration)
    try store.write {
      for value in list { try store.create(Book.self, value: value, update: .modified) }
    }
    return list.count
    """,
    """
    let list: [[String: Any]] = try rows(text)
    try store.write { store in
      _ = try store.create(Book.self, values: list, update: .modified)
    }
    return list.count
    """,
    """
    let list = ["Emma", "Ulysses"]
    try store.write {
      for title in list { try store.create(Book.self, value: ["title": title], update: .modified) }
    }
    return list.count
    """,
  ]

  /// Declarations that have a store and a method, and where the store is used as in an app.
  private static func source(_ type: String, _ header: String, _ body: String) -> String {
    let body = body.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    return """
      \(type) {
        let configuration: Store.Configuration
        let store: Store
        init(_ configuration: Store.Configuration) throws {
          self.configuration = configuration
          store = try Store(configuration)
        }
        \(header) {
      \(body)
        }
      }
      """
  }

  private static let headers = [
    "func load(_ text: Data) throws -> Int", "func load(_ text: Data) async throws -> Int",
  ]

  @Test(arguments: [Compiler.Mode.debug, .strict])
  func `a method of an actor uses a list after a write that read it`(mode: Compiler.Mode) throws {
    var text = Self.models
    for (number, body) in Self.bodies.enumerated() {
      for (half, header) in Self.headers.enumerated() {
        text += "\n" + Self.source("actor Importer\(number)\(half)", header, body)
      }
    }
    try expectCompiles([.init(name: "App.swift", text: text)], mode)
  }

  @Test(arguments: [Compiler.Mode.debug, .strict, .mainActor])
  func `a class of the main actor may use its store property within the write`(
    mode: Compiler.Mode
  ) throws {
    let body = """
      let list: [[String: Any]] = try rows(text)
      try store.write {
        for value in list { try store.create(Book.self, value: value, update: .modified) }
      }
      return list.count
      """
    var text = Self.models.replacing("@Model final", with: "@Model nonisolated final")
    for (number, header) in Self.headers.enumerated() {
      text += "\n" + Self.source("@MainActor final class Importer\(number)", header, body)
      text +=
        "\n"
        + Self.source("nonisolated final class Unconfined\(number)", header, body)
        .replacing("try rows(text)", with: "[[\"title\": text]]")
    }
    try expectCompiles([.init(name: "App.swift", text: text)], mode)
  }

  @Test func `an actor imports a local list and returns its count`() throws {
    let text =
      Self.models + "\n"
      + Self.source("actor Importer", Self.headers[0], Self.usingParameter) + """

        @main enum Main {
          static func main() async throws {
            let configuration = Store.Configuration(inMemory: "books", models: [Book.self])
            let store = try Store(configuration)
            let importer = try Importer(configuration)
            let text = Data(#"[{"title": "Emma", "pages": 474}, {"title": "Ulysses"}]"#.utf8)
            let count = try await importer.load(text)
            try store.refresh()
            print(count, store.objects(Book.self).map(\\.pages).sorted())
          }
        }
        """
    let outcome = try Compiler.run([.init(name: "App.swift", text: text)])
    #expect(outcome.output == "2 [0, 474]\n")
  }
}
