internal import WhimbrelEngine
internal import WhimbrelLMDB

extension Session {
  /// Returns the table of a class. Stops the program if the class has no table: its model is not
  /// one of the store's models, which is a programming error.
  func requiredTable(_ name: String) -> ClassTable {
    guard let table = find(name) else { stopProgram(unlistedModel(name).description) }
    return table
  }

  /// Throws if the configuration does not list a model. Its objects would read the bytes of
  /// properties of other types, if the file has a class of that name.
  func requireListed(_ model: any Model.Type) throws {
    // A migration has the models of two versions, which `OldShapes` checks.
    guard ObjectIdentifier(model) != listedModel, !isOfMigration,
      let registry = modelTypes as? ModelRegistry
    else { return }
    let name = model._$schema.name
    guard let listed = registry.types[name] else { throw unlistedModel(name) }
    guard listed == model else {
      throw StoreError.otherModel(
        class: name, model: String(reflecting: model), listed: String(reflecting: listed))
    }
    listedModel = ObjectIdentifier(model)
  }

  /// Stops the program if the configuration does not list a model.
  func stopUnlessListed(_ model: any Model.Type) {
    do { try requireListed(model) } catch { stopProgram("\(error)") }
  }

  /// Returns the table of an object's class. Throws if its model is not one of the store's models.
  func table(of object: any Model) throws -> ClassTable {
    try requireListed(type(of: object))
    // The class of an old object of a migration may have another name now.
    if isOfMigration, isNewSide(of: object._$row.session), let old = object._$row.table,
      let table = find(old.resolved.id)
    {
      return table
    }
    try requireClass(of: object._$row)
    let name = type(of: object)._$schema.name
    if let table = find(name) { return table }
    // Another store of the file may have removed the class.
    throw goneTable(name) == nil
      ? unlistedModel(name)
      : StoreError.unknownClass(class: name, known: classes.map(\.name))
  }

  /// Throws if an object that is to be deleted is unmanaged, or an object of another store.
  func requireOwn(_ object: any Model) throws {
    let (row, name) = (object._$row, type(of: object)._$schema.name)
    guard let owner = row.session else {
      throw StoreError.notInStore(verb: "delete", class: name)
    }
    guard owner === self else {
      throw StoreError.objectOfOtherStore(class: name, objectID: row.id, primaryKey: row.knownKey)
    }
    try requireClass(of: row)
  }

  /// Throws if another store has removed the class of an object. Another class may have its name.
  private func requireClass(of row: ModelRow) throws {
    guard row.session === self, let known = row.table, current(known) == nil else { return }
    throw missingClass(of: row.id, in: known)
  }

  private func unlistedModel(_ name: String) -> StoreError {
    let known = (modelTypes as? ModelRegistry)?.types.keys.sorted() ?? classes.map(\.name)
    return .unlistedModel(class: name, known: known)
  }

  /// Runs `body`, and returns `fallback` if it throws. The error becomes a deferred error, which
  /// the next throwing call rethrows. A misuse stops the program.
  func reporting<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch let error as StoreError where isMisuse(error) {
      let unlisted = error.code == .unknownClass ? error.context.className.map(unlistedModel) : nil
      stopProgram((unlisted ?? error).description)
    } catch {
      note(error)
      return fallback
    }
  }

  /// Returns whether an error is a programming error, whatever the store contains. A class that
  /// was there may have been removed by another store.
  private func isMisuse(_ error: StoreError) -> Bool {
    switch error.code {
    case .storeClosed: true
    case .unknownClass: error.context.className.flatMap(goneTable) == nil
    default: false
    }
  }

  /// Returns the row of the object with a primary key, with its record loaded; nil if there is
  /// none.
  func row(of className: String, forPrimaryKey key: PropertyValue) -> ModelRow? {
    reporting(nil) {
      let table = requiredTable(className)
      do {
        try table.requireKey(key)
      } catch {
        stopProgram("\(error)")
      }
      guard let (id, record) = try table.findRecord(key) else {
        readTracker?.noteMembers(of: className)
        return nil
      }
      return try row(of: id, record, in: table)
    }
  }

  /// Returns the row of the object with an ID, with its record loaded; nil if there is none.
  func row(of className: String, for id: ObjectID) -> ModelRow? {
    reporting(nil) {
      try requireOpen()
      let row = try row(of: id, in: requiredTable(className))
      if row == nil { readTracker?.noteMembers(of: className) }
      return row
    }
  }

  /// Returns the row of an object, with its record loaded; nil if the object does not exist.
  func row(of id: ObjectID, in table: ClassTable) throws -> ModelRow? {
    guard let record = try table.record(id) else { return nil }
    return try row(of: id, record, in: table)
  }

  private func row(of id: ObjectID, _ record: PageBytes, in table: ClassTable) throws -> ModelRow {
    let layout =
      table.written.fits(record) ? table.written : try table.layout(of: record, id).view
    return ModelRow(self, table, id, record, layout)
  }
}
