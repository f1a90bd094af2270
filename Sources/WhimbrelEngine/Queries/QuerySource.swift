internal import WhimbrelLMDB

/// The snapshot that a query reads: the session's view, or another snapshot of the same commit.
package struct QuerySource {
  let view: ReadView
  /// The converters of objects that have a past shape, or nil if there are none.
  let conversions: Conversions?

  init(_ view: ReadView, _ conversions: Conversions?) {
    self.view = view
    self.conversions = conversions
  }

  /// The snapshot or write of a session.
  init(_ session: Session) { self.init(session.view, session.conversions) }

  /// Returns the verified record of an object, or nil if the object does not exist.
  func record(_ table: ClassTable, _ id: ObjectID) throws -> PageBytes? {
    if table.isOfMigration { return try table.record(id) }
    return try table.record(id, in: view, conversions)
  }

  /// Returns the current bytes of a record, after other objects may have been read. Reads the
  /// record again if that may have invalidated its bytes.
  func current(
    _ record: PageBytes, _ table: ClassTable, _ id: ObjectID
  ) throws -> PageBytes {
    guard table.recordsMove else { return record }
    guard let current = try self.record(table, id) else { throw table.missing(id) }
    return current
  }

  func overflow(_ table: ClassTable, _ id: ObjectID) -> Overflow {
    if table.isOfMigration { return table.overflow(of: id) }
    return table.overflow(of: id, in: view, conversions)
  }

  func value(
    _ table: ClassTable, _ position: Int, of record: PageBytes, _ id: ObjectID
  ) throws -> PropertyValue {
    let layout = try table.layout(of: record, id)
    return try table.explaining(id) {
      try layout.value(position, of: record, overflow(table, id))
    }
  }

  /// Calls `body` with a reader of a collection of a record.
  func readCollection<Result>(
    _ table: ClassTable, _ position: Int, of record: PageBytes, _ id: ObjectID,
    _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try table.explaining(id) {
      try body(CollectionReader(position, of: record, in: table.resolved, overflow(table, id)))
    }
  }

  /// Returns the objects of a class that link to another through a property.
  func sources(
    _ table: ClassTable, _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    guard !table.isOfMigration, let index = table.indexes[position] else {
      return try table.sources(position, linkingTo: target, of: classID).map(\.id)
    }
    return try table.resolved.sources(
      position, linkingTo: target, of: classID, in: index, view
    ).map(\.id)
  }
}

extension ClassTable {
  /// Whether reading other objects may invalidate the bytes of a record: a migration moves records,
  /// and a transition keeps only the objects that were converted last.
  var recordsMove: Bool { isOfMigration || converts }
}
