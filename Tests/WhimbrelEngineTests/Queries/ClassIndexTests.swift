import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

/// Indexes of several properties, unique and full-text ones, while objects come, change and go.
struct ClassIndexTests {
  private static let country = ClassSchema(
    name: "Country", properties: [.key("code", .string), .required("name", .string)],
    indexes: [IndexSchema(["name"], .fullText)])
  private static let zone = ClassSchema(
    name: "Zone",
    properties: [
      .key("number"), .link("country", to: "Country"), .optional("name", .string),
      .required("latitude", .double), .required("level", .int8), .optional("text", .string),
      .optional("code", .string),
    ],
    indexes: [
      IndexSchema(["country", "name"]), IndexSchema(["name", "latitude", "level"]),
      IndexSchema(["code", "level"], .unique), IndexSchema(["text"], .fullText),
    ])

  private static func text(using generator: inout SeededGenerator) -> PropertyValue {
    if generator.once(in: 6) { return .null }
    let words = ["Swan", "lake", "DUCK", "écluse", String(repeating: "w", count: 300), "a b"]
    let count = generator.once(in: 20) ? 400 : Int.random(in: 0...4, using: &generator)
    return .string(
      (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
        .joined(separator: generator.once(in: 2) ? " " : ", "))
  }

  private static func value(
    _ property: CatalogProperty, _ countries: [ObjectID], using generator: inout SeededGenerator
  ) -> PropertyValue {
    switch property.name {
    case "country":
      return generator.once(in: 4)
        ? .null : countries.randomElement(using: &generator).map { .link($0) } ?? .null
    case "text": return text(using: &generator)
    case "level": return .int(Int64.random(in: -2...2, using: &generator))
    case "code":
      return generator.once(in: 4)
        ? .null : .string(String(repeating: "c", count: Int.random(in: 0...3, using: &generator)))
    default:
      if property.isOptional, generator.once(in: 4) { return .null }
      return generator.once(in: 2)
        ? (property.type == .string ? "same" : .double(1))
        : RandomValues.value(property.type, using: &generator)
    }
  }

  private func step(_ session: Session, using generator: inout SeededGenerator) throws {
    let (zones, countries) = (try session.table("Zone"), try session.table("Country"))
    let targets = try countries.objectIDs()
    let id = try zones.objectIDs().randomElement(using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0:
      let name = Self.text(using: &generator)
      try session.create(
        "Country", ["code": .string("\(UUID())"), "name": name.isNull ? "" : name])
    case 1:
      if let target = targets.randomElement(using: &generator) { try countries.remove(target) }
    case 2: if let id { try zones.remove(id) }
    case 3 where generator.once(in: 30): try zones.removeAll()
    case 3, 4, 5, 6:
      guard let id else { return }
      try zones.update(id) { encoder throws in
        for (position, property) in zones.resolved.properties.enumerated()
        where !property.isPrimaryKey && generator.once(in: 4) {
          try encoder.set(position, Self.value(property, targets, using: &generator))
        }
      }
    default:
      var values: [String: PropertyValue] = [
        "number": .int(Int64.random(in: 0...200, using: &generator))
      ]
      for property in zones.resolved.properties where !property.isPrimaryKey {
        values[property.name] = Self.value(property, targets, using: &generator)
      }
      try session.create("Zone", values)
    }
  }

  /// Expects that an index has the objects in the order of their values.
  private func expectOrder(
    _ table: ClassTable, _ classIndex: TableIndex, seed: UInt64
  ) throws {
    let index = try #require(classIndex.values)
    let cursor = try table.session.view.cursor(classIndex.table)
    var found: [ObjectID] = []
    var isInside = try cursor.move(to: .first)
    while isInside {
      found.append(ObjectID(rawValue: cursor.key.loadBigEndian(at: cursor.key.count - 8)))
      var offset = 0
      for position in index.positions {
        let part = try #require(
          KeyEncoding.part(
            of: table.resolved.properties[position].type, at: offset, in: cursor.key))
        let record = try #require(try table.record(found[found.count - 1]))
        let value = try table.value(position, of: record, found[found.count - 1])
        #expect(part.isTruncated == KeyEncoding.isTruncated(value, limit: index.textLimit))
        offset += part.length
      }
      #expect(offset + 8 == cursor.key.count)
      isInside = try cursor.move(to: .next)
    }
    #expect(found.count == (try table.count()))
    func values(_ id: ObjectID) throws -> [PropertyValue] {
      let record = try #require(try table.record(id))
      return try index.positions.map { position in
        let value = try table.value(position, of: record, id)
        // Where texts agree as far as keys go, the order is none.
        guard case .string(let text) = value else { return value }
        return .string(String(decoding: text.utf8.prefix(40), as: UTF8.self))
      }
    }
    for (first, second) in zip(found, found.dropFirst()) {
      #expect(try !Self.isLess(values(second), values(first)), "seed \(seed)")
    }
  }

  private static func isLess(_ left: [PropertyValue], _ right: [PropertyValue]) -> Bool {
    for (left, right) in zip(left, right) where left != right {
      switch (left, right) {
      case (.null, _): return true
      case (_, .null): return false
      case (.string(let left), .string(let right)):
        return left.utf8.lexicographicallyPrecedes(right.utf8)
      case (.int(let left), .int(let right)): return left < right
      case (.double(let left), .double(let right)): return left < right
      case (.link(let left), .link(let right)): return left < right
      default: return false
      }
    }
    return false
  }

  @Test(arguments: 0..<TestRun.count(6, long: 100) as Range<UInt64>)
  func `indexes follow every change`(seed: UInt64) throws {
    let store = try TestStore([Self.zone, Self.country])
    let session = try store.session()
    var generator = SeededGenerator(seed: seed)
    var refusals = 0
    for round in 0..<30 {
      try session.write {
        for _ in 0..<12 {
          do {
            try step(session, using: &generator)
          } catch let error as StoreError {
            #expect(
              [.duplicateValues, .duplicatePrimaryKey].contains(error.code),
              "\(error), seed \(seed)")
            refusals += 1
          }
        }
      }
      let findings = try IntegrityCheck.run(session).map(\.description)
      #expect(findings == [], "seed \(seed), round \(round)")
      if !findings.isEmpty { return }
    }
    #expect(refusals > 0)
    let table = try session.table("Zone")
    let ordered = table.classIndexes.filter { $0.values?.kind != .fullText }
    #expect(ordered.map(\.subject.positions) == [[6, 4], [1, 2], [2, 3, 4]])
    #expect(ordered.map(\.values?.kind) == [.unique, .ordered, .ordered])
    for index in ordered { try expectOrder(table, index, seed: seed) }
    try expectSearches(table, seed: seed)
  }

  /// Expects that searches by the index find what they find in the texts.
  private func expectSearches(_ table: ClassTable, seed: UInt64) throws {
    let position = try table.resolved.requiredPosition(of: "text")
    let long = String(repeating: "W", count: 300)
    for text in [
      "swan", "swan LAKE", "swan OR lake", "swan -duck", "ecluse NOT swan", "s*", "e* -d* a",
      long, "-\(long) lake", "\(long.dropLast())*", "nothing", "", "lak", "l* swan OR duck -b",
    ] {
      let search = FullTextSearch(parsing: text)
      let expected = try table.objectIDs().filter { id in
        let record = try #require(try table.record(id))
        guard case .string(let text) = try table.value(position, of: record, id) else {
          return false
        }
        return search.matches(text)
      }
      #expect(
        try table.objectIDs(matching: search, in: position) == expected, "\(text), seed \(seed)")
    }
    #expect(try table.objectIDs(matching: FullTextSearch(parsing: "-swan"), in: position) == nil)
    #expect(try table.objectIDs(matching: FullTextSearch(parsing: "swan"), in: 2) == nil)
  }

  @Test func `every damage of an index is found`() throws {
    let store = try TestStore([Self.zone, Self.country]) { session in
      let country = try session.create("Country", ["code": "FI", "name": "Finland, Suomi"])
      for number in 0..<Int64(4) {
        try session.create(
          "Zone",
          [
            "number": .int(number), "country": .link(country), "name": "n", "latitude": .double(1),
            "level": .int(number), "text": "swan lake", "code": "x",
          ])
      }
    }
    #expect(try store.findings() == [])
    let session = try store.session()
    let table = try session.table("Zone")
    for index in table.classIndexes {
      let cursor = try session.view.cursor(index.table)
      #expect(try cursor.move(to: .first))
      let first = cursor.key.array
      _ = storeError {
        try session.write {
          let view = try session.requireWriting("damage")
          try PageBytes.with(first) { key throws(LMDBError) in
            _ = try view.remove(index.table, key)
          }
          #expect(try IntegrityCheck.run(session).count == 2)
          // One more instead: the number of entries is right again.
          try view.put(index.table, first.dropLast() + [0xFF], [])
          #expect(
            try IntegrityCheck.run(session).contains { $0.problem.contains("does not contain it") })
          try view.put(index.table, first, [])
          #expect(try IntegrityCheck.run(session).contains { $0.problem.contains("entries") })
          throw StoreError.nestedWrite()
        }
      }
    }
    #expect(try store.findings() == [])
  }

  @Test func `equal values in a unique index are found`() throws {
    let classes = [
      ClassSchema(
        name: "A", properties: [.required("a", .string)], indexes: [IndexSchema(["a"])])
    ]
    let unique = [
      ClassSchema(
        name: "A", properties: [.required("a", .string)], indexes: [IndexSchema(["a"], .unique)])
    ]
    #expect(storeError { _ = try TestStore(classes) }?.code == .invalidSchema)
    let store = try TestStore(unique) { try $0.create("A", ["a": "x"]) }
    let session = try store.session()
    let table = try session.table("A")
    _ = storeError {
      try session.write {
        // As a library would that does not know of the index.
        let view = try session.requireWriting("damage")
        table.encoder.begin()
        try table.encoder.set(0, "x")
        let id = ObjectID(rawValue: 2)
        let record = try table.encoder.finish(id)
        let key = try table.resolved.indexKeys(
          #require(table.classIndexes[0].values), of: record, table.resolved.written, id, .none)[0]
        try view.put(table.objects, id.rawValue, record)
        try view.put(table.classIndexes[0].table, key, [])
        #expect(
          try IntegrityCheck.run(session).map(\.description) == [
            "object 2 of class 'A': it has the same values as object 1 in the unique index of 'a'"
          ])
        throw StoreError.nestedWrite()
      }
    }
  }
}
