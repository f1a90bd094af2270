import Foundation
import WhimbrelEngine
import WhimbrelTestSupport

/// A migration of several batches, for tests of what may happen in its midst.
///
/// Version 1 has `Item { number, text }` and `Note { item }`; version 2 computes
/// `Item.length`, and indexes it.
enum BigMigration {
  static let old = [
    ClassSchema("Item", .key("number"), .required("text", .string)),
    ClassSchema("Note", .link("item", to: "Item")),
  ]
  static let new = [
    ClassSchema(
      "Item", .key("number"), .required("text", .string), .indexed("length", .int)),
    ClassSchema("Note", .link("item", to: "Item")),
  ]

  /// How many objects a store of 20 MB has; some other size in smaller tests.
  static let bigCount = TestRun.isLong ? 10_000 : 2_000
  static let textSize = TestRun.isLong ? 2_000 : 10_000

  static func text(_ number: Int) -> String {
    String(
      decoding: [UInt8](repeating: UInt8(97 + number % 26), count: length(number)), as: UTF8.self)
  }

  static func length(_ number: Int) -> Int { textSize - number % 100 }

  /// A store of version 1.
  static func store(_ count: Int) throws -> TestStore {
    try TestStore(old) { session in
      for number in 0..<count {
        let id = try session.create(
          "Item", ["number": .int(Int64(number)), "text": .string(text(number))])
        if number % 1_000 == 0 { try session.create("Note", ["item": .link(id)]) }
      }
    }
  }

  /// The request that migrates a store.
  ///
  /// - Parameter visit: is called with the number of each object.
  static func request(
    _ path: String, visit: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) -> OpenRequest {
    TestStore.request(path, new, version: 2) { migration, _ in
      try migration.enumerateObjects(ofType: "Item") { old, new in
        guard let old, let new else { return }
        try visit(try old["number", as: Int.self])
        try new.set("length", to: try old["text", as: String.self].utf8.count)
      }
    }
  }

  /// The request that migrates a store online.
  static func onlineRequest(_ path: String) -> OpenRequest {
    // A rule needs a default, in case that it leaves the property unset.
    var length = PropertySchema(name: "length", type: .int, isIndexed: true)
    length.defaultValue = .value(.int(-1))
    let item = ClassSchema(
      name: "Item", properties: Self.old[0].properties + [length], indexes: Self.old[0].indexes)
    var request = TestStore.request(path, [item, Self.old[1]], version: 2)
    request.identity.date = Date(timeIntervalSinceReferenceDate: 0)
    request.declaration?.rules = rules
    request.transition = TransitionOptions(startsPaused: true)
    return request
  }

  static let rules = RuleBook([
    ObjectRule(from: 1, old[0], ClassSchema("Item", .required("length", .int)), isLast: true) {
      TextRule($0) { .int(Int64($0.utf8.count)) }
    }
  ])

  /// What is not as it must be in a store of `count` objects, at either version.
  static func problems(_ store: TestStore, _ count: Int, version: SchemaVersion) throws -> [String]
  {
    let contents = try store.contents()
    var problems = try store.findings()
    if contents.version != version { problems.append("version \(contents.version)") }
    let items = contents.list("Item")
    if items.count != count { problems.append("\(items.count) items") }
    for (number, item) in items.enumerated() {
      var expected: StoreContents.Object = [
        "number": .int(Int64(number)), "text": .string(text(number)),
      ]
      if version == 2 { expected["length"] = .int(Int64(length(number))) }
      if item != expected { problems.append("item \(number)") }
    }
    if contents.list("Note").contains(where: { $0["item"] == .null }) { problems.append("links") }
    return problems
  }
}
