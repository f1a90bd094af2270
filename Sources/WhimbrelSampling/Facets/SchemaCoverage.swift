public import Foundation
public import WhimbrelEngine
public import WhimbrelInspection

/// How much of a schema a set of sample stores makes use of.
///
/// ```swift
/// let stores = try ["Zones.v3.whimbrel", "Zones.v4.whimbrel"].map { try StoreInspector(path: $0) }
/// let coverage = try SchemaCoverage(by: stores)
/// for facet in coverage.missing { print(facet, "- add", facet.suggestion) }
/// ```
///
/// A schema expects what any app should be ready for: of each class several objects; of each
/// property nil, the default and another value where it may have them; `true` and `false`; each
/// case of an enum; collections with no, one and many elements; empty and non-ASCII text; zero; and
/// objects that none, one and many link to. Of a primary key nothing is expected. What may be
/// there and need not is in ``others``: no objects or one, layouts, negative and special numbers,
/// emoji and combining marks, kinds of values of any type, odd keys of maps, values that are no case
/// of their enum, links of objects to themselves, and cycles. Extremes count for nothing: see
/// ``Facet/isRelative``.
///
/// As JSON it has `schemaVersion`, `fraction`, `covered` and `others`, texts as ``Facet`` has them,
/// and `missing`, each with `facet` and with `add`, what a store needs. Keys are sorted.
public struct SchemaCoverage: Hashable, Sendable {
  /// The version of the schema.
  public let schemaVersion: SchemaVersion
  /// The facets that are expected and shown, class by class in the order of names.
  public let covered: [Facet]
  /// The facets that are expected and not shown; ``Facet/suggestion`` says what to add.
  public let missing: [Facet]
  /// Facets that are shown and not expected.
  public let others: [Facet]
  /// All that are expected, in their order.
  let expected: [Facet]

  /// Which share of what is expected is shown, from 0 to 1; 1 when nothing is expected.
  public var fraction: Double {
    expected.isEmpty ? 1 : Double(covered.count) / Double(expected.count)
  }

  /// Finds what stores show of a schema.
  ///
  /// Older stores count too: their classes and properties are those with the same names; and when
  /// the schema is that of a store, those with the same identity in copies of the store, whatever
  /// they are named there.
  ///
  /// - Parameters:
  ///   - schema: the schema; nil for that of the store with the greatest schema version.
  ///   - stores: the sample stores.
  /// - Throws: `StoreError` for a damaged object; ``InspectionError`` with `cancelled`.
  /// - Complexity: as that of ``StoreFacets`` for each store, one after the other.
  public init(
    of schema: SchemaExport? = nil, by stores: [StoreInspector], monitor: WorkMonitor = .silent
  ) throws {
    // Of several with the same version the first.
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

  /// All facets of a schema, and whether each is expected. Classes that are kept though no
  /// longer declared are not its part.
  private static func facets(of schema: SchemaExport) -> [(facet: Facet, isExpected: Bool)] {
    let declared = schema.classes.filter(\.isDeclared)
    let embedded = Set(declared.filter(\.isEmbedded).map(\.name))
    return declared.flatMap { entry in
      let facets = ClassFacets(entry.name, entry.properties, embedded: embedded)
      return zip(facets.facets, facets.isExpected).map { ($0, $1) }
    }
  }
}

/// What the classes and properties of a store are called in another.
private struct FacetNames {
  /// By the names in the store; nil where both have the same names.
  private var classes: [String: String]?
  private var properties: [String: [String: String]] = [:]

  /// - Parameter newest: another store, or nil; copies of one store share its identity.
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

  /// The facet by the names in the other store, or nil when that does not have it.
  func translated(_ facet: Facet) -> Facet? {
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

  /// Writes the coverage.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schemaVersion, forKey: .schemaVersion)
    try container.encode(fraction, forKey: .fraction)
    try container.encode(covered.map(\.description), forKey: .covered)
    try container.encode(
      missing.map { Missing(facet: $0.description, add: $0.suggestion) }, forKey: .missing)
    try container.encode(others.map(\.description), forKey: .others)
  }

  /// The coverage as JSON: the same bytes for the same coverage.
  public func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}

extension SchemaCoverage {
  /// The coverage as text for people, with a line break at its end: for each class and property
  /// what is shown, with a check mark, and what is missing, with a dot; and what to add.
  public var text: String {
    let blocks = classNames.map { name in
      let facets = expected.filter { $0.className == name }
      let missing = facets.filter(isMissing)
      let head = "\(PlainText.escaped(name))  \(facets.count - missing.count) of \(facets.count)\n"
      return head + TextTable(rows(facets), indent: 2).description
    }
    return (blocks + [additions]).joined(separator: "\n")
  }

  private var classNames: [String] {
    expected.map(\.className).reduce(into: []) { names, name in
      if names.last != name { names.append(name) }
    }
  }

  private func isMissing(_ facet: Facet) -> Bool { missing.contains(facet) }

  /// A row for the class and for each property.
  private func rows(_ facets: [Facet]) -> [[String]] {
    var rows: [(property: String?, marks: [String])] = []
    for facet in facets {
      if rows.isEmpty || rows[rows.count - 1].property != facet.property {
        rows.append((facet.property, []))
      }
      let mark = isMissing(facet) ? "·" : "✓"
      rows[rows.count - 1].marks.append("\(mark) \(PlainText.escaped("\(facet.kind)"))")
    }
    return rows.map { row in
      [PlainText.escaped(row.property ?? "(class)"), row.marks.joined(separator: "  ")]
    }
  }

  private var additions: String {
    let percent = Int((fraction * 100).rounded(.down))
    let summary =
      "\(covered.count) of \(expected.count) facets of schema version \(schemaVersion) are covered: "
      + "\(percent) %.\n"
    if missing.isEmpty { return summary }
    return summary + "\nMissing:\n"
      + missing.map { "  \(PlainText.escaped($0.suggestion))\n" }.joined()
  }
}
