internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelLMDB

/// A reader of the objects of a class that records the facets they show.
struct ObjectReader {
  let table: ClassTable
  let facets: ClassFacets

  /// Reads one object. An object that is not yet converted shows the facets that it shares with the
  /// others, its layout, and the values that it had.
  ///
  /// - Parameters:
  ///   - keeps: Returns whether to keep a link. Without it, the property is read as if the target
  ///     did not exist.
  ///   - tally: Records the facets of the object.
  ///   - onLink: Receives each kept link with the position of its property.
  /// - Complexity: O(*size*). A collection is read element by element.
  func read(
    _ id: ObjectID, _ record: PageBytes,
    keeping keeps: (Int, LinkTarget) -> Bool = { _, _ in true },
    _ tally: inout ClassTally, onLink: (Int, LinkTarget) throws -> Void = { _, _ in }
  ) throws {
    if let number = facets.layouts[record.layoutID] { tally.show(number) }
    let (reader, record) = try table.reading(record, id)
    let layout = try table.layout(of: record, id)
    for (position, probe) in facets.probes.enumerated() {
      guard let probe, table.position(position, in: reader) != nil else { continue }
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
    if reader !== table { try readPast(id, record, reader, &tally) }
  }

  /// Reads the values that a rule sees of an object that is not yet converted. Links in values of
  /// type `any` are left out, because they may be cut.
  private func readPast(
    _ id: ObjectID, _ record: PageBytes, _ past: ClassTable, _ tally: inout ClassTally
  ) throws {
    let layout = try past.layout(of: record, id)
    for (position, probe) in (facets.past[record.layoutID] ?? []).enumerated() {
      guard let probe else { continue }
      if let collection = probe.collection {
        try past.readCollection(position, of: id) { reader in
          try read(reader, position, collection, keeping: { _, _ in false }, &tally, { _, _ in })
        }
        continue
      }
      let value = try past.explaining(id) {
        try layout.value(position, of: record, past.overflow(of: id))
      }
      if let value = value.keepingLinks(where: { _ in false }) { probe.probe(value, &tally) }
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
