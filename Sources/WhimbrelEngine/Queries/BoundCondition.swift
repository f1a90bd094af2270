package import WhimbrelLMDB

/// A condition whose properties are found in a class.
///
/// It is good for as long as the session of the class has the same catalog.
package final class BoundCondition {
  package let table: ClassTable
  let test: BoundTest

  /// - Throws: ``StoreError`` where a property is not there, or the types do not fit.
  package init(_ condition: QueryCondition, in table: ClassTable) throws {
    self.table = table
    test = try BoundTest(condition, in: table)
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
    try matches(test, record, id, source)
  }

  private func matches(
    _ test: BoundTest, _ record: PageBytes, _ id: ObjectID, _ source: QuerySource
  ) throws -> Bool {
    switch test {
    case .always(let isMet): return isMet
    case .and(let parts):
      return try parts.allSatisfy { try matches($0, record, id, source) }
    case .or(let parts): return try parts.contains { try matches($0, record, id, source) }
    case .not(let part): return try !matches(part, record, id, source)
    case .leaf(let leaf): return try leaf.matches(id, record, source)
    }
  }
}
