internal import WhimbrelEngine
internal import WhimbrelInspection

/// All objects of a store, read once: their numbers, their links, and the facets that they show.
///
/// - Complexity: O(*n*) for *n* objects, links and bytes of values. Memory holds some 30 bytes for
///   each object and 4 for each link, but no values.
struct FacetScan {
  /// The properties that are left out, by class.
  let dropped: [String: Set<String>]
  let numbers: ObjectNumbers
  let facets: [ClassFacets]
  private(set) var graph: LinkGraph
  /// The findings by the index of the class.
  private(set) var findings: [ClassFindings] = []

  /// - Parameters:
  ///   - dropped: The properties that are left out, by class. Their classes show no layout facets,
  ///     because a pruned store rewrites their records.
  ///   - step: Receives the progress.
  /// - Throws: `StoreError` for a damaged object, and what `step` throws.
  init(
    _ inspector: StoreInspector, dropping dropped: [String: Set<String>] = [:],
    _ step: (_ className: String, _ completed: Int, _ total: Int) throws -> Void
  ) throws {
    self.dropped = dropped
    let tables = inspector.tables
    numbers = try ObjectNumbers(tables)
    let embedded = Set(tables.filter(\.resolved.isEmbedded).map(\.name))
    facets = tables.map { table in
      let left = dropped[table.name] ?? []
      return ClassFacets(
        table.name, table.resolved.properties.map(\.schema),
        layouts: left.isEmpty ? table.resolved.entry.layouts.map(\.id) : [],
        past: table.pastShapes, embedded: embedded, dropped: left)
    }
    graph = LinkGraph(numbers, facets)
    for classIndex in tables.indices { findings.append(try scan(classIndex, step)) }
    addLinks(to: &findings, among: KeptObjects(allOf: numbers.count))
  }

  private mutating func scan(
    _ classIndex: Int, _ step: (String, Int, Int) throws -> Void
  ) throws -> ClassFindings {
    let (table, facets) = (numbers.tables[classIndex], facets[classIndex])
    let reader = ObjectReader(table: table, facets: facets)
    let range = numbers.range(of: classIndex)
    let groups = graph.groupsOfClass[classIndex]
    var tally = ClassTally(facets)
    var candidates = FacetCandidates(facets)
    try table.forEachRecord { id, record in
      if tally.count % 1_024 == 0 { try step(table.name, tally.count, range.count) }
      let object = ObjectNumber(range.lowerBound + tally.count)
      try table.verify(record, id)
      tally.begin(object)
      try reader.read(id, record, &tally) { position, target in
        guard let number = self.number(of: target, position, classIndex) else {
          let name = table.resolved.properties[position].name
          throw table.damagedRecord(id, "its link '\(name)' leads to an object that does not exist")
        }
        if let group = groups.first(where: { graph.groups[$0].position == position }) {
          graph.add(number, from: object, group: group)
        }
      }
      try graph.endObject(of: classIndex)
      tally.end()
      candidates.take(
        object, tally.current, linkCount: graph.linkCount(of: object, in: classIndex))
    }
    try step(table.name, range.count, range.count)
    return ClassFindings(facets, tally, candidates.sorted)
  }

  /// Adds the facets of links between objects.
  private func addLinks(to findings: inout [ClassFindings], among kept: KeptObjects) {
    for (group, found) in zip(graph.groups, graph.findings(among: kept)) {
      guard let links = facets[group.classIndex].probes[group.position]?.links else { continue }
      findings[group.classIndex].add(found, of: links)
    }
  }

  /// Returns the number of the target of a link, or nil if the target does not exist.
  func number(of target: LinkTarget, _ position: Int, _ classIndex: Int) -> ObjectNumber? {
    switch target {
    case .object(let id):
      graph.group(ofProperty: position, in: classIndex)?.targetClass
        .flatMap { numbers.number(of: id, in: $0) }
    case .reference(let reference):
      numbers.classIndex(reference.classID).flatMap { numbers.number(of: reference.id, in: $0) }
    }
  }
}

// MARK: - A part of the store

extension FacetScan {
  /// Returns the findings about a store with only the kept objects and the links between them.
  ///
  /// - Complexity: O(*kept* · log *n*) and O(*n*) for the links.
  func findings(among kept: KeptObjects) throws -> [ClassFindings] {
    var findings = try numbers.tables.indices.map { classIndex in
      var tally = ClassTally(facets[classIndex])
      for index in numbers.range(of: classIndex) where kept.contains(ObjectNumber(index)) {
        try read(ObjectNumber(index), of: classIndex, among: kept, &tally)
      }
      return ClassFindings(facets[classIndex], tally)
    }
    addLinks(to: &findings, among: kept)
    return findings
  }

  /// Adds the facets that an object shows in a store with only the kept objects.
  func read(
    _ object: ObjectNumber, of classIndex: Int, among kept: KeptObjects,
    _ tally: inout ClassTally
  ) throws {
    let table = numbers.tables[classIndex]
    let id = numbers.id(of: object, in: classIndex)
    guard let record = try table.storedRecord(id, in: table.session.view) else { return }
    tally.begin(object)
    try ObjectReader(table: table, facets: facets[classIndex]).read(
      id, record,
      keeping: { position, target in
        number(of: target, position, classIndex).map(kept.contains) ?? false
      }, &tally)
    tally.end()
  }

  /// Returns the new values of an object in a store with only the kept objects: the values whose
  /// links are cut. Returns nil if no link is cut.
  ///
  /// - Complexity: O(1) unless a link is to be cut, else O(*elements*).
  func changes(
    of object: ObjectNumber, in classIndex: Int, among kept: KeptObjects
  ) throws -> [StoreCopy.Change]? {
    let table = numbers.tables[classIndex]
    let id = numbers.id(of: object, in: classIndex)
    let changes: [StoreCopy.Change] = try graph.groups[graph.groupsOfClass[classIndex]].compactMap {
      group in
      guard !group.targets(of: object).allSatisfy(kept.contains),
        let record = try table.record(id)
      else { return nil }
      let value = try table.value(group.position, of: record, id)
      let left = value.keepingLinks { target in
        number(of: target, group.position, classIndex).map(kept.contains) ?? false
      }
      return StoreCopy.Change(group.position, left ?? .null)
    }
    return changes.isEmpty ? nil : changes
  }
}

extension ClassTable {
  /// The shapes of the objects that only the rules of an app can convert, with their properties.
  fileprivate var pastShapes: [ClassFacets.PastShape] {
    guard let shapes = resolved.entry.transition?.shapes, shapes.contains(where: \.hasRule) else {
      return []
    }
    return shapes.compactMap { shape in
      shape.layouts.first.flatMap { pastTables[$0] }.map { past in
        ClassFacets.PastShape(
          version: shape.version, layouts: shape.layouts,
          properties: past.resolved.properties.map(\.schema))
      }
    }
  }
}
