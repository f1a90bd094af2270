internal import WhimbrelLMDB

/// Builds the primary key and the indexes of a class whose objects were all added with
/// ``ClassTable/appendEncoded(_:)``.
package final class AppendedObjects: IndexedObjects {
  /// What is done with the entries of the indexes.
  package enum Purpose {
    /// They are written, in commits of their own.
    case building
    /// They are only looked at: whether what has to be unique is.
    case checking
  }

  /// An object that has what has to be unique and what another before it has.
  package struct Repetition {
    /// The object.
    package let id: ObjectID
    /// What would have been said of it, had it been added with its entries.
    package let error: StoreError
  }

  private let table: ClassTable
  private let purpose: Purpose
  private let report: (_ completed: Int, _ total: Int) throws -> Void
  // Safe: it is used by one call after the other, on one thread.
  @safe @exclusivity(unchecked) private var buffer = EntryBuffer()

  /// - Parameter report: is told now and then how many objects of how many are done.
  package init(
    of table: ClassTable, for purpose: Purpose,
    _ report: @escaping (_ completed: Int, _ total: Int) throws -> Void = { _, _ in }
  ) {
    self.table = table
    self.purpose = purpose
    self.report = report
  }

  /// Goes over all objects.
  ///
  /// - Returns: the first object, in the order of their IDs, that has what has to be unique and
  ///   another before it has; what has been written is of no use then.
  /// - Complexity: O(*n* log *n*), in constant memory.
  package func run() throws -> Repetition? {
    let indexes = indexes
    if indexes.isEmpty { return nil }
    let builders = indexes.map { IndexBuilder($0, share: indexes.count) }
    let (total, step) = (try table.count(), 1_024)
    var done = 0
    try table.forEachRecord { id, record in
      for builder in builders { try builder.add(record, id, self) }
      done += 1
      if done % step == 0 { try report(done, total) }
    }
    var first: Repetition?
    for builder in builders {
      do {
        try builder.write(for: self)
      } catch let error as StoreError {
        guard let found = builder.earliestRepeat else { throw error }
        if let first, first.id <= found.id { continue }
        first = Repetition(id: found.id, error: try self.error(of: found, in: builder))
      }
    }
    try buffer.flush(to: table.session, "build an index")
    return first
  }

  /// The tables with entries that are to be unique stand first, in the order in which they are
  /// looked at when an object is added.
  private var indexes: [TableIndex] {
    let unique = table.records.indexes.filter { $0.isOfKey || $0.isUnique }
    if purpose == .checking { return unique }
    return unique + table.records.indexes.filter { !$0.isOfKey && !$0.isUnique }
  }

  private func error(
    of found: IndexBuilder.Repeat, in builder: IndexBuilder
  ) throws -> StoreError {
    func value(_ position: Int) throws -> PropertyValue {
      try record(found.id).map { try self.value(position, of: $0, found.id) } ?? .null
    }
    if case .values(let index) = builder.index.subject {
      return StoreError.duplicateValues(
        class: table.name, properties: index.positions.map { resolved.properties[$0].name },
        values: try index.positions.map(value), objectID: found.id, existing: found.existing,
        keys: table.primaryKeys([found.id, found.existing]))
    }
    return table.records.duplicateKey(try value(resolved.primaryKeyIndex ?? 0))
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

  func didIndex(_ count: Int, of total: Int) throws {
    if count & 8_191 == 0 { try report(count, total) }
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
