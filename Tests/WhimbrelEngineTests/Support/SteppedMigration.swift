import Foundation
import WhimbrelEngine

/// A migration in two steps, of which the second needs what the first has computed.
///
/// Version 1 has `Item { number, text }`; version 2 adds `length`, computed; version 3
/// renames `text` to `label`, and computes `half` in the place of `length`.
enum SteppedMigration {
  static let first = [ClassSchema("Item", .key("number"), .required("text", .string))]
  static let second = [
    ClassSchema("Item", .key("number"), .required("text", .string), .required("length", .int))
  ]
  static let third = [
    ClassSchema(
      "Item", .key("number"), .required("label", .string, was: "text"), .required("half", .double))
  ]

  /// A store of version 1.
  static func store(_ count: Int = 5) throws -> TestStore {
    try TestStore(first) { session in
      for number in 0..<count {
        try session.create("Item", ["number": .int(Int64(number)), "text": .string(text(number))])
      }
    }
  }

  static func text(_ number: Int) -> String { String(repeating: "x", count: number % 50) }

  /// The request that migrates a store.
  ///
  /// - Parameter visit: is called with the step's version and the number of each object.
  static func request(
    _ path: String, visit: @escaping @Sendable (SchemaVersion, Int) throws -> Void = { _, _ in }
  ) -> OpenRequest {
    var request = TestStore.request(path, third, version: 3)
    request.migration.steps = [
      MigrationOptions.Step(to: 2, Declaration(StoreSchema(classes: second))) { migration, _ in
        migration.report("to 2")
        try migration.enumerateObjects(ofType: "Item") { old, new in
          guard let old, let new else { return }
          try visit(2, try old["number", as: Int.self])
          try new.set("length", to: try old["text", as: String.self].utf8.count)
        }
      },
      MigrationOptions.Step(to: 3, Declaration(StoreSchema(classes: third))) { migration, _ in
        migration.report("to 3")
        try migration.enumerateObjects(ofType: "Item") { old, new in
          guard let old, let new else { return }
          try visit(3, try old["number", as: Int.self])
          try new.set("half", to: Double(try old["length", as: Int.self]) / 2)
        }
      },
    ]
    return request
  }

  /// The objects that a store has at a version.
  static func objects(_ count: Int = 5, version: SchemaVersion) -> [StoreContents.Object] {
    (0..<count).map { number in
      let (key, text) = (PropertyValue.int(Int64(number)), PropertyValue.string(text(number)))
      return switch version {
      case 1: ["number": key, "text": text]
      case 2: ["number": key, "text": text, "length": .int(Int64(number % 50))]
      default: ["number": key, "label": text, "half": .double(Double(number % 50) / 2)]
      }
    }
  }
}
