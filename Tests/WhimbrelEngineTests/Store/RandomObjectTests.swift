import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Random changes of objects that lead to each other in every way: whatever is
/// refused, and whatever is done, the store agrees with itself.
struct RandomObjectTests {
  private static let zone = ClassSchema(
    "Zone", .required("number", .int), .link("next", to: "Zone"), .list("zones", .link(to: "Zone")),
    .set("set", .link(to: "Zone")), .map("map", .link(to: "Zone")), .required("any", .any),
    .list("anyList", .any), .set("anySet", .any), .map("anyMap", .any),
    .link("part", to: "Part"), .list("parts", .link(to: "Part")),
    .map("partMap", .link(to: "Part")), .required("text", .string))
  private static let part = ClassSchema.embedded(
    "Part", .required("text", .string), .link("inner", to: "Part"),
    .list("inners", .link(to: "Part")), .link("zone", to: "Zone"))

  private struct Run {
    let session: Session
    var generator: SeededGenerator

    mutating func id(_ className: String) throws -> ObjectID? {
      try session.table(className).objectIDs().randomElement(using: &generator)
    }

    /// A value of a property, or nil when there is nothing to link to.
    mutating func value(_ type: PropertyType) throws -> PropertyValue {
      switch type {
      case .link(let name):
        if name == "Part", !generator.once(in: 6) {
          return .link(
            try session.create("Part", ["text": RandomValues.value(.string, using: &generator)]))
        }
        return try id(name).map { .link($0) } ?? .null
      case .any:
        guard let id = try id("Zone"), !generator.once(in: 3) else {
          return RandomValues.value(.any, using: &generator)
        }
        let classID = try session.table("Zone").resolved.id
        let object = PropertyValue.object(ObjectReference(classID: classID, id: id))
        return generator.once(in: 2) ? object : [1, ["a": object], object]
      case .list(let element), .set(let element):
        let count = generator.once(in: 6) ? 80 : Int.random(in: 0...4, using: &generator)
        return .list(try (0..<count).map { _ in try value(element.type) }.filter { !$0.isNull })
      case .map(let element):
        let values = try (0..<3).map { _ in try value(element.type) }.filter { !$0.isNull }
        return .map(values.enumerated().reduce(into: [:]) { $0["k\($1.offset)"] = $1.element })
      default: return RandomValues.value(type, using: &generator)
      }
    }

    mutating func edit(_ position: Int, _ id: ObjectID, _ type: PropertyType) throws {
      guard let element = type.elementType else { return }
      let value = try value(element.type)
      let isRemoval = generator.once(in: 3)
      let random = Int.random(in: 0..<10_000, using: &generator)
      try session.table("Zone").editCollection(position, of: id) { editor in
        let count = try editor.count()
        if isRemoval, count > 0 {
          return try editor.removeSubrange(random % count..<min(random % count + 3, count))
        }
        switch type {
        case .set: _ = try editor.insertIntoSet(value)
        case .map: try editor.set(value, forName: "k\(random % 9)")
        default:
          if count > 0, random % 3 == 0 {
            try editor.replace(at: random % count, with: value)
          } else {
            try editor.append(contentsOf: [value])
          }
        }
      }
    }

    mutating func step() throws {
      let table = try session.table("Zone")
      guard let id = try id("Zone"), !generator.once(in: 4) else {
        try session.create(
          "Zone", ["number": 1, "text": RandomValues.value(.string, using: &generator)])
        return
      }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0:
        if generator.once(in: 3) {
          let ids = try table.objectIDs()
          try table.remove(ids.filter { _ in generator.once(in: 2) } + [id, id])
        } else {
          try table.remove(id)
        }
      case 1:
        if let part = try self.id("Part") { try session.table("Part").remove(part) }
      case 2, 3:
        let position = Int.random(in: table.resolved.properties.indices, using: &generator)
        let value = try value(table.resolved.properties[position].type)
        try table.update(id) { try $0.set(position, value) }
      default:
        let position = Int.random(in: table.resolved.properties.indices, using: &generator)
        try edit(position, id, table.resolved.properties[position].type)
      }
    }

    /// Embedded objects that were made for what has been refused.
    func removeOrphans() throws {
      let parts = try session.table("Part")
      for id in try parts.objectIDs() where try parts.record(id) != nil {
        if try parts.linkCount(to: id) == 0 { try parts.remove(id) }
      }
    }
  }

  @Test(arguments: 0..<TestRun.count(6, long: 200) as Range<UInt64>)
  func `the store agrees with itself after whatever is done`(seed: UInt64) throws {
    let store = try TestStore([Self.zone, Self.part])
    let session = try store.session()
    var run = Run(session: session, generator: SeededGenerator(seed: seed))
    for round in 0..<40 {
      try session.write {
        for _ in 0..<6 {
          do {
            try run.step()
          } catch let error as StoreError {
            // Refused: a second owner, or what may not be nil.
            #expect(
              [.embeddedHasOwner, .missingValue, .wrongType].contains(error.code),
              "\(error), seed \(seed)")
          }
        }
        try run.removeOrphans()
      }
      let findings = try IntegrityCheck.run(session).map(\.description)
      #expect(findings == [], "seed \(seed), round \(round)")
      if !findings.isEmpty { return }
    }
    try session.write { try session.table("Zone").removeAll() }
    #expect(try IntegrityCheck.run(session) == [])
    #expect(try session.table("Part").count() == 0)
  }
}
