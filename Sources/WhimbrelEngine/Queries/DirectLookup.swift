internal import WhimbrelLMDB

/// A lookup of the objects with one text or integer in an indexed property.
///
/// For one object, a lookup is faster than running a query.
package struct DirectLookup {
  package let table: ClassTable
  private let position: Int
  private let index: Table
  private let value: PropertyValue

  fileprivate init?(_ table: ClassTable, _ position: Int, _ index: Table, _ value: PropertyValue) {
    switch (table.resolved.properties[position].type, value) {
    case (.string, .string), (.int, .int): break
    default: return nil
    }
    (self.table, self.position, self.index, self.value) = (table, position, index, value)
  }

  /// Returns the IDs of the objects, in order.
  package func objectIDs() throws -> [ObjectID] {
    try table.session.requireOpen()
    return try table.find(position, equalTo: value, in: index)
  }

  /// Returns the first object, or nil.
  package func first() throws -> ObjectID? {
    try table.session.requireOpen()
    return try table.findFirst(position, equalTo: value, in: index)
  }
}

extension ClassTable {
  /// Returns the lookup that is equivalent to a request, or nil if there is none.
  package func directLookup(_ request: QueryRequest) -> DirectLookup? {
    guard !isOfMigration, request.stages.count == 1, case .all = request.source,
      case .filter(.compare(.property(let path), .equal, .constant(let value), [])) =
        request.stages[0],
      let position = path.position(in: resolved), let index = indexes[position]
    else { return nil }
    return DirectLookup(self, position, index, value)
  }
}

extension QueryTemplate {
  /// The property and the parameter of a request whose only condition is that they are equal.
  struct Equality {
    fileprivate let position: Int
    fileprivate let index: Table
    fileprivate let parameter: Int

    init?(_ plan: QueryPlan?, in table: ClassTable) {
      guard let plan, plan.parts.count == 1, case .comparison(let comparison) = plan.parts[0],
        comparison.comparison == .equal, let index = table.indexes[comparison.position]
      else { return nil }
      position = comparison.position
      parameter = comparison.parameter
      self.index = index
    }
  }

  /// Returns the lookup that is equivalent to the request with some values, or nil if there is
  /// none.
  package func directLookup(_ values: [PropertyValue]) -> DirectLookup? {
    guard let equality else { return nil }
    return DirectLookup(table, equality.position, equality.index, values[equality.parameter])
  }
}
