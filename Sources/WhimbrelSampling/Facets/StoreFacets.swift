public import WhimbrelInspection

/// The facets that a store shows: what of its schema its objects make use of.
///
/// ```swift
/// let facets = try StoreFacets(StoreInspector(path: "zones.whimbrel"))
/// for facet in facets.facets { print(facet) }
/// ```
///
/// There are facets of each class (no, one or many objects, and each layout that its records
/// have) and of each property: nil, the default or another value; `true` and `false`; each case
/// of an enum; empty, one or many elements; empty and non-ASCII text; zero, negative and other
/// special numbers; the kinds of values of any type; the shortest, longest, smallest and largest
/// of the store; and for links, objects that none, one or many link to, that link to themselves,
/// or that lie on a cycle. See ``Facet/Kind``.
public struct StoreFacets: Hashable, Sendable {
  /// The facets, class by class in the order of names, and in a class in that of its properties.
  public let facets: [Facet]
  /// How many objects each class has, by its name.
  public let objectCounts: [String: Int]
  /// The extremes.
  let measures: [Facet: Measure]

  /// Finds the facets of a store.
  ///
  /// - Throws: `StoreError` for a damaged object; ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*n*) for *n* objects, links and bytes of values; in memory are some 30 bytes
  ///   for each object and 4 for each link.
  public init(_ inspector: StoreInspector, monitor: WorkMonitor = .silent) throws {
    self = try inspector.explaining {
      let scan = try FacetScan(inspector) { name, completed, total in
        try monitor.update(
          "Reading \(name)", completed, of: total,
          orThrow: .cancelled(inspector.path, "find the facets of"))
      }
      return StoreFacets(scan.findings)
    }
  }

  init(_ findings: [ClassFindings]) {
    var facets: [Facet] = []
    var measures: [Facet: Measure] = [:]
    for found in findings {
      for (number, facet) in found.facets.facets.enumerated() where found.shown.contains(number) {
        facets.append(facet)
        if let extreme = found.extremes[number] { measures[facet] = extreme.measure }
      }
    }
    self.facets = facets
    self.measures = measures
    objectCounts = Dictionary(
      findings.map { ($0.facets.className, $0.count) }, uniquingKeysWith: { first, _ in first })
  }

  /// The facets that another store, made of objects of this one, does not show. An extreme is
  /// lost when the other store's is another value.
  public func lost(in other: StoreFacets) -> [Facet] {
    let kept = Set(other.facets)
    return facets.filter { !kept.contains($0) || measures[$0] != other.measures[$0] }
  }
}
