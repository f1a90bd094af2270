internal import WhimbrelLMDB

extension ClassRewrite: IndexedObjects {
  var spillPath: String { migrator.task.file.path }

  func layout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout {
    try layout(of: record, id, in: resolved)
  }

  func append(_ key: PageBytes, _ content: PageBytes, to table: Table) throws {
    try writer.view().put(table, key, content, .atEnd)
    writer.didWrite(key.count + content.count)
  }

  func didIndex(_ count: Int, of total: Int) throws {
    try writer.checkpoint(.indexing, name, count, of: total)
  }

  func duplicateKeys(
    _ position: Int, _ groups: [(value: PropertyValue, objects: [ObjectID])], total: Int
  ) -> StoreError {
    StoreError.migrationDuplicateKeys(
      class: name, property: resolved.properties[position].name, duplicates: groups,
      total: total, keys: primaryKeys(groups.flatMap(\.objects)), from: migrator.task.oldVersion,
      to: migrator.task.newVersion)
  }

  func duplicateValues(
    _ index: ResolvedIndex, _ groups: [(values: [PropertyValue], objects: [ObjectID])], total: Int
  ) -> StoreError {
    StoreError.migrationDuplicateValues(
      class: name, properties: index.positions.map { resolved.properties[$0].name },
      duplicates: groups, total: total, keys: primaryKeys(groups.flatMap(\.objects)),
      from: migrator.task.oldVersion, to: migrator.task.newVersion)
  }
}
