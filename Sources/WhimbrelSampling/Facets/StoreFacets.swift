public import WhimbrelInspection

/// The facets that the objects of a store show: the parts of its schema that they use.
///
/// ```swift
/// let facets = try StoreFacets(StoreInspector(path: "zones.whimbrel"))
/// for facet in facets.facets { print(facet) }
/// ```
///
/// A class has facets for no, one or many objects, and for each layout of its records. A property
/// has facets for nil, the default or another value; `true` and `false`; each case of an enum;
/// empty, one or many elements; empty and non-ASCII text; zero, negative and other special numbers;
/// the kinds of values of type `any`; and the shortest, longest, smallest and largest values of the
/// store. Links have facets for targets of no, one and many links, for links of an object to
/// itself, and for cycles. See ``Facet/Kind``.
///
/// Objects that an online migration has not yet converted show the facets of properties that they
/// have in common with the others. They also show the facets of all values that they had, because
/// their rule may fail to handle one of them.
public struct StoreFacets: Hashable, Sendable {
  /// The facets, class by class in name order, and within a class in property order.
  public let facets: [Facet]
  /// The number of objects of each class, by name.
  public let objectCounts: [String: Int]
  /// The values of the extremes.
  let measures: [Facet: Measure]

  /// Finds the facets of a store.
  ///
  /// - Throws: `StoreError` for a damaged object; ``InspectionError`` with `cancelled`.
  /// - Complexity: O(*n*) for *n* objects, links and bytes of values. Memory holds some 30 bytes
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
    objectCounts = Dictionary(keepingFirst: findings.map { ($0.facets.className, $0.count) })
  }

  /// Returns the facets that another store, made of objects of this one, does not show. An extreme
  /// is lost if the other store has another value for it.
  public func lost(in other: StoreFacets) -> [Facet] {
    let kept = Set(other.facets)
    return facets.filter { !kept.contains($0) || measures[$0] != other.measures[$0] }
  }
}
