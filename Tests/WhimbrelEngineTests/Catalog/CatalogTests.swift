import Foundation
import Testing
import WhimbrelTestSupport

@testable import WhimbrelEngine
@testable import WhimbrelLMDB

@Suite struct CatalogTests {
  private func catalog() throws -> Catalog {
    let store = try OpeningTestStore()
    return try Session(StoreFile.open(store.request)).loaded.catalog
  }

  @Test func `a catalog comes back as it was, and as the same text`() throws {
    var catalog = try catalog()
    catalog.history = [
      MigrationHistoryEntry(
        from: 1, to: .max, date: Date(timeIntervalSinceReferenceDate: 0.1), library: "x",
        duration: 1.5, objects: 3, changes: ["ü"])
    ]
    let json = try catalog.json()
    #expect(try Catalog(json: json) == catalog)
    #expect(try Catalog(json: json).json() == json)
  }

  /// Resolves every class and reads an empty record of each of its layouts: a
  /// catalog that is let in must not trap whoever uses it.
  private func use(_ catalog: Catalog) throws {
    let header = Header(
      schemaVersion: 1, catalogRevision: 1, fingerprint: Fingerprint(low: 0, high: 0),
      uuid: UUID(), creation: Date(), lastWriter: "")
    let loaded = LoadedCatalog(catalog, header)
    for resolved in loaded.classes {
      _ = loaded.links(to: resolved.name)
      for layout in resolved.layouts.compactMap(\.self) {
        let record = [UInt8](repeating: 0xFF, count: max(layout.layout.fixedSize, 16))
        PageBytes.with(record) { record in
          for position in resolved.properties.indices {
            _ = try? layout.value(position, of: record, .none)
            _ = try? resolved.indexEntries(
              position, of: record, layout, ObjectID(rawValue: 1), .none)
          }
        }
      }
      var encoder = RecordEncoder(resolved)
      encoder.begin()
      for (position, property) in resolved.properties.enumerated() {
        try? encoder.set(position, property.makeDefault(nil) ?? .null)
        try? encoder.set(position, OpeningTestStore.value(property.type, 3))
      }
      _ = try encoder.finish(ObjectID(rawValue: 1))
    }
    let draft = ClassDraft(
      old: catalog.classes.first, declared: OpeningTestStore.schema.classes[0],
      id: ClassID(rawValue: 1))
    _ = draft.entry(isRewritten: true)
  }

  @Test func `a catalog with any wrong byte is an error or can be used`() async throws {
    await #expect(processExitsWith: .success) {
      let suite = CatalogTests()
      let json = try suite.catalog().json()
      var random = SeededGenerator(seed: 1)
      var opened = 0
      for offset in stride(from: 0, to: json.count, by: TestRun.isLong ? 1 : 23) {
        var damaged = json
        damaged[offset] = [
          0, 0xFF, 0x22, 0x39, 0x2D, 0x7B, UInt8(truncatingIfNeeded: random.next()),
        ]
        .randomElement(using: &random)!
        guard let catalog = try? Catalog(json: damaged) else { continue }
        opened += 1
        try suite.use(catalog)
      }
      #expect(opened > 0)
    }
  }

  @Test func `hostile numbers and missing parts are errors`() async throws {
    await #expect(processExitsWith: .success) {
      let suite = CatalogTests()
      let text = String(decoding: try suite.catalog().json(), as: UTF8.self)
      let keys = [
        "id", "offset", "size", "presence", "assigned", "fixedSize", "property", "currentLayout",
        "generation", "nextGeneration", "nextPropertyID", "nextClassID",
      ]
      let numbers = [
        "-1", "0", "1", "65534", "65535", "65536", "4294967295", "4294967296",
        "9223372036854775807", "18446744073709551615", "-9223372036854775808", "1e300", "null",
        "\"x\"", "{}", "[]", "1.5",
      ]
      for key in keys {
        for number in numbers {
          // Each of the first places in turn, and all at once.
          for place in [0, 1, 2, nil] as [Int?] {
            let damaged = Self.replace(text, "\"\(key)\":", with: number, place: place)
            guard let catalog = try? Catalog(json: Data(damaged.utf8)) else { continue }
            try suite.use(catalog)
          }
        }
        let without = text.replacingOccurrences(of: "\"\(key)\":", with: "\"none\":")
        if let catalog = try? Catalog(json: Data(without.utf8)) { try suite.use(catalog) }
      }
    }
  }

  /// Replaces the number behind a key, at one of its places or at all.
  private static func replace(
    _ text: String, _ key: String, with number: String, place: Int?
  ) -> String {
    var parts = text.components(separatedBy: key)
    for index in parts.indices.dropFirst() where place == nil || place == index - 1 {
      parts[index] = number + parts[index].drop { $0.isNumber || $0 == "-" }
    }
    return parts.joined(separator: key)
  }

  @Test func `two layouts of one number are an error`() throws {
    var catalog = try catalog()
    let layout = try #require(catalog.classes[0].writtenLayout)
    catalog.classes[0].layouts.append(
      RecordLayout(id: layout.id, fields: [], fixedSize: layout.fixedSize))
    #expect(throws: (any Error).self) { try Catalog(json: catalog.json()) }
  }

  // A migration would give what it adds the ID of something else.
  @Test func `a next ID that is taken is an error`() throws {
    var taken = try catalog()
    taken.nextClassID = try #require(taken.classes.map(\.id).max())
    #expect(throws: CatalogProblem.self) { try Catalog(json: taken.json()) }
    taken = try catalog()
    taken.classes[0].nextPropertyID = try #require(taken.classes[0].properties.map(\.id).max())
    #expect(throws: CatalogProblem.self) { try Catalog(json: taken.json()) }
    _ = try Catalog(json: catalog().json())
  }

  // The objects that a transition converts were added to it, which stopped the program.
  @Test(arguments: [Int.max, .min, -1])
  func `a history with an impossible number of objects is an error`(_ objects: Int) throws {
    var catalog = try catalog()
    catalog.history = [
      MigrationHistoryEntry(
        from: 1, to: 2, date: Date(), library: "x", duration: 1, objects: objects, changes: [])
    ]
    #expect(throws: CatalogProblem.self) { try Catalog(json: catalog.json()) }
  }

  @Test func `many layouts are slow to nobody`() throws {
    var catalog = try catalog()
    for number in 1_000..<4_000 as Range<UInt16> {
      catalog.classes[0].layouts.append(
        RecordLayout(id: LayoutID(rawValue: number), fields: [], fixedSize: 8))
    }
    let read = try Catalog(json: catalog.json())
    #expect(read.classes[0].layouts.count == 3_001)
    try use(read)
  }

  @Test(arguments: ["", "{", "[]", "null", "{}", "\u{0}", "\"x\"", "1"])
  func `what is no catalog is an error`(text: String) {
    #expect(throws: (any Error).self) { try Catalog(json: Data(text.utf8)) }
  }

  @Test func `deep nesting is an error`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: (any Error).self) { try Catalog(json: Data(deep.utf8)) }
    #expect(throws: (any Error).self) { try Catalog(json: Data("{\"classes\":\(deep)".utf8)) }
  }
}
