internal import Foundation
internal import WhimbrelLMDB

/// The start of an online migration. It brings the catalog to the declared schema at once. The
/// objects follow one by one, in a transition.
struct TransitionStart {
  let task: MigrationTask
  let plan: MigrationPlan
  private let draft: TransitionDraft

  init(
    _ file: StoreFile, _ request: OpenRequest, _ declaration: Declaration,
    for purpose: MigrationTask.Purpose
  ) throws {
    do {
      task = try MigrationTask(file, request, declaration, for: purpose)
      var plan = try MigrationPlan(file, declaration, version: request.schemaVersion)
      try plan.findOnlineObstacles(in: file, request, declaration)
      self.plan = plan
      draft = TransitionDraft(
        task.loaded, declaration, to: request.schemaVersion, by: declaration.rules, plan)
    } catch {
      throw file.explain(error)
    }
  }

  /// The catalog to write, or nil if there are obstacles.
  var catalog: Catalog? { isPossible ? flip.catalog : nil }

  /// Whether the rules can make all changes.
  var isPossible: Bool {
    draft.obstacles.isEmpty && !task.request.migration.keepsPreviousGeneration
  }

  /// Whether the rules make the changes, and not the app's migration block.
  ///
  /// A block makes the changes that rules cannot make. It also migrates stores from before the
  /// first rule, and all stores if the rules end before the app's version: their objects may need
  /// what only the block does, even if the schema alone does not require it.
  var isChosen: Bool {
    guard task.request.migration.block != nil else { return true }
    let rules = task.declaration.rules
    guard let first = rules.firstVersion, task.oldVersion >= first, !rules.endBeforeApp else {
      return false
    }
    return isPossible
  }

  /// Brings the file to the declared schema. If it throws, the file is as it was.
  func run() throws {
    if task.isDone { return }
    let path = task.file.path
    if task.oldVersion > task.newVersion {
      throw StoreError.schemaVersionTooNew(
        path: path, found: task.oldVersion, declared: task.newVersion)
    }
    try plan.requireAllowed(path: path)
    var obstacles = draft.obstacles.map(\.description)
    if task.request.migration.keepsPreviousGeneration {
      obstacles.append(OnlineObstacle.keepingPreviousGeneration.description)
    }
    guard obstacles.isEmpty else {
      throw StoreError.cannotMigrateOnline(
        path: path, from: task.oldVersion, to: task.newVersion, obstacles: obstacles)
    }
    // With the new schema, not even the release before could open the file and finish.
    try task.declaration.rules.requireRules(
      for: flip.catalog, of: task.declaration.schema, path: path)
    try task.file.explaining {
      try backUp()
      try takeEffect()
    }
  }

  private func backUp() throws {
    guard let path = try task.requiredBackup() else { return }
    try task.file.backUp(to: path)
  }

  private var flip: CatalogFlip {
    let results = draft.classes.map { entry in
      CatalogFlip.ClassResult(entry: entry, id: entry.id, name: entry.name, nextObjectID: nil)
    }
    return CatalogFlip(
      task, results, changes: plan.changes.map(\.change.description), marks: [], objects: 0)
  }

  private func takeEffect() throws {
    let flip = flip
    let (header, leavesTables) = try flip.commit(
      nil, isMarked: false, hasStrayTables: false, transition: try state(flip.catalog))
    task.file.adopt(flip.catalog, header)
    // Leftover tables only take space, which the next opening can free.
    if leavesTables { try? task.file.removeLeftovers() }
  }

  /// Returns the state in which the transition begins. Classes that were already in transition
  /// begin again: their converted objects now have a past shape.
  private func state(_ catalog: Catalog) throws -> TransitionState? {
    guard catalog.isInTransition else { return nil }
    let transaction = try ReadTransaction(task.file.environment)
    let view = transaction.view
    let walks = try catalog.classes.filter { $0.transition != nil }.map { entry in
      let table = task.tables[TableNames.objects(entry).name]
      return TransitionState.Walk(
        classID: entry.id, total: try table.map { try view.count($0) } ?? 0)
    }
    return TransitionState(start: task.request.identity.now, walks: walks)
  }
}
