/// What a scan has found of a class.
struct ClassFindings {
  let facets: ClassFacets
  /// How many objects there are.
  let count: Int
  /// The facets that are shown.
  private(set) var shown: FacetBits
  /// By the number of the facet.
  let extremes: [Extreme?]
  /// Objects that each show other facets than those before, those with the fewest links first.
  let candidates: [FacetCandidate]
  /// For facets that take several objects: objects that show it together.
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

  /// Adds what takes several objects to show.
  mutating func add(_ witness: Witness?, for number: Int?) {
    guard let witness, let number else { return }
    shown.insert(number)
    witnesses[number] = witness
  }

  /// Adds what the links of a property show.
  mutating func add(_ findings: LinkGraph.GroupFindings, of links: LinkFacets) {
    add(findings.fanInNone, for: links.fanInNone)
    add(findings.fanInOne, for: links.fanInOne)
    add(findings.fanInMany, for: links.fanInMany)
    add(findings.toItself, for: links.toItself)
    add(findings.cycle, for: links.cycle)
  }

  /// Whether a facet that another scan of the class has found is not found here.
  func lacks(_ number: Int, of other: ClassFindings) -> Bool {
    guard other.shown.contains(number) else { return false }
    return !shown.contains(number)
      || extremes[number]?.measure != other.extremes[number]?.measure
  }
}

/// An object that stands for all that show the same facets.
struct FacetCandidate {
  let object: ObjectNumber
  let bits: FacetBits
  let linkCount: Int
}

/// Objects that each show other facets.
///
/// - Complexity: at most ``limit`` objects are kept for each class, and one more for each facet.
struct FacetCandidates {
  private var known: [FacetBits: (object: ObjectNumber, linkCount: Int)] = [:]
  private var seen: FacetBits
  private static let limit = 1 << 15

  init(_ facets: ClassFacets) { seen = FacetBits(count: facets.count) }

  /// Takes an object that shows facets; of those that show the same, the first with the fewest
  /// links is kept.
  mutating func take(_ object: ObjectNumber, _ bits: FacetBits, linkCount: Int) {
    if known.count >= Self.limit, bits.isSubset(of: seen), known[bits] == nil { return }
    seen.formUnion(bits)
    if let before = known[bits], before.linkCount <= linkCount { return }
    known[bits] = (object, linkCount)
  }

  /// The objects, those with the fewest links first, then by number.
  var sorted: [FacetCandidate] {
    known.map { FacetCandidate(object: $1.object, bits: $0, linkCount: $1.linkCount) }
      .sorted { ($0.linkCount, $0.object) < ($1.linkCount, $1.object) }
  }
}
