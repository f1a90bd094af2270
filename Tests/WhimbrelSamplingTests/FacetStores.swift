import Foundation
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

/// The texts of the facets of a store, without the class in front when it is `Thing`.
func facetTexts(_ path: String) throws -> [String] {
  try StoreFacets(StoreInspector(path: path)).facets.map(\.description).map {
    $0.hasPrefix("Thing.") || $0.hasPrefix("Thing:") ? String($0.dropFirst(6)) : $0
  }
}

/// What objects of a class `Thing` show that has one property, `it`, with these values.
func facets(of property: PropertySchema, _ values: [PropertyValue]) throws -> Set<String> {
  let folder = try TestFolder()
  let path = folder.path("a.whimbrel")
  try makeStore(at: path, [ClassSchema(name: "Thing", properties: [property])]) { session in
    let table = try session.table("Thing")
    for value in values { _ = try table.create([property.name: value], replacing: false) }
  }
  return Set(
    try facetTexts(path).compactMap { $0.hasPrefix("it: ") ? String($0.dropFirst(4)) : nil })
}

/// People who know each other: a class without a primary key.
enum People {
  static let person = ClassSchema(
    name: "Person",
    properties: [
      PropertySchema(name: "name", type: .string),
      PropertySchema(name: "boss", type: .link(to: "Person")),
      PropertySchema(name: "friends", type: .list(of: ElementType(.link(to: "Person")))),
    ])

  /// Makes as many people as there are names, each of whom may have a boss, by number from 1.
  static func make(at path: String, _ names: [String], bosses: [Int: Int] = [:]) throws {
    try makeStore(at: path, [person]) { session in
      let table = try session.table("Person")
      for name in names { _ = try table.create(["name": .string(name)], replacing: false) }
      for (number, boss) in bosses {
        try table.update(ObjectID(rawValue: UInt64(number))) {
          try $0.set(1, .link(ObjectID(rawValue: UInt64(boss))))
        }
      }
    }
  }
}
