/// A request whose classes and properties are found in the catalog, with the ways in which
/// it can be answered.
///
/// It is good for as long as its session has the same catalog. Which way is taken is
/// decided each time it is answered, by counting entries of indexes.
package struct PreparedQuery {
  package let request: QueryRequest
  let table: ClassTable
  /// What all objects have to meet that go into the other stages; nil when all do.
  let leading: LeadingCondition?
  /// False when no object can meet the condition.
  let isPossible: Bool
  /// How indexes find objects that may meet the condition.
  let access: QueryAccess?
  /// How an index gives the order of the first of the other stages.
  let indexOrder: IndexOrder?
  /// The stages behind the conditions at the beginning.
  let stages: [Stage]

  /// A stage whose properties are found.
  enum Stage {
    case filter(BoundCondition)
    case sort(QueryOrder)
    case distinct(QueryOrder)
    case offset(Int)
    case limit(Int)
  }

  /// - Throws: ``StoreError`` where a class or a property is not there, or types do not fit.
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
    stages = try rest.map { try Stage($0, in: table) }
    let condition = parts.isEmpty ? nil : QueryCondition.and(parts)
    leading = condition.map { LeadingCondition($0, in: table) }
    let isIndexed = request.source == .all && !table.isOfMigration
    access = isIndexed ? condition.flatMap { QueryAccess($0, in: table) } : nil
    // Where an index answers it all, its keys have shown that the types fit.
    if access?.isAnsweredByRanges != true { _ = try leading?.bound }
    if isIndexed, case .sort(let order)? = stages.first {
      indexOrder = IndexOrder(order.keys, condition, in: table)
    } else {
      indexOrder = nil
    }
  }
}

/// The condition that all objects have to meet, whose properties are found when it is first
/// needed: an index may answer it alone.
final class LeadingCondition {
  let condition: QueryCondition
  private let table: ClassTable
  private var known: BoundCondition?

  init(_ condition: QueryCondition, in table: ClassTable) {
    self.condition = condition
    self.table = table
  }

  /// What is evaluated.
  ///
  /// - Throws: ``StoreError`` where a property is not there, or types do not fit.
  var bound: BoundCondition {
    get throws {
      if let known { return known }
      let bound = try BoundCondition(condition, in: table)
      known = bound
      return bound
    }
  }
}

extension PreparedQuery {
  /// What all objects have to meet that go into the other stages; nil when all do.
  var condition: BoundCondition? {
    get throws { try leading?.bound }
  }
}

extension PreparedQuery.Stage {
  fileprivate init(_ stage: QueryStage, in table: ClassTable) throws {
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

// MARK: - Answering

extension PreparedQuery {
  /// The IDs of the objects, in their order.
  ///
  /// - Complexity: O(*n*) for the objects that have to be looked at, and O(*m* log *m*)
  ///   for *m* that are sorted; O(*m* log *k*) where only *k* are wanted.
  package func objectIDs() throws -> [ObjectID] {
    var run = QueryRun(self)
    return try run.objectIDs()
  }

  /// How many objects there are. It costs less than finding them where an index says it.
  package func count() throws -> Int {
    var run = QueryRun(self)
    return try run.count()
  }

  /// The first object, or nil.
  package func first() throws -> ObjectID? {
    var run = QueryRun(self)
    return try run.objectIDs(upTo: 1).first
  }

  /// A value worked out of what a path leads to from all objects: nil when there is nothing,
  /// but for a sum, which is 0 then.
  ///
  /// - Throws: ``StoreError`` with `queryMismatch` for values that are no numbers, and
  ///   `outOfRange` for a sum of whole numbers that has more than 64 bits.
  /// - Complexity: O(*n*); O(log *n*) for the least and the greatest value where an index
  ///   has them at its ends.
  package func aggregate(
    _ aggregate: QueryAggregate, _ path: QueryPath
  ) throws -> PropertyValue {
    var run = QueryRun(self)
    return try run.aggregate(aggregate, path)
  }

  /// Whether an object is among those that answer the request; nil where only finding all
  /// of them says so.
  ///
  /// - Complexity: O(log *n*).
  package func contains(_ id: ObjectID) throws -> Bool? {
    guard stages.isEmpty, request.source == .all else { return nil }
    guard isPossible, let record = try table.record(id) else { return false }
    return try condition?.matches(record, id) ?? true
  }

  /// How it is answered, after doing so: what was read, and by which index.
  package func explanation() throws -> QueryExplanation {
    var run = QueryRun(self)
    let count = try run.objectIDs().count
    return try QueryExplanation(run, count: count)
  }
}
