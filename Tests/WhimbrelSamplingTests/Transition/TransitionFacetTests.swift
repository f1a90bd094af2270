import Foundation
import Testing
import WhimbrelEngine
import WhimbrelInspection
import WhimbrelInspectionTestSupport
import WhimbrelSampling

/// Prune made no facets of what only objects have that are not yet converted, so the one value that
/// a rule stumbles over was not in the small store.
struct TransitionFacetTests {
  private let folder: TestFolder
  private var path: String { folder.path("things.whimbrel") }
  private var small: String { folder.path("small.whimbrel") }

  private static let key = PropertySchema(name: "key", type: .int, isPrimaryKey: true)
  private static let label = PropertySchema(name: "label", type: .string)
  private static let old = ClassSchema(
    name: "Thing",
    properties: [
      key, label, PropertySchema(name: "raw", type: .double),
      PropertySchema(name: "note", type: .string, isOptional: true),
      PropertySchema(name: "tags", type: .list(of: ElementType(.string))),
      PropertySchema(name: "value", type: .any),
      PropertySchema(name: "kept", type: .link(to: "Thing")),
      PropertySchema(name: "gone", type: .link(to: "Thing")),
    ])
  private static let new = ClassSchema(
    name: "Thing",
    properties: [
      key, label,
      PropertySchema(name: "raw", type: .int, defaultValue: .value(.int(0))),
      PropertySchema(name: "kept", type: .link(to: "Thing")),
    ])

  init() throws {
    folder = try TestFolder()
    try make()
  }

  /// Makes 300 things, of which the last hundred are converted. Thing 50 is unlike all others
  /// that are not; of its values, thing 250 has the label.
  private func make() throws {
    try makeStore(at: path, [Self.old]) { session in
      let things = try session.table("Thing")
      func reference(_ id: ObjectID) -> PropertyValue {
        .object(ObjectReference(classID: things.resolved.id, id: id))
      }
      var last: ObjectID?
      for number in 1...300 {
        let isOdd = number == 50
        let link = last.map { PropertyValue.link($0) } ?? .null
        last = try things.create(
          [
            "key": .int(Int64(number)), "label": .string(isOdd || number == 250 ? "" : "a"),
            "raw": .double(isOdd ? .nan : 1), "note": isOdd ? .null : "n",
            "tags": .list(isOdd ? [] : ["a", "b"]),
            "value": isOdd ? .int(3) : last.map(reference) ?? "text",
            "kept": link, "gone": link,
          ], replacing: false)
      }
    }
    let rule = ObjectRule(from: 1, Self.old, Self.new, isLast: true) { _ in EmptyRule() }
    let session = try openOnline(path, [Self.new], [rule])
    try session.write {
      let things = try session.table("Thing")
      for id in try things.objectIDs() where id.clusteredKey > 200 {
        guard let record = try things.record(id) else { continue }
        let text = try things.value(1, of: record, id)
        try things.update(id) { try $0.set(1, text) }
      }
    }
    session.close()
  }

  @Test func `old values are facets`() throws {
    let texts = Set(try StoreFacets(StoreInspector(path: path)).facets.map(\.description))
    let expected = [
      "raw (version 1): NaN", "raw (version 1): smallest", "note (version 1): nil",
      "note (version 1): other", "tags (version 1): empty", "tags (version 1): many",
      "label (version 1): empty", "value (version 1): kind int", "raw: zero", "label: empty",
    ]
    for text in expected { #expect(texts.contains("Thing.\(text)"), "\(text)") }
    #expect(texts.isSuperset(of: ["Thing: layout 1", "Thing: layout 2"]))
    // Links may be cut, and converted objects have no old values.
    #expect(!texts.contains { $0.hasPrefix("Thing.gone") || $0.hasPrefix("Thing.kept (") })
    #expect(!texts.contains("Thing.value (version 1): kind object"))
  }

  @Test(arguments: [StorePruning.Links.follow, .cut, .depth(1)])
  func `prune keeps the object that a rule stumbles over`(_ links: StorePruning.Links) throws {
    let report = try StorePruning(StorePruning.Options(links: links))
      .run(StoreInspector(path: path), into: .newFile(small))
    #expect(report.lost == [])
    #expect(try StoreCheck(path: small).run().findings.map(\.description) == [])
    let session = try readOnlySession(small)
    let things = try session.table("Thing")
    let id = try #require(try things.find(.int(50)))
    let (past, record) = try things.reading(#require(try things.record(id)), id)
    #expect(past.pastVersion == 1)
    func value(_ name: String) throws -> PropertyValue {
      try past.value(past.resolved.requiredPosition(of: name), of: record, id)
    }
    #expect(try value("note") == .null && value("tags") == .list([]) && value("label") == "")
    guard case .double(let raw) = try value("raw") else {
      Issue.record("raw is not a number")
      return
    }
    #expect(raw.isNaN)
    if links == .cut { #expect(try things.objectIDs().count < 20) }
  }

  // Pruning took the objects that it keeps for converted ones if that needs no rule, and reported the
  // layout of those that are not yet converted as lost.
  @Test func `prune keeps objects that are converted without a rule as they are stored`() throws {
    let indexed = PropertySchema(name: "label", type: .string, isIndexed: true)
    let path = folder.path("instant.whimbrel")
    try makeStore(at: path, [ClassSchema(name: "Plain", properties: [Self.label])]) { session in
      let plain = try session.table("Plain")
      for text in ["a", "b", "c"] {
        _ = try plain.create(["label": .string(text)], replacing: false)
      }
    }
    let session = try openOnline(path, [ClassSchema(name: "Plain", properties: [indexed])])
    #expect(session.loaded.catalog.isInTransition)
    session.close()
    let report = try StorePruning(StorePruning.Options())
      .run(StoreInspector(path: path), into: .newFile(small))
    #expect(report.lost == [])
    #expect(try StoreCheck(path: small).run().findings.map(\.description) == [])
  }

  @Test func `a loss of old values can be allowed`() throws {
    var options = StorePruning.Options(links: .cut)
    options.allowedLosses = ["Thing.raw (version 1): NaN"]
    _ = try StorePruning(options).plan(StoreInspector(path: path))
    options.allowedLosses = ["Thing.raw (version 2): NaN"]
    expectError(.badArgument) { try StorePruning(options).plan(StoreInspector(path: path)) }
  }

  @Test func `old values do not cover the schema`() throws {
    let coverage = try SchemaCoverage(by: [StoreInspector(path: path)])
    let all = coverage.covered + coverage.missing + coverage.others
    #expect(all.allSatisfy { $0.version == nil })
  }

  @Test func `what to add names the version`() {
    let facet = Facet(className: "Thing", property: "raw", version: 1, kind: .zero)
    #expect(facet.description == "Thing.raw (version 1): zero")
    #expect(facet.suggestion == "Thing of version 1 with raw = 0")
  }
}
