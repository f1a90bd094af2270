package import WhimbrelLMDB

/// A condition whose properties are found in a class.
///
/// It is good for as long as the session of the class has the same catalog.
package final class BoundCondition {
  package let table: ClassTable
  /// By layout ID; nil where no record has such a layout.
  private let programs: [ConditionProgram?]

  /// - Throws: ``StoreError`` where a property is not there, or the types do not fit.
  package init(_ condition: QueryCondition, in table: ClassTable) throws {
    self.table = table
    let test = try BoundTest(condition, in: table)
    programs = table.resolved.layouts.map { layout in
      layout.map { ConditionProgram(test, $0, in: table) }
    }
  }

  /// Whether an object meets the condition.
  ///
  /// - Parameter record: that of the object, as ``ClassTable/record(_:)`` gives it.
  package func matches(_ record: PageBytes, _ id: ObjectID) throws -> Bool {
    try matches(record, id, QuerySource(table.session.view))
  }

  /// Whether an object meets the condition.
  package func matches(
    _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
  ) throws -> Bool {
    try runner(for: record, id).matches(record, id, source)
  }

  /// What looks at records of the layout of one. It must not outlive the condition.
  ///
  /// - Throws: ``StoreError`` with `damaged` for a record of no layout, or too short a one.
  func runner(for record: PageBytes, _ id: ObjectID) throws -> ConditionProgram.Runner {
    let layout = try table.layout(of: record, id)
    guard let program = programs[Int(layout.layout.id.rawValue)] else {
      throw table.damagedRecord(id, ResolvedClass.unknownLayout)
    }
    return program.runner
  }
}
