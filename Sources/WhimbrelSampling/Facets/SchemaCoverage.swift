public import Foundation
public import WhimbrelEngine
public import WhimbrelInspection

/// The share of a schema that a set of sample stores covers.
///
/// ```swift
/// let stores = try ["Zones.v3.whimbrel", "Zones.v4.whimbrel"].map { try StoreInspector(path: $0) }
/// let coverage = try SchemaCoverage(by: stores)
/// for facet in coverage.missing { print(facet, "- add", facet.suggestion) }
/// ```
///
/// The expected facets are those that every app should handle. For each class: several objects. For
/// each property: nil, the default and another value, where it may have them; `true` and `false`;
/// each case of an enum; collections with no, one and many elements, and with ten unless they hold
/// links; empty and non-ASCII text; zero; and targets of no, one and many links. Nothing is
/// expected of a primary key.
///
/// ``others`` holds facets that stores may show but need not: no objects or one, layouts, negative
/// and special numbers, emoji and combining marks, kinds of values of type `any`, non-ASCII keys of
/// maps, ten or more links, nil elements, values that are not a case of their enum, links of
/// objects to themselves, and cycles. Extremes do not count: see ``Facet/isRelative``.
///
/// The JSON has `schemaVersion`, `fraction`, `covered` and `others` with texts of ``Facet``, and
/// `missing`, each with `facet` and with `add`, the addition that a store needs. Keys are sorted.
public struct SchemaCoverage: Hashable, Sendable {
  /// The version of the schema.
  public let schemaVersion: SchemaVersion
  /// The facets that are expected and shown, class by class in name order.
  public let covered: [Facet]
  /// The facets that are expected and not shown. ``Facet/suggestion`` says what to add.
  public let missing: [Facet]
  /// The facets that are shown and not expected.
  public let others: [Facet]
  /// All expected facets, in order.
  let expected: [Facet]

  /// The share of expected facets that are shown, from 0 to 1. It is 1 if nothing is expected.
  public var fraction: Double {
    expected.isEmpty ? 1 : Double(covered.count) / Double(expected.count)
  }

  /// The same share in whole percents, rounded down. The fraction times 100 would give 28 for 29 of
  /// 100.
  package var percent: Int {
    expected.isEmpty ? 100 : covered.count * 100 / expected.count
  }

  /// Finds the facets of a schema that stores show.
  ///
  /// Older stores count too. Their classes and properties are matched by name. If `schema` is nil,
  /// copies of the newest store are matched by identity instead, so renamed classes and properties
  /// count.
  ///
  /// - Parameters:
  ///   - schema: The schema. If it is nil, the schema of the store with the greatest schema version
  ///     is used.
  ///   - stores: The sample stores.
  /// - Throws: `StoreError` for a damaged object; ``InspectionError`` with `cancelled`.
  /// - Complexity: That of ``StoreFacets`` for each store, one after the other.
  public init(
    of schema: SchemaExport? = nil, by stores: [StoreInspector], monitor: WorkMonitor = .silent
  ) throws {
    // Of several stores with the same version, the first counts.
    let newest = stores.reduce(nil) { best, store -> StoreInspector? in
      guard let best, store.header.schemaVersion <= best.header.schemaVersion else { return store }
      return best
    }
    let declared =
      schema ?? newest?.schema ?? SchemaExport(schemaVersion: 0, classes: [])
    let facets = Self.facets(of: declared)
    var shown: Set<Facet> = []
    for store in stores {
      let names = FacetNames(of: store, in: schema == nil ? newest : nil)
      shown.formUnion(try StoreFacets(store, monitor: monitor).facets.compactMap(names.translated))
    }
    schemaVersion = declared.schemaVersion
    expected = facets.filter(\.isExpected).map(\.facet)
    covered = expected.filter(shown.contains)
    missing = expected.filter { !shown.contains($0) }
    others = facets.filter { !$0.isExpected && !$0.facet.isRelative && shown.contains($0.facet) }
      .map(\.facet)
  }

  /// Returns all facets of a schema, and whether each is expected. Classes that are no longer
  /// declared are left out.
  private static func facets(of schema: SchemaExport) -> [(facet: Facet, isExpected: Bool)] {
    let declared = schema.classes.filter(\.isDeclared)
    let embedded = Set(declared.filter(\.isEmbedded).map(\.name))
    return declared.flatMap { entry in
      let facets = ClassFacets(entry.name, entry.properties, embedded: embedded)
      return zip(facets.facets, facets.isExpected).map { ($0, $1) }
    }
  }
}

/// A translation of the names of classes and properties of one store to those of another.
private struct FacetNames {
  /// The classes by their name in the store; nil if both stores use the same names.
  private var classes: [String: String]?
  private var properties: [String: [String: String]] = [:]

  /// - Parameter newest: The other store, or nil. Copies of one store have the same UUID.
  init(of store: StoreInspector, in newest: StoreInspector?) {
    guard let newest, newest !== store, newest.header.uuid == store.header.uuid else { return }
    var classes: [String: String] = [:]
    for old in store.catalog.classes {
      guard let new = newest.catalog.classes.first(where: { $0.id == old.id }) else { continue }
      classes[old.name] = new.name
      for property in old.properties {
        properties[old.name, default: [:]][property.name] =
          new.properties.first { $0.id == property.id }?.name
      }
    }
    self.classes = classes
  }

  /// Returns the facet with the names of the other store, or nil if that store does not have it.
  func translated(_ facet: Facet) -> Facet? {
    // The schema does not have the properties of earlier versions.
    if facet.version != nil { return nil }
    guard let classes else { return facet }
    guard let name = classes[facet.className] else { return nil }
    guard let property = facet.property else { return Facet(className: name, kind: facet.kind) }
    return properties[facet.className]?[property].map {
      Facet(className: name, property: $0, kind: facet.kind)
    }
  }
}

extension SchemaCoverage: Encodable {
  private enum CodingKeys: String, CodingKey {
    case schemaVersion, fraction, covered, missing, others
  }

  private struct Missing: Encodable {
    let facet: String
    let add: String
  }

  /// Encodes the coverage.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schemaVersion, forKey: .schemaVersion)
    try container.encode(fraction, forKey: .fraction)
    try container.encode(covered.map(\.description), forKey: .covered)
    try container.encode(
      missing.map { Missing(facet: $0.description, add: $0.suggestion) }, forKey: .missing)
    try container.encode(others.map(\.description), forKey: .others)
  }

  /// Returns the coverage as JSON: the same bytes for the same coverage.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

extension SchemaCoverage {
  /// The coverage as text for people, with a line break at its end. For each class and property it
  /// lists shown facets with a check mark and missing ones with a dot; then it says what to add.
  public var text: String {
    let covered = Set(covered)
    let facets = Dictionary(grouping: expected, by: \.className)
    let blocks = classNames.map { name in
      let facets = facets[name] ?? []
      let count = facets.count { covered.contains($0) }
      let head = "\(PlainText.escaped(name))  \(count) of \(facets.count)\n"
      return head + TextTable(rows(facets, covered), indent: 2).description
    }
    return (blocks + [additions]).joined(separator: "\n")
  }

  private var classNames: [String] {
    expected.map(\.className).reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  private func rows(_ facets: [Facet], _ covered: Set<Facet>) -> [[String]] {
    var rows: [(property: String?, marks: [String])] = []
    for facet in facets {
      if rows.isEmpty || rows[rows.count - 1].property != facet.property {
        rows.append((facet.property, []))
      }
      let mark = covered.contains(facet) ? "✓" : "·"
      rows[rows.count - 1].marks.append("\(mark) \(PlainText.escaped("\(facet.kind)"))")
    }
    return rows.map { row in
      [PlainText.escaped(row.property ?? "(class)"), row.marks.joined(separator: "  ")]
    }
  }

  private var additions: String {
    let summary =
      "\(covered.count) of \(expected.count) facets of schema version \(schemaVersion) are covered: "
      + "\(percent) %.\n"
    if missing.isEmpty { return summary }
    return summary + "\nMissing:\n"
      + missing.map { "  \(PlainText.escaped($0.suggestion))\n" }.joined()
  }
}
