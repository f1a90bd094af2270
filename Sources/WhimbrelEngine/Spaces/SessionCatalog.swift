/// The catalog that a session shows, and the tables of its classes.
///
/// It cannot be copied, because each look-up of a table would copy it.
struct SessionCatalog: ~Copyable {
  /// The catalog of the file.
  private(set) var loaded: LoadedCatalog
  /// The catalog as the app sees it: see ``LoadedCatalog/shown(to:)``.
  private(set) var shown: LoadedCatalog
  /// The converters of objects that still have a past shape, or nil if the file has none.
  private(set) var conversions: Conversions?
  /// The epoch of the environment's tables in which the tables were opened. Nil if the tables are
  /// not those of the catalog, because they could not be opened.
  private(set) var tableEpoch: UInt64?
  /// The tables, in the order of the catalog.
  private(set) var tables: [ClassTable] = []
  private var byName: [String: ClassTable] = [:]
  /// The tables from before a change of the catalog. Objects that were read then refer to them.
  private var retired: [ClassTable] = []
  /// A number that changes with the tables.
  private(set) var number = 0

  init(_ loaded: LoadedCatalog, as shown: LoadedCatalog) {
    (self.loaded, self.shown) = (loaded, shown)
  }

  /// Returns the table of the class with a name, or nil.
  func table(_ name: String) -> ClassTable? { byName[name] }

  /// Returns the last table of a class that has gone from the catalog, or nil.
  func gone(_ name: String) -> ClassTable? {
    byName[name] == nil ? retired.last { $0.name == name } : nil
  }

  /// Shows another catalog, whose tables follow.
  mutating func show(
    _ loaded: LoadedCatalog, as shown: LoadedCatalog, _ conversions: Conversions?
  ) {
    (self.loaded, self.shown, self.conversions) = (loaded, shown, conversions)
    tableEpoch = nil
  }

  /// Shows the tables of the catalog.
  mutating func show(_ tables: [ClassTable], openedIn epoch: UInt64?) {
    for table in self.tables { retire(table) }
    self.tables = tables
    for table in tables { table.isShown = true }
    byName = Dictionary(keepingFirst: tables.map { ($0.name, $0) })
    tableEpoch = epoch
    number &+= 1
  }

  /// Adds a table, or replaces the table of the class.
  mutating func adopt(_ table: ClassTable) {
    if let before = byName[table.name] {
      retire(before)
      tables.removeAll { $0 === before }
    }
    tables.append(table)
    table.isShown = true
    byName[table.name] = table
    number &+= 1
  }

  private mutating func retire(_ table: ClassTable) {
    table.isShown = false
    retired.append(table)
  }
}
