internal import WhimbrelEngine

/// The tables for the classes of a store. ``SQLiteExport`` describes them.
struct SQLiteTables {
  private(set) var tables: [ClassID: SQLiteTable] = [:]
  private var names = SQLiteNames()

  init(_ classes: [ClassTable]) {
    for table in classes {
      var columns = SQLiteNames()
      // Properties get their names first. `id` and the owner columns take the names that are left.
      let properties = table.resolved.properties.map { columns.name($0.name) }
      let key = table.resolved.primaryKeyIndex.map { properties[$0] } ?? columns.name("id")
      tables[table.resolved.id] = SQLiteTable(
        table: table, name: names.name(table.name), key: key, properties: properties)
    }
    for table in classes { addParts(of: table) }
  }

  /// Adds the names of collection tables and owner columns.
  private mutating func addParts(of table: ClassTable) {
    guard let name = tables[table.resolved.id]?.name else { return }
    for (position, property) in table.resolved.properties.enumerated() {
      if property.type.isCollection {
        tables[table.resolved.id]?.collections[position] = names.name("\(name)_\(property.name)")
      }
      guard table.ownedLinks.contains(position), let target = property.type.linkedClass,
        let part = tables.values.first(where: { $0.table.name == target })?.table.resolved.id
      else { continue }
      var columns = SQLiteNames(tables[part].map { $0.allColumns } ?? [])
      tables[part]?.owners.append(
        SQLiteTable.Owner(
          table: table, position: position, column: columns.name("owner_\(name)_\(property.name)")))
    }
  }

  subscript(className: String) -> SQLiteTable? {
    tables.values.first { $0.table.name == className }
  }

  /// The tables, sorted by name.
  var sorted: [SQLiteTable] { tables.values.sorted { $0.name < $1.name } }
}

/// The SQL table of a class.
struct SQLiteTable {
  let table: ClassTable
  let name: String
  /// The column that foreign keys refer to.
  let key: String
  /// The column names by the index of the property. Collections have a name but no column.
  let properties: [String]
  /// The names of the collection tables by the index of the property.
  var collections: [Int: String] = [:]
  /// The properties that may own objects of this embedded class.
  var owners: [Owner] = []

  /// A property that may own embedded objects.
  struct Owner {
    let table: ClassTable
    let position: Int
    let column: String
  }

  /// Whether the key column holds the object ID and not a property.
  var hasNumberKey: Bool { table.resolved.primaryKeyIndex == nil }

  var allColumns: [String] { properties + [key] + owners.map(\.column) }

  /// The indexes of the properties with a column.
  var columns: [Int] {
    table.resolved.properties.indices.filter { !table.resolved.properties[$0].type.isCollection }
  }
}

/// A generator of unique names. SQLite ignores case in names.
struct SQLiteNames {
  private var taken: Set<String> = []

  init(_ taken: [String] = []) { self.taken = Set(taken.map { $0.lowercased() }) }

  mutating func name(_ wanted: String) -> String {
    // SQLite reserves names that start with `sqlite_`.
    let base = wanted.lowercased().hasPrefix("sqlite_") ? "_\(wanted)" : wanted
    var candidate = base
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }

  /// Returns a name in quotes for a statement.
  static func quoted(_ name: String) -> String {
    // By Unicode scalars: SQLite sees a quote even if an accent is combined with it.
    let inner = name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    return "\"\(inner)\""
  }
}
