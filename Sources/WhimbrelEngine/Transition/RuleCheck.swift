internal import WhimbrelLMDB

/// A check that runs the rules of an online migration for all objects of a file. It finds the
/// objects that a rule leaves without a value or cannot convert. It writes nothing, and its memory
/// does not grow with the file.
struct RuleCheck {
  private let file: StoreFile
  private let loaded: LoadedCatalog
  private let rules: RuleBook
  private let view: ReadView
  private let snapshot: Snapshot
  private let tables: [String: Table]

  private final class Snapshot {
    let transaction: ReadTransaction

    init(_ environment: Environment) throws { transaction = try ReadTransaction(environment) }
  }

  /// - Parameter start: The start of the migration, which does not take place.
  /// - Returns: Nil if the migration would not run online.
  /// - Throws: ``StoreError`` with `migrationInProgress` if the schema has changed since.
  init?(_ start: TransitionStart) throws {
    let task = start.task
    guard task.request.transition != nil, start.isChosen, let catalog = start.catalog else {
      return nil
    }
    file = task.file
    rules = task.declaration.rules
    tables = task.tables
    // Only new snapshots see tables that were opened just now.
    snapshot = try Snapshot(file.environment)
    view = snapshot.transaction.view
    let header = try file.header(in: view)
    guard header == task.loaded.header else {
      throw StoreError.migrationInProgress(path: file.path, processID: nil)
    }
    loaded = LoadedCatalog(catalog, header)
  }

  /// Calls `body` with each finding, until it returns false.
  func run(_ body: (MigrationFinding) throws -> Bool) throws {
    for resolved in loaded.classes where resolved.isInTransition {
      guard let table = tables[TableNames.objects(resolved.entry).name]
      else { continue }
      guard try check(resolved, table, body) else { return }
    }
  }

  private func check(
    _ resolved: ResolvedClass, _ table: Table, _ body: (MigrationFinding) throws -> Bool
  ) throws -> Bool {
    let entry = resolved.entry
    let overflow = tables[TableNames.overflow(entry).name]
    let converter = try ObjectConverter(entry, in: file, loaded, by: rules)
    let cursor = try view.cursor(table)
    var isInside = try cursor.move(to: .first)
    while isInside {
      let (id, record) = (ObjectID(rawValue: cursor.integerKey), cursor.value)
      let stored = Overflow(view, overflow, id, seed: resolved.checksumSeed(id))
      guard record.count >= 8, resolved.layout(of: record) != nil, resolved.hasChecksum(record, id)
      else {
        throw StoreError.damaged(
          path: file.path,
          detail: Sentence.unreadable(
            id, resolved.key(of: id), of: entry.name, ResolvedClass.wrongChecksum))
      }
      if resolved.isStale(record) {
        for (property, rule) in try problems(converter, record, id, stored) {
          let finding = MigrationFinding(
            className: entry.name, objectID: id,
            primaryKey: converter.key(record, id, stored)?.summary, propertyName: property,
            value: nil, rule: rule)
          guard try body(finding) else { return false }
        }
      }
      isInside = try cursor.move(to: .next)
    }
    return true
  }

  private func problems(
    _ converter: ObjectConverter, _ record: PageBytes, _ id: ObjectID, _ stored: Overflow
  ) throws -> [(property: String?, rule: MigrationFinding.Rule)] {
    do {
      return try converter.convert(record, id, stored).unset.map { ($0, .unset) }
    } catch StoreError.Code.ruleFailed {
      return [(nil, .ruleFails)]
    }
  }
}
