internal import Foundation
internal import Testing
package import WhimbrelEngine
internal import WhimbrelInspection
package import WhimbrelTestSupport

/// Returns the seeds of a test: a few, or many when long tests run.
package func seeds(_ few: UInt64, long many: UInt64) -> ClosedRange<UInt64> {
  1...TestRun.count(few, long: many)
}

/// The healthy stores that checks run on, in many different states.
package enum CheckedStores {
  /// The sample stores, by path within their folder.
  package static let samples = [
    "Zones.v1.whimbrel", "Zones.v2.whimbrel", "Zones.v3.whimbrel", "Zones.v4.whimbrel",
    "Formats/1.Zones.v3.whimbrel", "Formats/2.Zones.v6.whimbrel", "Formats/3.Zones.v6.whimbrel",
    "Formats/4.Zones.v7.whimbrel", "Formats/6.Zones.v7.whimbrel",
  ]

  /// The stores that tests damage, by names for ``make(_:at:)``.
  package static let damaged = samples.dropLast(4) + ["worn 1", "worn 2", "random 3", "random 5"]

  package static let note = ClassSchema(
    name: "Note",
    properties: [
      PropertySchema(name: "number", type: .int, isIndexed: true),
      PropertySchema(name: "text", type: .string, isIndexed: true),
      PropertySchema(name: "body", type: .string),
      PropertySchema(name: "next", type: .link(to: "Note")),
      PropertySchema(name: "others", type: .list(of: ElementType(.link(to: "Note")))),
      PropertySchema(name: "words", type: .set(of: ElementType(.string))),
      PropertySchema(name: "part", type: .link(to: "Part")),
    ], indexes: [IndexSchema(["number"], .unique), IndexSchema(["text"], .fullText)])
  package static let part = ClassSchema(
    name: "Part", isEmbedded: true, properties: [PropertySchema(name: "size", type: .double)])
  package static let keyed = ClassSchema(
    name: "Keyed",
    properties: [
      PropertySchema(name: "name", type: .string, isPrimaryKey: true),
      PropertySchema(name: "any", type: .any),
    ])
  package static let classes = [note, part, keyed]

  /// Makes a store by name: a copy of a sample store, or with a seed a worn store or one of random
  /// classes.
  package static func make(_ store: String, at path: String) throws {
    let words = store.split(separator: " ")
    if words.count == 2, let seed = UInt64(words[1]) {
      if words[0] == "worn" { return try makeWorn(at: path, seed: seed) }
      var maker = RandomStoreMaker(seed: seed)
      return try maker.make(at: path)
    }
    try FileManager.default.copyItem(
      atPath: sampleStores.appending(path: store).path, toPath: path)
  }

  /// Makes a store with values of all sizes, written in many commits, with changed and deleted
  /// objects.
  package static func makeWorn(at path: String, seed: UInt64, objects: Int = 300) throws {
    var random = SeededGenerator(seed: seed)
    try makeStore(at: path, classes)
    for round in 0..<6 {
      try makeStore(at: path, classes) { session in
        try wear(session, round: round, objects: objects / 6, &random)
      }
    }
  }

  package static func wear(
    _ session: Session, round: Int, objects: Int, _ random: inout SeededGenerator
  ) throws {
    let (notes, parts) = (try session.table("Note"), try session.table("Part"))
    let keyed = try session.table("Keyed")
    var ids = try notes.objectIDs()
    for number in 0..<objects {
      let length = [3, 20, 900, 5_000, 70_000][Int.random(in: 0..<100, using: &random) / 24]
      let part = try parts.create(["size": .double(Double(number))], replacing: false)
      let words = (0..<Int.random(in: 0...4, using: &random)).map {
        PropertyValue.string("word \($0)")
      }
      let links = ids.isEmpty ? [] : (0..<4).compactMap { _ in ids.randomElement(using: &random) }
      let id = try notes.create(
        [
          "number": .int(Int64(round * 100_000 + number)),
          "text": .string("swan lake \(number % 7)"),
          "body": .string(String(repeating: "\(number) ", count: length / 4)),
          "next": links.first.map(PropertyValue.link) ?? .null,
          "others": .list(links.map(PropertyValue.link)), "words": .list(words),
          "part": .link(part),
        ], replacing: false)
      ids.append(id)
      _ = try keyed.create(
        [
          "name": .string("key \(round) \(number)"),
          "any": .object(ObjectReference(classID: notes.resolved.id, id: id)),
        ], replacing: false)
    }
    for id in ids where Int.random(in: 0..<5, using: &random) == 0 { try notes.remove(id) }
  }
}
