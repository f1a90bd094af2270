/// The tables of a session's classes.
struct SessionTables {
  /// The tables, in the order of the catalog.
  private(set) var all: [ClassTable] = []
  private var byName: [String: ClassTable] = [:]
  /// The tables from before a change of the catalog. Objects that were read then refer to them.
  private var retired: [ClassTable] = []
  /// A number that changes with the tables.
  private(set) var number = 0

  subscript(name: String) -> ClassTable? { byName[name] }

  /// Returns the last table of a class that has gone from the catalog, or nil.
  func gone(_ name: String) -> ClassTable? {
    byName[name] == nil ? retired.last { $0.name == name } : nil
  }

  /// Shows the tables of another catalog.
  mutating func show(_ tables: [ClassTable]) {
    retired += all
    all = tables
    byName = Dictionary(keepingFirst: tables.map { ($0.name, $0) })
    number &+= 1
  }

  /// Adds a table, or replaces the table of the class.
  mutating func adopt(_ table: ClassTable) {
    if let before = byName[table.name] {
      retired.append(before)
      all.removeAll { $0 === before }
    }
    all.append(table)
    byName[table.name] = table
    number &+= 1
  }
}

/// The changes of a write that are not yet written.
// Safe: the session that has the changes keeps its tables for as long as it lives.
@safe
struct UnwrittenChanges {
  /// The table of an object whose changes are in the table's encoder, or nil.
  var unsafeTable: Unmanaged<ClassTable>?
  /// The tables with entries of new objects that are not yet in indexes: see ``PendingEntries``.
  var tablesWithEntries: [ClassTable] = []

  var isEmpty: Bool { unsafe unsafeTable == nil && tablesWithEntries.isEmpty }
}
