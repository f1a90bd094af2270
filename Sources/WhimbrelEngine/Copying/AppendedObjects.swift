internal import WhimbrelLMDB

/// The objects of a class that were all added with ``ClassTable/appendEncoded(_:)``. Builds their
/// primary key table and indexes afterwards.
package final class AppendedObjects: IndexedObjects {
  package enum Purpose {
    /// Write the entries, in separate commits.
    case building
    /// Only check that unique values are unique; write nothing.
    case checking
  }

  /// An object with a unique value that an earlier object already has.
  package struct Repetition {
    package let id: ObjectID
    /// The error that adding the object with its index entries would have thrown.
    package let error: StoreError
  }

  private let table: ClassTable
  private let purpose: Purpose
  private let report: (_ completed: Int, _ total: Int) throws -> Void
  // Safe: one thread uses the buffer, in calls that do not overlap.
  @safe @exclusivity(unchecked) private var buffer = EntryBuffer()

  /// Creates the work for one class.
  ///
  /// - Parameter report: A closure that receives the number of objects done and the total, every
  ///   thousand objects or so.
  package init(
    of table: ClassTable, for purpose: Purpose,
    _ report: @escaping (_ completed: Int, _ total: Int) throws -> Void = { _, _ in }
  ) {
    self.table = table
    self.purpose = purpose
    self.report = report
  }

  /// Adds all objects to the indexes.
  ///
  /// - Returns: The first object, in the order of IDs, that repeats a unique value. The entries
  ///   written are then useless.
  /// - Complexity: O(*n* log *n*), in constant memory.
  package func run() throws -> Repetition? {
    let indexes = indexes
    if indexes.isEmpty { return nil }
    let builders = indexes.map { IndexBuilder($0, share: indexes.count) }
    let (total, step) = (try table.count(), 1_024)
    let progress = IndexBuilder.Progress(objects: total, indexes: builders.count)
    var done = 0
    try table.forEachRecord { id, record in
      for builder in builders { try builder.add(record, id, self) }
      done += 1
      if done % step == 0 { try report(progress.reading(done), total) }
    }
    var first: Repetition?
    for (index, builder) in builders.enumerated() {
      do {
        try builder.write(for: self) { count, entries in
          guard count & 8_191 == 0 else { return }
          try report(progress.writing(index, count, of: entries), total)
        }
      } catch let error as StoreError {
        guard let found = builder.earliestRepeat else { throw error }
        if let first, first.id <= found.id { continue }
        first = Repetition(id: found.id, error: try self.error(of: found, in: builder))
      }
    }
    try buffer.flush(to: table.session, "build an index")
    return first
  }

  /// The indexes to compute. Those with unique entries come first, in the order in which adding an
  /// object checks them.
  private var indexes: [TableIndex] {
    let unique = table.records.indexes.filter { $0.isOfKey || $0.isUnique }
    if purpose == .checking { return unique }
    return unique + table.records.indexes.filter { !$0.isOfKey && !$0.isUnique }
  }

  private func error(
    of found: IndexBuilder.Repeat, in builder: IndexBuilder
  ) throws -> StoreError {
    if case .values(let index) = builder.index.subject {
      return StoreError.duplicateValues(
        class: table.name, properties: index.positions.map { resolved.properties[$0].name },
        objectID: found.id, existing: found.existing,
        keys: table.primaryKeys([found.id, found.existing]))
    }
    let key = try record(found.id).map {
      try value(resolved.primaryKeyIndex ?? 0, of: $0, found.id)
    }
    return table.records.duplicateKey(key ?? .null)
  }
}

// MARK: - What an index is built of

extension AppendedObjects {
  var resolved: ResolvedClass { table.resolved }
  var spillPath: String { table.session.file.path }

  func record(_ id: ObjectID) throws -> PageBytes? { try table.record(id) }

  func value(_ position: Int, of record: PageBytes, _ id: ObjectID) throws -> PropertyValue {
    try table.value(position, of: record, id)
  }

  func layout(of record: PageBytes, _ id: ObjectID) throws -> ResolvedLayout {
    try table.layout(of: record, id)
  }

  func overflow(of record: PageBytes, _ id: ObjectID) throws -> Overflow { table.overflow(of: id) }

  func explaining<Result>(_ id: ObjectID, _ body: () throws -> Result) throws -> Result {
    try table.explaining(id, body)
  }

  func append(_ key: PageBytes, _ content: PageBytes, to table: Table) throws {
    if purpose == .checking { return }
    buffer.append(table, key, content)
    if buffer.isFull { try buffer.flush(to: self.table.session, "build an index") }
  }

  func duplicateKeys(
    _ position: Int, _ groups: [(value: PropertyValue, objects: [ObjectID])], total: Int
  ) -> StoreError {
    table.records.duplicateKey(groups.first?.value ?? .null)
  }

  func duplicateValues(
    _ index: ResolvedIndex, _ groups: [(values: [PropertyValue], objects: [ObjectID])], total: Int
  ) -> StoreError {
    table.records.duplicateKey(groups.first?.values.first ?? .null)
  }
}
