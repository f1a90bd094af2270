internal import Foundation
internal import WhimbrelLMDB

/// A check that reads all objects of a file and finds what a new schema has no place for. Nothing
/// is written, and memory does not grow with the file.
final class MigrationCheck {
  private let file: StoreFile
  private let snapshot: ReadTransaction
  let view: ReadView
  let loaded: LoadedCatalog
  /// The classes of the file.
  private(set) var classes: [CheckedClass] = []
  /// The path beside which sorted runs are spilled: the folder of the store may be read-only.
  let spillPath = FileManager.default.temporaryDirectory.appending(path: "whimbrel").path
  private let describesValues: Bool
  private let body: (MigrationFinding) throws -> Bool

  /// An error that ends the check when the caller has seen enough.
  private struct Enough: Error {}

  init(
    _ file: StoreFile, _ declaration: Declaration, describesValues: Bool,
    _ body: @escaping (MigrationFinding) throws -> Bool
  ) throws {
    self.file = file
    self.describesValues = describesValues
    self.body = body
    let catalog = try file.currentCatalog()
    let tables = try file.environment.openTables(catalog.catalog.tableNames)
    // Only new snapshots see tables that have just been opened.
    snapshot = try ReadTransaction(file.environment)
    view = snapshot.view
    loaded = try file.catalog(in: view)
    guard loaded.header.catalogRevision == catalog.header.catalogRevision else {
      throw StoreError.migrationInProgress(path: file.path, processID: nil)
    }
    classes = loaded.drafts(for: declaration.schema).compactMap { draft in
      guard let old = draft.old, let resolved = loaded[old.name],
        let table = tables[TableNames.objects(old).name]
      else { return nil }
      let overflow = tables[TableNames.overflow(old).name]
      return CheckedClass(draft: draft, old: resolved, table: table, overflow: overflow)
    }
    for number in classes.indices { classes[number].number = number }
  }

  /// Passes all findings to the caller, until it returns false.
  func run() throws {
    do {
      let forecast = try ownershipForecast()
      for entry in classes where entry.draft.declared != nil {
        try checkValues(of: entry, forecast)
        try checkKeys(of: entry)
        try checkUniqueIndexes(of: entry, forecast)
      }
      if let forecast { try checkOwners(forecast) }
      try checkReferences()
    } catch is Enough {}
  }

  /// Calls `body` with the objects of a class in the order of their IDs.
  func forEachObject(
    of entry: CheckedClass, _ visit: (ObjectID, CheckedRecord) throws -> Void
  ) throws {
    let cursor = try view.cursor(entry.table)
    var isInside = try cursor.move(to: .first)
    while isInside {
      let id = ObjectID(rawValue: cursor.integerKey)
      try visit(id, try record(id, cursor.value, of: entry))
      isInside = try cursor.move(to: .next)
    }
  }

  /// Returns the object with an ID, or nil.
  func record(_ id: ObjectID, of entry: CheckedClass) throws -> CheckedRecord? {
    try view.value(entry.table, id.rawValue).map { try record(id, $0, of: entry) }
  }

  private func record(
    _ id: ObjectID, _ bytes: PageBytes, of entry: CheckedClass
  ) throws -> CheckedRecord {
    let layout = try explaining(id, entry) { try entry.old.soundLayout(of: bytes, id) }
    let overflow = Overflow(view, entry.overflow, id, seed: entry.old.checksumSeed(id))
    return CheckedRecord { [self] position in
      try explaining(id, entry) { try layout.value(position, of: bytes, overflow) }
    }
  }

  /// Returns the ID of a class that a value of any type can link to. Returns nil for a class of
  /// embedded objects, which such a link cannot own.
  ///
  /// - Parameter name: The new name of the class. The types of old links have it too.
  func classID(_ name: String) -> ClassID? {
    let entry = classes.first { $0.draft.name == name }
    let isEmbedded = entry?.draft.declared?.isEmbedded ?? entry?.old.isEmbedded ?? false
    return isEmbedded ? nil : entry?.draft.id
  }

  /// Calls `body`, and names the object in errors about its record.
  private func explaining<Result>(
    _ id: ObjectID, _ entry: CheckedClass, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as DamagedRecord {
      throw StoreError.damaged(
        path: file.path,
        detail: Sentence.unreadable(id, entry.old.key(of: id), of: entry.old.name, error.detail))
    }
  }

  /// Reports an object, whose record the caller may have.
  func report(
    _ rule: MigrationFinding.Rule, _ id: ObjectID, of entry: CheckedClass, _ property: String?,
    _ value: PropertyValue?, _ known: CheckedRecord? = nil
  ) throws {
    var key: PropertyValue?
    if let position = entry.old.primaryKeyIndex {
      key = try (known ?? record(id, of: entry))?.value(position)
    }
    let finding = MigrationFinding(
      className: entry.draft.name, objectID: id, primaryKey: key?.summary, propertyName: property,
      value: (describesValues || rule.isAboutIdentity) && value?.isNull == false
        ? value?.summary : nil, rule: rule)
    guard try body(finding) else { throw Enough() }
  }
}

/// A class whose objects are checked.
struct CheckedClass {
  /// The position of the class among all.
  fileprivate(set) var number = 0
  let draft: ClassDraft
  let old: ResolvedClass
  let table: Table
  let overflow: Table?
}

/// The values of an object, which are read on demand.
struct CheckedRecord {
  /// The value of the old property at a position.
  let value: (Int) throws -> PropertyValue
}

extension StoreFile {
  /// Finds the data of a file for which the declared schema has no place.
  ///
  /// - Parameter plan: The plan for opening the file.
  /// - Throws: ``StoreError`` with `invalidConfiguration` if opening would make other changes.
  package static func checkMigration(
    _ request: OpenRequest, _ plan: MigrationPlan,
    _ body: @escaping (MigrationFinding) throws -> Bool
  ) throws {
    guard let declaration = request.declaration else {
      throw StoreError.invalidConfiguration(path: request.path, reason: "it has no models")
    }
    try request.validate()
    var request = request
    request.isReadOnly = true
    // Damage is found before the check begins.
    request.file.checks = .allPages
    let file = try attachExisting(request)
    try file.explaining {
      let stage = try file.stages(of: request, declaration)[0]
      let current = try MigrationPlan(
        file, stage.declaration, version: stage.request.schemaVersion)
      guard current.hasSameChanges(as: plan) else {
        throw StoreError.invalidConfiguration(
          path: request.path, reason: "the plan to check was not made for its models and file")
      }
      let start = try TransitionStart(file, stage.request, stage.declaration, for: .dryRun)
      if let check = try RuleCheck(start) {
        return try check.run(body)
      }
      try MigrationCheck(
        file, stage.declaration, describesValues: request.migration.describesValues, body
      )
      .run()
    }
  }
}
