internal import WhimbrelEngine
internal import WhimbrelLMDB

extension Session {
  /// The class with a name. That there is none, because its model is not one of the
  /// store, is an error of the program.
  func requiredTable(_ name: String) -> ClassTable {
    guard let table = find(name) else {
      let error = StoreError.unknownClass(class: name, known: classes.map(\.name))
      stopProgram(error.description)
    }
    return table
  }

  /// What cannot be read, or no store can answer, counts as nothing, and the next call that can
  /// throw says why. What the class does not have stops the program.
  func reporting<Result>(_ fallback: Result, _ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch let error as StoreError where Self.misuses.contains(error.code) {
      stopProgram(error.description)
    } catch {
      note(error)
      return fallback
    }
  }

  /// What no program does right, whatever the store has.
  private static let misuses: [StoreError.Code] = [
    .storeClosed, .unknownClass, .unknownProperty,
  ]

  /// The place of the object with a primary key, or nil; its record is at hand.
  func row(of className: String, forPrimaryKey key: PropertyValue) -> ModelRow? {
    reporting(nil) {
      let table = requiredTable(className)
      do {
        try table.requireKey(key)
      } catch {
        stopProgram("\(error)")
      }
      guard let (id, record) = try table.findRecord(key) else { return nil }
      return try row(of: id, record, in: table)
    }
  }

  /// The place of the object with an ID, or nil; its record is at hand.
  func row(of className: String, for id: ObjectID) -> ModelRow? {
    reporting(nil) {
      try requireOpen()
      return try row(of: id, in: requiredTable(className))
    }
  }

  /// The place of an object, or nil when it is gone; its record is at hand.
  func row(of id: ObjectID, in table: ClassTable) throws -> ModelRow? {
    guard let record = try table.record(id) else { return nil }
    return try row(of: id, record, in: table)
  }

  private func row(of id: ObjectID, _ record: PageBytes, in table: ClassTable) throws -> ModelRow {
    var reader = RecordReader(self, table)
    try reader.use(record, id)
    return ModelRow(reader, id, record)
  }
}
