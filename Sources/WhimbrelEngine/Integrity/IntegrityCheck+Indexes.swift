internal import WhimbrelLMDB

extension IntegrityCheck {
  /// The indexes of several properties, the unique and the full-text ones have the entries
  /// that follow from the records, and no others.
  mutating func checkClassIndexes(of table: ClassTable) throws {
    for index in table.classIndexes {
      var expected = 0
      try table.forEachRecord { id, record in
        // What is wrong with a record itself has been said.
        guard let layout = table.resolved.layout(of: record),
          let keys = try? table.resolved.indexKeys(
            index.index, of: record, layout, id, table.extents(of: id))
        else { return }
        expected += keys.count
        for key in keys where try session.view.value(index.table, key) == nil {
          note(table, id, "the \(name(index, in: table)) lacks it")
          break
        }
      }
      let found = try session.view.count(index.table)
      if found != expected {
        note(
          table, nil,
          "the \(name(index, in: table)) has \(found) entries instead of \(expected)")
      }
      if index.index.kind == .unique { try checkUniqueness(of: index, in: table) }
    }
  }

  private mutating func checkUniqueness(of index: ClassIndex, in table: ClassTable) throws {
    let cursor = try session.view.cursor(index.table)
    var before: (prefix: [UInt8], id: ObjectID)?
    var isInside = try cursor.move(to: .first)
    while isInside {
      let key = cursor.key
      if key.count > 8, let prefix = key.slice(at: 0, count: key.count - 8) {
        let id = ObjectID(rawValue: key.loadBigEndian(at: key.count - 8))
        if let before, prefix.isEqual(to: before.prefix),
          try haveSameValues(before.id, id, index, table)
        {
          note(
            table, id, "it has the values of object \(before.id) in the \(name(index, in: table))")
        }
        before = (prefix.array, id)
      }
      isInside = try cursor.move(to: .next)
    }
  }

  /// Whether two objects that have the same key have the same values, none of them nil.
  private func haveSameValues(
    _ first: ObjectID, _ second: ObjectID, _ index: ClassIndex, _ table: ClassTable
  ) throws -> Bool {
    guard let left = try? table.record(first), let right = try? table.record(second) else {
      return false
    }
    return index.index.positions.allSatisfy { position in
      guard let left = try? table.value(position, of: left, first), !left.isNull,
        let right = try? table.value(position, of: right, second)
      else { return false }
      if case .string = left { return left == right }
      return true
    }
  }

  private func name(_ index: ClassIndex, in table: ClassTable) -> String {
    "\(IndexSchema(index.index.positions.map { table.resolved.properties[$0].name }, index.index.kind))"
  }
}
