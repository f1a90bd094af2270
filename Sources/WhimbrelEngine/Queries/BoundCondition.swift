package import WhimbrelLMDB

/// A condition bound to the properties of a class.
///
/// It is valid as long as the session of the class keeps the same catalog.
package final class BoundCondition {
  package let table: ClassTable
  let test: BoundTest
  /// Whether evaluating the condition may invalidate the bytes of the record. ``current(_:_:_:)``
  /// then reads it again.
  let movesRecords: Bool
  /// The compiled condition for each layout, by layout ID. Nil for IDs without a layout.
  private let programs: [ConditionProgram?]

  /// - Throws: ``StoreError`` if a property does not exist or types do not match.
  package convenience init(_ condition: QueryCondition, in table: ClassTable) throws {
    self.init(try BoundTest(condition, in: table), in: table)
  }

  init(_ test: BoundTest, in table: ClassTable) {
    self.table = table
    self.test = test
    let movesRecords = table.recordsMove && test.readsOtherObjects
    self.movesRecords = movesRecords
    programs = table.resolved.layouts.map { layout in
      layout.map { ConditionProgram(test, $0, in: table, isGeneral: movesRecords) }
    }
  }

  /// Returns whether an object satisfies the condition.
  ///
  /// - Parameter record: The record of the object, from ``ClassTable/record(_:)``.
  package func matches(_ record: PageBytes, _ id: ObjectID) throws -> Bool {
    try matches(record, id, QuerySource(table.session))
  }

  package func matches(
    _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
  ) throws -> Bool {
    try runner(for: record, id).matches(record, id, source)
  }

  /// Returns the current bytes of a record for which the condition was evaluated.
  ///
  /// - Parameter source: The snapshot to read, or nil for the one that the session shows.
  func current(
    _ record: PageBytes, _ id: ObjectID, _ source: QuerySource? = nil
  ) throws -> PageBytes {
    guard movesRecords else { return record }
    return try (source ?? QuerySource(table.session)).current(record, table, id)
  }

  /// Returns a runner for the layout of a record. The runner must not outlive the condition.
  ///
  /// - Throws: ``StoreError`` with `damaged` if the layout of the record is not known, or the
  ///   record is too short for it.
  func runner(for record: PageBytes, _ id: ObjectID) throws -> ConditionProgram.Runner {
    let layout = try table.layout(of: record, id)
    guard let program = programs[Int(layout.layout.id.rawValue)] else {
      throw table.damagedRecord(id, ResolvedClass.unknownLayout)
    }
    return program.runner
  }
}
