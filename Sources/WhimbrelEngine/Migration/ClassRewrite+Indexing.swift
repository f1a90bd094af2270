internal import WhimbrelLMDB

extension ClassRewrite {
  /// Builds the index tables that the new shape has and the file lacks.
  func buildIndexes() throws {
    guard !isDropped, draft.old != nil || isRewritten else { return }
    let shape = ResolvedClass(finalEntry)
    let existing = Set(isRewritten ? [] : draft.old?.tableNames.map(\.name) ?? [])
    let missing = shape.indexTables.map(\.name).filter { !existing.contains($0.name) }
    guard !missing.isEmpty else { return }
    let tables = try writer.createTables(missing)
    let indexes = shape.openIndexes { tables[$0.name] }
    let builders = indexes.map { IndexBuilder($0, share: missing.count) }
    let total = try new.map { try writer.view().reading.count($0.objects) } ?? oldCount
    let progress = IndexBuilder.Progress(objects: total, indexes: builders.count)
    try forEachCurrent(.indexing, counting: total, progress.reading) { id, record in
      if !isRewritten { try explaining(id) { try old?.verify(record, id) } }
      for builder in builders { try builder.add(record, id, self) }
    }
    for (index, builder) in builders.enumerated() {
      try builder.write(for: self) { count, entries in
        let completed = progress.writing(index, count, of: entries)
        try writer.checkpoint(.indexing, name, completed, of: total)
      }
    }
  }
}

extension ClassRewrite: IndexedObjects {
  var spillPath: String { migrator.task.file.path }

  func layout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout {
    try layout(of: record, id, in: resolved)
  }

  func append(_ key: PageBytes, _ content: PageBytes, to table: Table) throws {
    try writer.view().put(table, key, content, .atEnd)
    writer.didWrite(key.count + content.count)
  }

  func duplicateKeys(
    _ position: Int, _ groups: [(value: PropertyValue, objects: [ObjectID])], total: Int
  ) -> StoreError {
    // Objects with the same new key are told apart by the keys that they had, or by their IDs.
    let old = groups.flatMap(\.objects).compactMap { id in oldPrimaryKey(id).map { (id, $0) } }
    return StoreError.migrationDuplicateKeys(
      class: name, property: resolved.properties[position].name, duplicates: groups,
      total: total, keys: Dictionary(keepingFirst: old), from: migrator.task.oldVersion,
      to: migrator.task.newVersion)
  }

  func duplicateValues(
    _ index: ResolvedIndex, _ groups: [(values: [PropertyValue], objects: [ObjectID])], total: Int
  ) -> StoreError {
    StoreError.migrationDuplicateValues(
      class: name, properties: index.positions.map { resolved.properties[$0].name },
      duplicates: groups, total: total,
      showsValues: migrator.task.request.migration.describesValues,
      keys: primaryKeys(groups.flatMap(\.objects)), from: migrator.task.oldVersion,
      to: migrator.task.newVersion)
  }
}
