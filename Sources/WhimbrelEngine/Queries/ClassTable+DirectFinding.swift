extension ClassTable {
  /// Returns the first objects for a request that asks only for one text or integer of an
  /// indexed property, or nil for any other request.
  ///
  /// Finding one object like this takes less time than preparing a query.
  package func findDirectly(_ request: QueryRequest, upTo most: Int) throws -> [ObjectID]? {
    guard !isOfMigration, request.stages.count == 1, case .all = request.source,
      case .filter(.compare(.property(let path), .equal, .constant(let value), [])) =
        request.stages[0],
      path.steps.count == 1, case .property(let name) = path.steps[0],
      let position = resolved.position(of: name), indexes[position] != nil
    else { return nil }
    switch (resolved.properties[position].type, value) {
    case (.string, .string), (.int, .int): break
    default: return nil
    }
    try session.requireOpen()
    return try find(position, equalTo: value, upTo: most)
  }
}
