internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelInspection

/// A plan that chooses the objects of a pruned store.
struct PruningPlan {
  let inspector: StoreInspector
  let options: StorePruning.Options
  let monitor: WorkMonitor
  let scan: FacetScan
  private let keep: [ObjectNumber]
  /// The selections of `--keep` that select nothing.
  private let emptySelections: [ObjectSelection]
  private let before: StoreFacets

  /// A choice of kept objects, with its facets.
  struct Choice {
    /// The number of objects asked for of each class.
    let perClass: Int
    let kept: KeptObjects
    let pickCount: Int
    let after: StoreFacets
    let lost: [Facet]
  }

  init(
    _ inspector: StoreInspector, _ options: StorePruning.Options, _ monitor: WorkMonitor
  ) throws {
    self.inspector = inspector
    self.options = options
    self.monitor = monitor
    let dropped = try Self.dropped(options.drop, in: inspector)
    scan = try FacetScan(inspector, dropping: dropped) { name, completed, total in
      try monitor.update(
        "Reading \(name)", completed, of: total, orThrow: Self.cancelled(inspector))
    }
    try Self.check(options.allowedLosses, scan)
    before = StoreFacets(scan.findings)
    let scan = scan
    var emptySelections: [ObjectSelection] = []
    keep = try options.keep.flatMap { selection in
      let ids = try selection.preparedToChange(in: inspector.session).objectIDs()
      if ids.isEmpty { emptySelections.append(selection) }
      guard let place = scan.numbers.tables.firstIndex(where: { $0.name == selection.className })
      else { return [ObjectNumber]() }
      return ids.compactMap { scan.numbers.number(of: $0, in: place) }
    }
    self.emptySelections = emptySelections
  }

  static func cancelled(_ inspector: StoreInspector) -> InspectionError {
    .cancelled(inspector.path, "prune the store")
  }

  /// Chooses the kept objects, with as many of each class as are asked for and the limit allows.
  ///
  /// - Throws: ``InspectionError`` with `facetsLost` or `tooLarge`.
  /// - Complexity: Chooses objects O(log *m*) times for *m* objects asked for.
  func choose() throws -> Choice {
    let wanted = max(options.perClass, 0)
    let choice = try choose(perClass: wanted)
    guard let limit = options.maximumObjects, choice.kept.count > limit else { return choice }
    // Invariant: `low` fits or is -1, and `high` does not fit.
    var (low, high, best) = (-1, wanted, choice)
    while high - low > 1 {
      let middle = (low + high) / 2
      let choice = try choose(perClass: middle)
      if choice.kept.count <= limit { (low, best) = (middle, choice) } else { high = middle }
      if low < 0 { best = choice }
    }
    guard best.kept.count <= limit else {
      throw InspectionError.tooManyKept(
        inspector.path, limit: limit, objects: best.kept.count, strongestLink(of: best),
        options.links)
    }
    return best
  }

  /// Returns the property whose links keep the most objects, or nil if no links keep objects.
  func strongestLink(of choice: Choice) -> PruningReport.Link? {
    let reached = choice.kept.reached
    guard let link = reached.indices.max(by: { reached[$0] < reached[$1] }), reached[link] > 0
    else { return nil }
    let group = scan.graph.groups[link]
    let table = scan.numbers.tables[group.classIndex]
    return PruningReport.Link(
      property: "\(table.name).\(table.resolved.properties[group.position].name)",
      objects: reached[link])
  }

  /// Chooses the kept objects, with `perClass` objects of each class.
  ///
  /// - Throws: ``InspectionError`` with `facetsLost`.
  func choose(perClass: Int) throws -> Choice {
    var cover = FacetCover(scan, links: options.links)
    try monitor.update("Choosing objects", 0, of: nil, orThrow: Self.cancelled(inspector))
    for object in keep { try cover.keep(object) }
    try cover.keepSome(perClass: perClass)
    let after = StoreFacets(try cover.coverAll())
    let lost = before.lost(in: after)
    let choice = Choice(
      perClass: perClass, kept: cover.kept, pickCount: cover.pickCount, after: after, lost: lost)
    try requireAllowed(lost)
    return choice
  }

  /// Throws if the new store lacks a facet that must not be lost.
  func requireFacets(in made: StoreFacets) throws {
    try requireAllowed(before.lost(in: made))
  }

  private func requireAllowed(_ lost: [Facet]) throws {
    let forbidden = lost.filter { !options.allowedLosses.contains($0.description) }
    if !forbidden.isEmpty { throw InspectionError.facetsLost(inspector.path, forbidden) }
  }

  func report(_ choice: Choice, bytes: Int? = nil) -> PruningReport {
    PruningReport(
      classes: scan.facets.map { facets in
        func count(_ facets: StoreFacets, _ name: String) -> Int {
          facets.facets.count { $0.className == name }
        }
        let name = facets.className
        return PruningReport.ClassReport(
          name: name, objects: before.objectCounts[name] ?? 0,
          keptObjects: choice.after.objectCounts[name] ?? 0, facets: count(before, name),
          keptFacets: count(before, name) - choice.lost.count { $0.className == name })
      },
      lost: choice.lost, facets: choice.after.facets, links: options.links,
      picked: choice.pickCount, strongestLink: strongestLink(of: choice), perClass: choice.perClass,
      wantedPerClass: options.perClass, emptySelections: emptySelections,
      bytes: FileManager.default.byteCount(atPath: inspector.path) ?? 0, keptBytes: bytes)
  }
}

// MARK: - Options

extension PruningPlan {
  /// Parses the names of the properties that are left out, by class.
  private static func dropped(
    _ names: [String], in inspector: StoreInspector
  ) throws -> [String: Set<String>] {
    var dropped: [String: Set<String>] = [:]
    for text in names {
      let classes = inspector.session.classes.map(\.resolved.name)
      guard let parts = QualifiedName(text, among: classes) else {
        throw InspectionError.badArgument(
          text, "it does not name a property of a class", "Write it as 'Zone.comments'.")
      }
      let table = try inspector.session.table(parts.first)
      if table.resolved.isInTransition {
        throw InspectionError.badArgument(
          text,
          "objects of \(PlainText.quoted(table.name)) may not be converted yet, and would keep the "
            + "property",
          "Open the store with its app, and let the app finish the migration.")
      }
      let name = parts.second(among: table.resolved.properties.map(\.name))
      let position = try table.resolved.requiredPosition(of: name)
      if position == table.resolved.primaryKeyIndex {
        throw InspectionError.badArgument(
          text, "a primary key cannot be dropped", "Drop other properties only.")
      }
      dropped[table.name, default: []].insert(name)
    }
    return dropped
  }

  /// Throws if a text does not name a facet.
  private static func check(_ texts: [String], _ scan: FacetScan) throws {
    if texts.isEmpty { return }
    let known = scan.facets.flatMap { $0.facets.map(\.description) }
    for text in texts where !known.contains(text) {
      let closest = Spelling.closest(to: text, among: known)
      throw InspectionError.badArgument(
        text, "the store has no such facet",
        closest.map { "Did you mean \(PlainText.quoted($0))?" }
          ?? "Write it as 'whimbrel prune --dry-run' shows it, such as 'Zone.comments: nil'.")
    }
  }
}

extension FileManager {
  /// Returns the size of a file in bytes, or nil if there is no file.
  func byteCount(atPath path: String) -> Int? {
    (try? attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue
  }
}
