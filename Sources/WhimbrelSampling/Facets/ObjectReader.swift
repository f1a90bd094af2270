internal import WhimbrelEngine
internal import WhimbrelLMDB

/// Reads the objects of a class and takes down what they show.
struct ObjectReader {
  let table: ClassTable
  let facets: ClassFacets

  /// Reads one object.
  ///
  /// - Parameters:
  ///   - keeps: whether a link is to be read; it reads as in a store that does not have the target.
  ///   - tally: is told what the object shows.
  ///   - onLink: is told each link that is read, with the position of its property.
  /// - Complexity: O(*size*); a collection is read element by element.
  func read(
    _ id: ObjectID, _ record: PageBytes,
    keeping keeps: (Int, LinkTarget) -> Bool = { _, _ in true },
    _ tally: inout ClassTally, onLink: (Int, LinkTarget) throws -> Void = { _, _ in }
  ) throws {
    let layout = try table.layout(of: record, id)
    if let number = facets.layouts[record.layoutID] { tally.show(number) }
    for (position, probe) in facets.probes.enumerated() {
      guard let probe else { continue }
      if let collection = probe.collection {
        try table.readCollection(position, of: id) { reader in
          try read(reader, position, collection, keeping: keeps, &tally, onLink)
        }
        continue
      }
      var value = try table.explaining(id) {
        try layout.value(position, of: record, table.overflow(of: id))
      }
      if probe.holdsLinks {
        value = value.keepingLinks { keeps(position, $0) } ?? .null
        for target in value.linkTargets { try onLink(position, target) }
      }
      probe.probe(value, &tally)
    }
  }

  private func read(
    _ reader: CollectionReader, _ position: Int, _ probe: CollectionProbe,
    keeping keeps: (Int, LinkTarget) -> Bool, _ tally: inout ClassTally,
    _ onLink: (Int, LinkTarget) throws -> Void
  ) throws {
    guard probe.looksAtElements else { return probe.probe(count: reader.count, &tally) }
    var count = 0
    try reader.forEach { name, element in
      guard let kept = element.keepingLinks(where: { keeps(position, $0) }) else { return }
      count += 1
      probe.probe(element: kept, name: name, &tally)
      for target in kept.linkTargets { try onLink(position, target) }
    }
    probe.probe(count: count, &tally)
  }
}

extension PropertyValue {
  /// The value without the links that do not meet a condition: they drop out of lists and maps.
  /// Nil when the value itself is such a link.
  func keepingLinks(where keeps: (LinkTarget) -> Bool) -> PropertyValue? {
    switch self {
    case .link(let id): return keeps(.object(id)) ? .some(self) : .none
    case .object(let reference): return keeps(.reference(reference)) ? .some(self) : .none
    case .list(let elements):
      return .list(elements.compactMap { $0.keepingLinks(where: keeps) })
    case .map(let elements):
      return .map(elements.compactMapValues { $0.keepingLinks(where: keeps) })
    default: return self
    }
  }
}
