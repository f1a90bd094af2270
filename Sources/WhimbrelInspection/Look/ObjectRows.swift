internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A sequence of the objects of a table.
struct ObjectRows {
  let table: ClassTable
  let selection: ObjectSelection
  /// The number of objects to skip at the beginning.
  let offset: Int
  /// The limit of objects, or nil for all.
  let limit: Int?

  /// Calls `body` with each object, after verifying its checksum. An object that is not yet
  /// converted is passed as it is stored, unless it can be converted: see
  /// ``ClassTable/isUnconverted(_:)``.
  ///
  /// - Complexity: O(*n*). Memory: constant for all objects of a class; 8 bytes per object with a
  ///   query or a limit.
  func forEach(_ body: (ObjectID, PageBytes) throws -> Void) throws {
    if selection.query.isEmpty, limit == nil {
      var number = 0
      return try table.forEachRecord { id, record in
        if number >= offset { try visit(id, record, body) }
        number += 1
      }
    }
    for id in try prepared().objectIDs() {
      guard let record = try table.record(id) else {
        throw table.damagedRecord(id, "an index leads to it, but it does not exist")
      }
      try visit(id, record, body)
    }
  }

  private func visit(
    _ id: ObjectID, _ record: PageBytes, _ body: (ObjectID, PageBytes) throws -> Void
  ) throws {
    try table.verify(record, id)
    try body(id, table.reading(record, id).record)
  }

  private func prepared() throws -> BoundQuery {
    let query = try selection.prepared(in: table.session)
    if offset == 0, limit == nil { return query }
    var request = query.request
    if offset > 0 { request.stages.append(.offset(offset)) }
    if let limit { request.stages.append(.limit(limit)) }
    return try BoundQuery(request, in: table.session)
  }
}
