/// A request bound to the classes and properties of the catalog. The values of its parameters are
/// not yet known.
///
/// It is valid as long as its session keeps the same catalog.
package final class QueryTemplate {
  package let request: QueryRequest
  package let table: ClassTable
  /// The condition before the other stages, or nil if there is none.
  let condition: QueryCondition?
  /// Whether an object can satisfy the condition.
  let isPossible: Bool
  /// Whether indexes may find objects or their order.
  let isIndexed: Bool
  /// The parts of the condition that indexes can answer.
  let plan: QueryPlan?
  /// The stages after the leading conditions.
  let stages: [BoundQuery.Stage]
  /// The equality, if the whole request consists of one, or nil.
  let equality: Equality?
  private var boundTest: BoundTest?
  private let catalogNumber: Int

  /// - Throws: ``StoreError`` if the class or a property of a later stage does not exist, or if
  ///   types do not match.
  package init(_ request: QueryRequest, in session: Session) throws {
    self.request = request
    let table = try session.table(request.className)
    self.table = table
    var parts: [QueryCondition] = []
    var rest = request.stages[...]
    while case .filter(let condition)? = rest.first {
      parts += condition.parts
      rest = rest.dropFirst()
    }
    isPossible = !parts.contains { if case .always(false) = $0 { true } else { false } }
    parts.removeAll { if case .always(true) = $0 { true } else { false } }
    stages = try rest.map { try BoundQuery.Stage($0, in: table) }
    let condition = parts.isEmpty ? nil : QueryCondition.and(parts)
    self.condition = condition
    isIndexed = request.source == .all && !table.isOfMigration
    let plan = isIndexed ? condition.map { QueryPlan($0, in: table) } : nil
    self.plan = plan
    equality = stages.isEmpty ? Equality(plan, in: table) : nil
    catalogNumber = session.catalogNumber
  }

  /// Whether the session still has the catalog to which the request is bound.
  package var isCurrent: Bool { table.session.catalogNumber == catalogNumber }

  /// The bound condition, or nil if there is none. It is bound on first use, because an index alone
  /// may answer it.
  ///
  /// - Throws: ``StoreError`` if a property does not exist or types do not match.
  var test: BoundTest? {
    get throws {
      if let boundTest { return boundTest }
      boundTest = try condition.map { try BoundTest($0, in: table) }
      return boundTest
    }
  }

  /// Returns the query for values of the parameters.
  ///
  /// - Throws: ``StoreError`` if a property does not exist or types do not match.
  package func query(_ values: [PropertyValue]) throws -> BoundQuery {
    try BoundQuery(self, values)
  }
}

extension BoundQuery.Stage {
  init(_ stage: QueryStage, in table: ClassTable) throws {
    self =
      switch stage {
      case .filter(let condition): .filter(try BoundCondition(condition, in: table))
      case .sort(let keys): .sort(try QueryOrder(keys, in: table))
      case .distinct(let paths): .distinct(try QueryOrder(distinct: paths, in: table))
      case .offset(let count): .offset(count)
      case .limit(let count): .limit(count)
      }
  }
}
