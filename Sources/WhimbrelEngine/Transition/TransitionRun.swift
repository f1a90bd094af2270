internal import Foundation
internal import WhimbrelLMDB

/// A run that converts objects which still have a past shape, in batches of one transaction each.
package final class TransitionRun {
  private let file: StoreFile
  private let session: Session
  /// The number of commits that the run has made.
  private(set) var commitCount = 0
  /// The time for which the run has waited for other writers.
  private(set) var waitingTime = Duration.zero
  /// The transaction in which objects were converted last.
  private var lastView = 0

  /// The outcome of a batch.
  package enum Outcome {
    /// There is more to convert.
    case more(TransitionState)
    /// All objects were visited, and some could not be converted.
    case blocked(TransitionState)
    /// The transition is over, or was ended by another process. Only objects of classes that the
    /// app does not declare may be left, which wait for rules that it does not have.
    case over(TransitionState?)
  }

  /// - Parameter declaration: The declaration of the app, with its rules.
  package init(_ file: StoreFile, _ declaration: Declaration) throws {
    self.file = file
    session = try Session(file, for: declaration)
    session.snapshots?.holder?.become(.migration)
  }

  deinit { endReading() }

  /// Releases the snapshot. The run cannot be used afterwards.
  package func endReading() { session.endReading() }

  /// The number of objects to look up at once, and the minimum that a batch converts.
  private static let stride = 16
  /// The number of objects to convert between two checks of the clock.
  private static let objectsPerLook = 4
  private var packing = ObjectPacking()

  /// The work that is left after a step of a batch.
  private enum Step {
    case more
    /// There is more to convert, in the next batch.
    case enough
    case over
  }

  /// Converts objects for a time, in one transaction. Ends the transition after the last object.
  ///
  /// - Throws: ``StoreError``, also for errors of the disk. Objects that were converted before stay
  ///   so.
  package func runBatch(_ time: Duration) throws -> Outcome {
    _ = try session.refresh()
    guard session.conversions != nil else { return .over(nil) }
    var outcome: TransitionState?
    var step = Step.more
    packing.endBatch()
    // Damage is reported when the object is converted.
    if time > .zero { try? lookAhead(time) }
    do {
      try write {
        // Another process may have ended the transition since.
        guard session.conversions != nil else { return }
        var state = try state()
        // Waiting for other writers takes no time of the batch.
        var now = ContinuousClock.now
        let end = now + time
        var stepTime = Duration.zero
        // Another step of the same length would end too late.
        repeat {
          let start = now
          step = try convertSome(&state, until: end, of: time)
          now = .now
          stepTime = now - start
        } while step == .more && now + stepTime < end
        state.add(session.takeTransitionNotes())
        try state.put(in: session.requireWriting("convert objects"))
        outcome = state
      }
      commitCount += 1
    } catch let error as StoreError where error.concernsOneObject && packing.isOn {
      // A conversion one by one shows which object it is. The next batch begins behind that object.
      packing.isOn = false
      defer { packing.isOn = true }
      return try runBatch(time)
    }
    guard let outcome else { return .over(nil) }
    return step == .over ? try finish(outcome) : .more(outcome)
  }

  /// Writes, and measures how long other writers keep the write waiting.
  private func write(_ body: () throws -> Void) throws {
    let start = ContinuousClock.now
    try session.write {
      waitingTime += ContinuousClock.now - start
      try body()
    }
  }

  /// Prepares to write the objects of the next pages together.
  private func lookAhead(_ time: Duration) throws {
    guard let walk = try state().walks.first(where: { !$0.isOver && table($0) != nil }),
      let table = table(walk)
    else { return }
    try packing.lookAhead(in: table, after: walk.last, time)
  }

  /// Visits objects again that could not be converted, because the rules may have changed.
  package func retryFailed() throws {
    guard session.conversions != nil, try state().walks.contains(where: { !$0.failed.isEmpty })
    else { return }
    try session.write {
      guard session.conversions != nil else { return }
      var state = try state()
      for index in state.walks.indices where !state.walks[index].failed.isEmpty {
        state.walks[index].forgetFailed()
        (state.walks[index].last, state.walks[index].visited) = (nil, 0)
        state.walks[index].isOver = false
      }
      try state.put(in: session.requireWriting("convert objects"))
    }
  }

  /// Returns the state of the transition, or nil if there is none.
  func currentState() throws -> TransitionState? {
    _ = try session.refresh()
    return session.conversions == nil ? nil : try state()
  }

  /// The schema version of the file.
  var schemaVersion: SchemaVersion { session.loaded.header.schemaVersion }

  /// Returns whether all objects were visited that the rules can convert, and some could not be
  /// converted. Returns false if none of those that are listed is left: the app may have deleted
  /// them.
  func isBlocked() throws -> Bool {
    _ = try session.refresh()
    guard session.conversions != nil else { return false }
    let state = try state()
    return try state.hasFailed && !hasMore(state) && hasUnconverted(state)
  }

  /// Returns whether one of the listed objects that could not be converted still has a past shape,
  /// or is damaged.
  private func hasUnconverted(_ state: TransitionState) throws -> Bool {
    for walk in state.walks {
      guard !walk.failed.isEmpty, let table = session.find(walk.classID) else { continue }
      let cursor = try session.view.cursor(table.objects)
      for object in walk.failed {
        guard try cursor.seek(to: object.id.rawValue) else { continue }
        let record = cursor.value
        guard record.count >= 8, table.resolved.hasChecksum(record, object.id),
          !table.resolved.isStale(record)
        else { return true }
      }
    }
    return false
  }

  /// Returns whether there are objects that the rules can convert and that were not visited.
  private func hasMore(_ state: TransitionState) -> Bool {
    state.walks.contains { !$0.isOver && table($0) != nil }
  }

  private func state() throws -> TransitionState {
    var state = try TransitionState(in: session.view) ?? TransitionState(start: Date(), walks: [])
    // The stored state may be lost. The objects themselves show what is left.
    for table in session.classes where table.resolved.isInTransition {
      guard !state.walks.contains(where: { $0.classID == table.resolved.id }) else { continue }
      state.walks.append(
        TransitionState.Walk(classID: table.resolved.id, total: try table.count()))
    }
    return state
  }

  private func table(_ walk: TransitionState.Walk) -> ClassTable? {
    session.find(walk.classID).flatMap { $0.converts ? $0 : nil }
  }

  /// Converts the next few objects.
  ///
  /// - Parameters:
  ///   - end: The time to stop at.
  ///   - time: The time limit of the batch. If it is zero, the number of objects does not depend on
  ///     time.
  private func convertSome(
    _ state: inout TransitionState, until end: ContinuousClock.Instant, of time: Duration
  ) throws -> Step {
    guard let index = state.walks.firstIndex(where: { !$0.isOver && table($0) != nil }),
      let table = table(state.walks[index])
    else { return .over }
    if packing.isReady(for: table) {
      if try packing.convert(table, &state.walks[index], in: time) { return .more }
      if packing.hasMorePages { return .enough }
    }
    let next = try table.objectIDs(after: state.walks[index].last, upTo: Self.stride)
    if next.isEmpty {
      state.walks[index].isOver = true
      // The objects of the next class may grow.
      packing.isOn = true
    }
    let isFirst = session.viewNumber != lastView
    lastView = session.viewNumber
    for (number, (id, isStale)) in next.enumerated() {
      // Each batch makes some progress, however short its time.
      if !isFirst, time > .zero, number % Self.objectsPerLook == 0, ContinuousClock.now >= end {
        break
      }
      if isStale {
        do {
          try table.convertStored(id)
          state.walks[index].converted += 1
        } catch let error as StoreError where error.concernsOneObject {
          let key = error.context.objectID == id ? error.context.primaryKey : nil
          state.walks[index].addFailed(
            .init(id: id, primaryKey: key ?? table.resolved.key(of: id).map(Sentence.plainKey)))
        }
      }
      state.walks[index].last = id
      state.walks[index].visited += 1
    }
    return .more
  }

  // MARK: The end

  /// Ends the transition of the classes whose objects are all converted.
  private func finish(_ state: TransitionState) throws -> Outcome {
    var state = state
    var done: [ClassID] = []
    _ = try session.refresh()
    for index in state.walks.indices {
      guard state.walks[index].isOver, state.walks[index].failed.isEmpty,
        let table = table(state.walks[index])
      else { continue }
      // The stored position of the walk may be damaged, so the objects decide. No writer stores an
      // object in a past shape.
      if try table.hasStaleObjects() {
        (state.walks[index].last, state.walks[index].isOver) = (nil, false)
        state.walks[index].visited = 0
      } else {
        done.append(state.walks[index].classID)
      }
    }
    let (isBlocked, hasMore) = (state.hasFailed, self.hasMore(state))
    guard !done.isEmpty || hasMore else { return isBlocked ? .blocked(state) : .over(state) }
    let ended = state
    guard let isLast = try end(done, &state) else { return .more(state) }
    _ = try session.refresh()
    if isLast { return .over(ended) }
    return hasMore ? .more(state) : isBlocked ? .blocked(state) : .over(ended)
  }

  /// Writes the catalog without the transition of some classes, and returns whether no transition
  /// is left. Returns nil if another process has changed the catalog since.
  private func end(_ done: [ClassID], _ state: inout TransitionState) throws -> Bool? {
    let loaded = session.loaded
    var catalog = loaded.catalog
    for index in catalog.classes.indices where done.contains(catalog.classes[index].id) {
      catalog.classes[index].endTransition()
    }
    let isLast = !catalog.isInTransition
    if isLast, let last = catalog.history.indices.last {
      let converted = state.walks.reduce(0) { $0 + $1.converted }
      // The counts of a damaged state may be wrong, and the catalog must stay readable.
      catalog.history[last].objects = min(
        catalog.history[last].objects + converted, Catalog.objectCounts.upperBound)
      catalog.history[last].duration += max(0, Date().timeIntervalSince(state.start))
    }
    state.walks.removeAll { done.contains($0.classID) }
    var header = loaded.header
    header.revise(for: catalog)
    let (json, left) = (try catalog.json(), try state.json())
    var written: Header?
    try write {
      // Another process may have changed the schema since.
      guard session.loaded.header == loaded.header else { return }
      let view = try session.requireWriting("end the transition")
      if isLast {
        try view.remove(.main, MainKey.transition)
      } else {
        try view.put(.main, MainKey.transition, left)
      }
      written = try view.put(catalog: json, header)
    }
    guard let written else { return nil }
    commitCount += 1
    file.adopt(catalog, written)
    return isLast
  }
}

extension CatalogClass {
  /// Ends the transition of the class, none of whose objects has a past shape any more.
  fileprivate mutating func endTransition() {
    let stale = staleLayouts
    layouts.removeAll { stale.contains($0.id) }
    transition = nil
  }
}

extension StoreError {
  /// Whether the error is about one object, so that others can be converted.
  fileprivate var concernsOneObject: Bool {
    code == .ruleFailed || code == .damaged
  }
}

extension ClassTable {
  /// Returns the objects after another, in the order of their IDs, and whether each still has a
  /// past shape.
  fileprivate func objectIDs(
    after last: ObjectID?, upTo limit: Int
  ) throws -> [(id: ObjectID, isStale: Bool)] {
    if last?.rawValue == .max { return [] }
    var found: [(ObjectID, Bool)] = []
    let cursor = try session.view.cursor(objects)
    var isInside = try cursor.seek(atLeast: last.map { $0.rawValue + 1 } ?? 0)
    while isInside, found.count < limit {
      found.append((ObjectID(rawValue: cursor.integerKey), resolved.isStale(cursor.value)))
      isInside = try cursor.move(to: .next)
    }
    return found
  }

  /// Returns whether there is an object that has a past shape.
  ///
  /// - Complexity: O(*n*).
  fileprivate func hasStaleObjects() throws -> Bool {
    let cursor = try session.view.cursor(objects)
    var isInside = try cursor.move(to: .first)
    while isInside {
      if resolved.isStale(cursor.value) { return true }
      isInside = try cursor.move(to: .next)
    }
    return false
  }
}

extension StoreFile {
  /// Returns whether objects of the file are still to be converted.
  package func isInTransition() throws -> Bool {
    try currentCatalog().catalog.isInTransition
  }

  /// Converts all objects that still have a past shape, before something needs them to be
  /// converted.
  ///
  /// - Parameters:
  ///   - schema: The classes that the app declares, or nil for those that the file declares. Objects
  ///     of other classes need no rules, and stay as they are without them.
  ///   - time: The time after which a batch is committed.
  /// - Returns: The final state of the transition, or nil if there was nothing to convert.
  /// - Throws: ``StoreError`` with `transitionNeedsRule` if a rule is missing, and with
  ///   `ruleFailed` if objects cannot be converted.
  @discardableResult
  package func finishTransition(
    by rules: RuleBook, for schema: StoreSchema? = nil,
    inBatchesOf time: Duration = .milliseconds(100)
  ) throws -> TransitionState? {
    guard let (run, catalog) = try transitionRun(by: rules, for: schema) else { return nil }
    try run.retryFailed()
    while true {
      switch try run.runBatch(time) {
      case .more: continue
      case .over(let state): return state
      case .blocked(let state):
        let walk = state.walks.first { !$0.failed.isEmpty }
        let entry = walk.flatMap { catalog[$0.classID] }
        throw StoreError.transitionBlocked(
          path: path, class: entry?.name ?? "", count: walk?.failedCount ?? 0,
          first: walk?.failed.map(\.id) ?? [], keys: walk?.failed.compactMap(\.primaryKey) ?? [])
      }
    }
  }

  /// Converts the next objects that still have a past shape, the same number in each batch.
  ///
  /// - Throws: ``StoreError``, as ``finishTransition(by:for:inBatchesOf:)`` does.
  package func convertObjects(by rules: RuleBook, inBatches count: Int) throws {
    guard let (run, _) = try transitionRun(by: rules) else { return }
    for _ in 0..<count { _ = try run.runBatch(.zero) }
  }

  /// Returns a run that converts to the schema of the file, or nil if there is nothing to convert.
  private func transitionRun(
    by rules: RuleBook, for schema: StoreSchema? = nil
  ) throws -> (TransitionRun, Catalog)? {
    let catalog = try currentCatalog().catalog
    guard catalog.isInTransition else { return nil }
    try requireRules(rules, leadingTo: catalog)
    var known = catalog
    if let schema { known.classes = catalog.classes(declaredIn: schema) }
    var declaration = Declaration(known.schema)
    declaration.rules = rules
    return (try TransitionRun(self, declaration), catalog)
  }

  /// Throws if a rule leads beyond the schema of the file.
  private func requireRules(_ rules: RuleBook, leadingTo catalog: Catalog) throws {
    for entry in catalog.classes {
      let shapes = entry.transition?.shapes ?? []
      for (number, shape) in shapes.enumerated() where shape.hasRule {
        guard let rule = rules.rule(from: shape.version, of: shape.name) else { continue }
        let destination = entry.destination(of: rule, from: number, in: shapes)
        let target = destination < shapes.count ? entry.past(shapes[destination]) : entry
        if (try? target.arranged(as: rule.new)) != nil { continue }
        throw StoreError.ruleLeadsTooFar(
          path: path, class: entry.name, name: shape.name, version: shape.version,
          stored: try currentHeader().schemaVersion)
      }
    }
  }
}
