internal import WhimbrelLMDB

/// A class of a ``StoreCopy``.
final class CopiedClass: IndexedObjects {
  let source: ClassTable
  let table: ClassTable
  let rewriter: RecordRewriter
  private unowned let owner: StoreCopy
  /// How many objects have been added.
  var count = 0

  init(_ source: ClassTable, _ table: ClassTable, of owner: StoreCopy) {
    self.source = source
    self.table = table
    self.owner = owner
    rewriter = RecordRewriter(from: source.resolved, to: table.resolved)
  }

  var resolved: ResolvedClass { table.resolved }
  var spillPath: String { table.session.file.path }

  func record(_ id: ObjectID) throws -> PageBytes? { try table.record(id) }

  func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue {
    try table.value(position, of: record, id)
  }

  func indexEntries(
    _ position: Int, of record: PageBytes, _ id: ObjectID
  ) throws -> [IndexEntry] {
    let layout = try table.layout(of: record, id)
    return try table.explaining(id) {
      try resolved.indexEntries(position, of: record, layout, id, table.extents(of: id))
    }
  }

  func indexKeys(
    _ index: ResolvedIndex, of record: PageBytes, _ id: ObjectID
  ) throws -> [[UInt8]] {
    let layout = try table.layout(of: record, id)
    return try table.explaining(id) {
      try resolved.indexKeys(index, of: record, layout, id, table.extents(of: id))
    }
  }

  func append(_ key: [UInt8], _ content: [UInt8], to table: Table) throws {
    try owner.append(key, content, to: table)
  }

  func didIndex(_ count: Int, of total: Int) throws {}

  func duplicateKeys(
    _ position: Int, _ groups: [(value: PropertyValue, objects: [ObjectID])], total: Int
  ) -> StoreError {
    StoreError.duplicatePrimaryKey(
      class: table.name, property: resolved.properties[position].name,
      key: groups.first?.value ?? .null, existing: groups.first?.objects.first)
  }

  func duplicateValues(
    _ index: ResolvedIndex, _ groups: [(values: [PropertyValue], objects: [ObjectID])], total: Int
  ) -> StoreError {
    let objects = groups.first?.objects ?? []
    let none = ObjectID(rawValue: 0)
    return StoreError.duplicateValues(
      class: table.name, properties: index.positions.map { resolved.properties[$0].name },
      values: groups.first?.values ?? [], objectID: objects.last ?? none,
      existing: objects.first ?? none)
  }
}

extension CopiedClass {
  /// Builds the tables of the primary key and of the indexes.
  func buildIndexes(_ progress: (Int) throws -> Void) throws {
    var contents: [(IndexBuilder.Content, Table)] = []
    if let position = resolved.primaryKeyIndex, let keys = table.keys {
      contents.append((.keys(position), keys))
    }
    for position in table.indexes.keys.sorted() {
      if let index = table.indexes[position] { contents.append((.property(position), index)) }
    }
    contents += table.classIndexes.map { (.index($0.index), $0.table) }
    if contents.isEmpty { return }
    let builders = contents.map { IndexBuilder($0, $1, share: contents.count) }
    var done = 0
    try table.forEachRecord { id, record in
      for builder in builders { try builder.add(record, id, self) }
      done += 1
      if done & 1_023 == 0 { try progress(done) }
    }
    for builder in builders { try builder.write(for: self) }
    try progress(done)
  }
}
