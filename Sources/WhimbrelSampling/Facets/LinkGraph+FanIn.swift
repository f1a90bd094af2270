/// Objects that together show a facet.
typealias Witness = [ObjectNumber]

extension LinkGraph {
  /// The facets that the links of one property show, each with objects that show it.
  struct GroupFindings {
    var fanInNone: Witness?
    var fanInOne: Witness?
    var fanInMany: Witness?
    var toItself: Witness?
    var cycle: Witness?
  }

  /// Finds kept objects to which no, one or several kept objects link.
  ///
  /// - Complexity: O(*links*), and 5 bytes for each possible target.
  func findFanIn(
    _ group: Group, among kept: KeptObjects, _ findings: inout GroupFindings
  ) {
    let range =
      group.targetClass.map { numbers.range(of: $0) } ?? 0..<numbers.count
    var counts: [UInt8] = Array(repeating: 0, count: range.count)
    var lastSources: [UInt32] = Array(repeating: .max, count: range.count)
    forEachLink(of: group, among: kept) { source, target in
      let place = target.index - range.lowerBound
      // An object may link to the same target several times, which counts once.
      guard lastSources[place] != source.rawValue else { return }
      lastSources[place] = source.rawValue
      counts[place] = min(counts[place] + 1, 2)
    }
    func first(_ count: UInt8) -> ObjectNumber? {
      for place in counts.indices where counts[place] == count {
        let object = ObjectNumber(range.lowerBound + place)
        if kept.contains(object) { return object }
      }
      return nil
    }
    if group.targetClass != nil { findings.fanInNone = first(0).map { [$0] } }
    let (one, many) = (first(1), first(2))
    var (oneSources, manySources): (Witness, Witness) = ([], [])
    forEachLink(of: group, among: kept) { source, target in
      if target == one, oneSources.isEmpty { oneSources = [source] }
      if target == many, manySources.count < 2, manySources.last != source {
        manySources.append(source)
      }
    }
    findings.fanInOne = one.map { [$0] + oneSources }
    findings.fanInMany = many.map { [$0] + manySources }
  }

  /// Calls `body` with each link of a property between kept objects.
  func forEachLink(
    of group: Group, among kept: KeptObjects,
    _ body: (_ source: ObjectNumber, _ target: ObjectNumber) -> Void
  ) {
    for index in numbers.range(of: group.classIndex) {
      let source = ObjectNumber(index)
      guard kept.contains(source) else { continue }
      for target in group.targets(of: source) where kept.contains(target) { body(source, target) }
    }
  }
}
