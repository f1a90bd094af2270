package import WhimbrelLMDB

/// A condition bound to the properties of a class.
///
/// It is valid as long as the session of the class keeps the same catalog.
package final class BoundCondition {
  package let table: ClassTable
  let test: BoundTest
  /// The compiled condition for each layout, by layout ID. Nil for IDs without a layout.
  private let programs: [ConditionProgram?]

  /// - Throws: ``StoreError`` if a property does not exist or types do not match.
  package convenience init(_ condition: QueryCondition, in table: ClassTable) throws {
    self.init(try BoundTest(condition, in: table), in: table)
  }

  init(_ test: BoundTest, in table: ClassTable) {
    self.table = table
    self.test = test
    programs = table.resolved.layouts.map { layout in
      layout.map { ConditionProgram(test, $0, in: table) }
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
