/// A request bound to the classes and properties of the catalog, with the possible ways to answer
/// it.
///
/// It is valid as long as its session keeps the same catalog. Each run chooses one of the ways by
/// counting index entries.
package struct BoundQuery {
  package let request: QueryRequest
  let table: ClassTable
  /// The condition before the other stages, or nil if there is none.
  let leading: LeadingCondition?
  /// Whether an object can satisfy the condition.
  let isPossible: Bool
  /// The way to find candidates for the condition with indexes, or nil if indexes cannot be used.
  let access: QueryAccess?
  /// The index with the order of the first stage, if that stage sorts.
  let indexOrder: IndexOrder?
  /// The stages after the leading conditions.
  private(set) var stages: [Stage]

  enum Stage {
    case filter(BoundCondition)
    case sort(QueryOrder)
    case distinct(QueryOrder)
    case offset(Int)
    case limit(Int)
  }

  /// - Throws: ``StoreError`` if a class or a property does not exist, or if types do not match.
  package init(_ request: QueryRequest, in session: Session) throws {
    try self.init(QueryTemplate(request, in: session), [])
  }

  /// - Parameter values: The values of the parameters.
  init(_ template: QueryTemplate, _ values: [PropertyValue]) throws {
    (request, table) = (template.request, template.table)
    (stages, isPossible) = (template.stages, template.isPossible)
    leading = template.condition.map { LeadingCondition($0, template, values) }
    access = template.plan.flatMap { QueryAccess($0, values, in: template.table) }
    // Binding checks the types. If ranges of an index answer the whole condition, making their keys
    // has already checked the types.
    if access?.isAnsweredByRanges != true { _ = try template.test }
    if template.isIndexed, case .sort(let order)? = stages.first {
      indexOrder = IndexOrder(order.keys, leading?.condition, in: table)
    } else {
      indexOrder = nil
    }
  }
}

extension BoundQuery {
  /// The query with only the sorts among its stages. The stages must be conditions, a sort, and
  /// then offsets and limits.
  var withoutWindow: BoundQuery {
    var query = self
    query.stages.removeAll { if case .sort = $0 { false } else { true } }
    return query
  }
}

/// The condition before the other stages. It is compiled on first use, because an index alone may
/// answer it.
final class LeadingCondition {
  private let template: QueryTemplate
  private let values: [PropertyValue]
  private let unfilled: QueryCondition
  private var known: BoundCondition?

  fileprivate init(
    _ condition: QueryCondition, _ template: QueryTemplate, _ values: [PropertyValue]
  ) {
    unfilled = condition
    self.template = template
    self.values = values
  }

  var condition: QueryCondition { values.isEmpty ? unfilled : unfilled.filled(with: values) }

  /// The bound condition.
  ///
  /// - Throws: ``StoreError`` if a property does not exist or types do not match.
  var bound: BoundCondition {
    get throws {
      if let known { return known }
      let test = try template.test ?? .always(true)
      let bound = BoundCondition(
        values.isEmpty ? test : test.filled(with: values), in: template.table)
      known = bound
      return bound
    }
  }
}

extension BoundQuery {
  /// The bound condition before the other stages, or nil if there is none.
  var condition: BoundCondition? {
    get throws { try leading?.bound }
  }
}

// MARK: - Answering

extension BoundQuery {
  /// Returns the IDs of the objects, in order.
  ///
  /// - Complexity: O(*n*) for the objects that must be read, plus O(*m* log *m*) for *m* objects
  ///   that are sorted, or O(*m* log *k*) if only the first *k* of them are needed.
  package func objectIDs() throws -> [ObjectID] {
    var run = QueryRun(self)
    return try run.objectIDs()
  }

  /// Removes the objects: see ``ClassTable/remove(_:)``.
  package func removeObjects() throws {
    var run = QueryRun(self)
    try run.removeObjects()
  }

  /// Returns the number of objects. This costs less than finding them if an index contains the
  /// answer.
  package func count() throws -> Int {
    var run = QueryRun(self)
    return try run.count()
  }

  package func first() throws -> ObjectID? {
    var run = QueryRun(self)
    return try run.objectIDs(upTo: 1).first
  }

  /// Returns an aggregate of the values that a path leads to from all objects. Without values, a
  /// sum is 0 and any other aggregate is nil.
  ///
  /// - Throws: ``StoreError`` with `queryMismatch` if the values do not support the aggregate, or
  ///   with `outOfRange` if a sum of integers exceeds 64 bits.
  /// - Complexity: O(*n*), or O(log *n*) for a minimum or maximum at the end of an index.
  package func aggregate(
    _ aggregate: QueryAggregate, _ path: QueryPath
  ) throws -> PropertyValue {
    var run = QueryRun(self)
    return try run.aggregate(aggregate, path)
  }

  /// Returns whether an object is in the result, or nil if that requires finding all objects.
  ///
  /// - Complexity: O(log *n*).
  package func contains(_ id: ObjectID) throws -> Bool? {
    guard stages.isEmpty, request.source == .all else { return nil }
    guard isPossible, let record = try table.record(id) else { return false }
    return try condition?.matches(record, id) ?? true
  }

  /// Runs the query, and returns how it was answered.
  package func explanation() throws -> QueryExplanation {
    var run = QueryRun(self)
    let before = table.session.conversions?.objectCount ?? 0
    let count = try run.objectIDs().count
    let after = table.session.conversions?.objectCount ?? 0
    return try QueryExplanation(run, count: count, conversions: after - before)
  }
}
