internal import WhimbrelEngine

/// A choice of objects that together show the facets of a store.
struct FacetCover {
  private let scan: FacetScan
  private let limit: Int32
  private(set) var kept: KeptObjects
  /// The number of objects that were picked, without those that only links keep.
  private(set) var pickCount = 0
  private var picked: Set<ObjectNumber> = []
  /// The facets that the kept objects show, by class.
  private var tallies: [ClassTally]

  init(_ scan: FacetScan, links: StorePruning.Links) {
    self.scan = scan
    limit = links.limit
    kept = KeptObjects(noneOf: scan.numbers.count, links: scan.graph.groups.count)
    tallies = scan.facets.map(ClassTally.init)
  }

  private var followsAll: Bool { limit == KeptObjects.unlimited }
  private var keepsAll: Bool { kept.count == scan.numbers.count }

  /// Keeps an object and the targets of its links.
  mutating func keep(_ object: ObjectNumber) throws {
    guard picked.insert(object).inserted else { return }
    let added = kept.keep(object, following: limit, in: scan.graph)
    if kept.contains(object) { pickCount += 1 }
    if keepsAll { return }
    for object in added {
      let classIndex = scan.numbers.classIndex(of: object)
      try scan.read(object, of: classIndex, among: kept, &tallies[classIndex])
    }
  }

  /// Keeps up to `wanted` objects of each class, spread over their IDs.
  mutating func keepSome(perClass wanted: Int) throws {
    for classIndex in scan.numbers.tables.indices {
      let range = scan.numbers.range(of: classIndex)
      let count = min(max(wanted, 0), range.count)
      for place in 0..<count {
        // Multiplying `place` by the count first could overflow: both may be large.
        let (step, rest) = (range.count - 1).quotientAndRemainder(dividingBy: max(count - 1, 1))
        try keep(ObjectNumber(range.lowerBound + place * step + min(place, rest)))
      }
    }
  }

  /// Keeps objects that together show every facet that can be shown.
  ///
  /// - Returns: The findings about the kept objects.
  mutating func coverAll() throws -> [ClassFindings] {
    // Classes with the most link properties go first: their objects keep others, whose facets then
    // need no picks.
    let order = scan.facets.indices.sorted {
      (-scan.graph.groupsOfClass[$0].count, $0) < (-scan.graph.groupsOfClass[$1].count, $1)
    }
    for classIndex in order { try coverExtremes(of: classIndex) }
    for classIndex in order { try coverValues(of: classIndex) }
    return try coverRest()
  }

  private mutating func coverExtremes(of classIndex: Int) throws {
    for (number, extreme) in scan.findings[classIndex].extremes.enumerated() {
      guard let extreme, tallies[classIndex].extremes[number]?.measure != extreme.measure else {
        continue
      }
      try keep(extreme.object)
    }
  }

  /// Keeps the object that shows the most missing facets, and repeats this while there is one.
  private mutating func coverValues(of classIndex: Int) throws {
    let findings = scan.findings[classIndex]
    var wanted = FacetBits(count: findings.facets.count)
    for candidate in findings.candidates { wanted.formUnion(candidate.bits) }
    if !followsAll {
      // An object shows these only while its links lead to kept objects: see `coverRest`.
      wanted.subtract(
        FacetBits(count: findings.facets.count) { findings.facets.linkPositions[$0] != nil })
    }
    while !keepsAll {
      wanted.subtract(tallies[classIndex].shown)
      var best: (object: ObjectNumber, gain: Int, bits: FacetBits)?
      for candidate in findings.candidates {
        let gain = candidate.bits.commonCount(wanted)
        if gain > best?.gain ?? 0 { best = (candidate.object, gain, candidate.bits) }
      }
      guard let best else { return }
      try keep(best.object)
      // The object may not show all of them, because a link is cut or its owner cannot be reached.
      // `coverRest` takes care of the rest.
      wanted.subtract(best.bits)
    }
  }

  /// Adds objects for the facets that are still missing, because a link was cut or leads to too
  /// many objects. Each facet has objects that show it whatever else is kept.
  private mutating func coverRest() throws -> [ClassFindings] {
    var tried = Set<Facet>()
    while true {
      if keepsAll { return scan.findings }
      let found = try scan.findings(among: kept)
      var isTrying = false
      for (classIndex, before) in scan.findings.enumerated() {
        for (number, facet) in before.facets.facets.enumerated()
        where found[classIndex].lacks(number, of: before) && tried.insert(facet).inserted {
          for object in witness(of: number, in: classIndex) { try keep(object) }
          isTrying = true
        }
      }
      if !isTrying { return found }
    }
  }

  /// Returns objects that show a facet whatever else is kept.
  private func witness(of number: Int, in classIndex: Int) -> Witness {
    let findings = scan.findings[classIndex]
    if let witness = findings.witnesses[number] { return witness }
    if let extreme = findings.extremes[number] { return [extreme.object] }
    if number == ClassFacets.manyObjects {
      let objects = scan.numbers.range(of: classIndex).lazy.map { ObjectNumber($0) }
      return Array(objects.filter(scan.graph.isReachable).prefix(2))
    }
    guard let candidate = findings.candidates.first(where: { $0.bits.contains(number) }) else {
      return []
    }
    guard let position = findings.facets.linkPositions[number],
      let group = scan.graph.group(ofProperty: position, in: classIndex)
    else { return [candidate.object] }
    let count = findings.facets.facets[number].kind == .long ? CollectionProbe.longCount : 2
    return [candidate.object] + group.targets(of: candidate.object).prefix(count)
  }
}
