/// The findings of a scan about one class.
struct ClassFindings {
  let facets: ClassFacets
  let count: Int
  private(set) var shown: FacetBits
  /// The extremes by the number of their facet.
  let extremes: [Extreme?]
  /// Objects that each show a different set of facets, those with the fewest links first.
  let candidates: [FacetCandidate]
  /// Objects that together show a facet, for facets that need several objects.
  private(set) var witnesses: [Int: Witness] = [:]

  init(_ facets: ClassFacets, _ tally: ClassTally, _ candidates: [FacetCandidate] = []) {
    self.facets = facets
    self.candidates = candidates
    count = tally.count
    extremes = tally.extremes
    shown = tally.shown
    for (number, extreme) in extremes.enumerated() where extreme != nil { shown.insert(number) }
    let ofCount =
      switch tally.count {
      case 0: ClassFacets.noObjects
      case 1: ClassFacets.oneObject
      default: ClassFacets.manyObjects
      }
    shown.insert(ofCount)
  }

  /// Adds a facet that needs several objects.
  mutating func add(_ witness: Witness?, for number: Int?) {
    guard let witness, let number else { return }
    shown.insert(number)
    witnesses[number] = witness
  }

  /// Adds the findings about the links of a property.
  mutating func add(_ findings: LinkGraph.GroupFindings, of links: LinkFacets) {
    add(findings.fanInNone, for: links.fanInNone)
    add(findings.fanInOne, for: links.fanInOne)
    add(findings.fanInMany, for: links.fanInMany)
    add(findings.toItself, for: links.toItself)
    add(findings.cycle, for: links.cycle)
  }

  /// Returns whether another scan of the class found a facet that this one did not find.
  func lacks(_ number: Int, of other: ClassFindings) -> Bool {
    guard other.shown.contains(number) else { return false }
    return !shown.contains(number)
      || extremes[number]?.measure != other.extremes[number]?.measure
  }
}

/// An object that represents all objects that show the same facets.
struct FacetCandidate {
  let object: ObjectNumber
  let bits: FacetBits
  let linkCount: Int
}

/// A collection of objects that each show a different set of facets.
///
/// - Complexity: At most ``limit`` objects of each class are kept, plus one for each facet.
struct FacetCandidates {
  private var known: [FacetBits: (object: ObjectNumber, linkCount: Int)] = [:]
  private var seen: FacetBits
  private static let limit = 1 << 15

  init(_ facets: ClassFacets) { seen = FacetBits(count: facets.count) }

  /// Takes an object that shows facets. Of objects with the same facets, the first with the fewest
  /// links is kept.
  mutating func take(_ object: ObjectNumber, _ bits: FacetBits, linkCount: Int) {
    if known.count >= Self.limit, bits.isSubset(of: seen), known[bits] == nil { return }
    seen.formUnion(bits)
    if let before = known[bits], before.linkCount <= linkCount { return }
    known[bits] = (object, linkCount)
  }

  /// The objects, sorted by the number of links, then by object number.
  var sorted: [FacetCandidate] {
    known.map { FacetCandidate(object: $1.object, bits: $0, linkCount: $1.linkCount) }
      .sorted { ($0.linkCount, $0.object) < ($1.linkCount, $1.object) }
  }
}
