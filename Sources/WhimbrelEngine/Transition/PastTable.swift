package import WhimbrelLMDB

/// A read-only table of the objects of a class that are not yet converted. It shows them in a past
/// shape: with the old names and types of their properties.
///
/// The class and the classes that links lead to have their current names.
package final class PastTable: ClassTable {
  /// The schema version of the objects.
  package let version: SchemaVersion

  private init(_ shape: PastShape, of table: ClassTable) {
    version = shape.version
    var entry = table.resolved.entry.past(shape)
    entry.name = table.name
    let loaded = table.session.loaded
    for target in shape.targets {
      guard let index = entry.properties.firstIndex(where: { $0.id == target.property }),
        let before = entry.properties[index].type.linkedClass,
        let linked = loaded[target.linked]
      else { continue }
      entry.properties[index].type = entry.properties[index].type
        .renamingLinks([before: linked.name])
    }
    super.init(
      ResolvedClass(entry), table.handles.forPastShape, in: table.session, as: .past)
  }

  /// Creates the tables of all past shapes of a class, by the layouts of the records.
  static func tables(of table: ClassTable) -> [LayoutID: PastTable] {
    var tables: [LayoutID: PastTable] = [:]
    for shape in table.resolved.entry.transition?.shapes ?? [] {
      let past = PastTable(shape, of: table)
      for layout in shape.layouts { tables[layout] = past }
    }
    return tables
  }
}

extension ClassTable {
  /// The schema version of the objects, or nil if they have the current shape of the class.
  package var pastVersion: SchemaVersion? { (self as? PastTable)?.version }

  /// Returns the table that reads a stored record, and the record in the shape of that table. If
  /// nothing can convert the record, it is the table of the record's past shape; otherwise, it is
  /// this table.
  package func reading(
    _ record: PageBytes, _ id: ObjectID
  ) throws -> (table: ClassTable, record: PageBytes) {
    guard resolved.isStale(record) else { return (self, record) }
    if converts { return (self, try converted(record, id)) }
    guard let past = pastTables[record.layoutID] else {
      throw damagedRecord(id, ResolvedClass.unknownLayout)
    }
    return (past, record)
  }

  /// Returns whether a record is shown in its past shape because nothing can convert it.
  package func isUnconverted(_ record: PageBytes) -> Bool {
    !converts && resolved.isStale(record)
  }

  /// Returns the position in a past shape of a property of the current class. Returns nil if the
  /// past shape does not have the property, or has it with another type.
  ///
  /// - Parameter past: This table, or one of its past shapes.
  package func position(_ position: Int, in past: ClassTable) -> Int? {
    if past === self { return position }
    let property = resolved.properties[position]
    return past.resolved.properties.firstIndex {
      $0.id == property.id && $0.type == property.type
    }
  }

  /// The positions of the properties that some objects lack because they are not yet converted.
  package var changedProperties: Set<Int> {
    if converts || !resolved.isInTransition { return [] }
    return Set(
      resolved.properties.indices.filter { index in
        pastTables.values.contains { position(index, in: $0) == nil }
      })
  }

  /// Returns the number of objects that are not yet converted and are shown in a past shape, by
  /// version.
  ///
  /// - Complexity: O(*n*) if the class is in transition.
  package func unconvertedCounts() throws -> [SchemaVersion: Int] {
    guard resolved.isInTransition, !converts else { return [:] }
    var counts: [SchemaVersion: Int] = [:]
    try forEachRecord { _, record in
      guard resolved.isStale(record), let past = pastTables[record.layoutID] else { return }
      counts[past.version, default: 0] += 1
    }
    return counts
  }

  /// Throws if an object exists, has a past shape, and cannot be converted.
  ///
  /// - Throws: ``StoreError`` with `transitionNeedsRule`.
  package func requireConverted(_ id: ObjectID) throws {
    guard resolved.isInTransition, !converts, let record = try record(id), isUnconverted(record)
    else { return }
    throw StoreError.unconvertedObject(
      class: name, objectID: id, primaryKey: primaryKey(of: id),
      version: pastTables[record.layoutID]?.version)
  }
}
