internal import WhimbrelEngine

/// The tables that the classes of a store become; ``SQLiteExport`` says how.
struct SQLiteTables {
  /// By the number of the class.
  private(set) var tables: [ClassID: SQLiteTable] = [:]
  private var names = SQLiteNames()

  init(_ classes: [ClassTable]) {
    for table in classes {
      var columns = SQLiteNames()
      // The key stands first, and so do the names of the properties as they are.
      let properties = table.resolved.properties.map { columns.name($0.name) }
      let key = table.resolved.primaryKeyIndex.map { properties[$0] } ?? columns.name("id")
      tables[table.resolved.id] = SQLiteTable(
        table: table, name: names.name(table.name), key: key, properties: properties)
    }
    for table in classes { addParts(of: table) }
  }

  /// Adds the names of what belongs to properties, and of the columns for owners.
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

  /// The tables sorted by name.
  var sorted: [SQLiteTable] { tables.values.sorted { $0.name < $1.name } }
}

/// The table of a class.
struct SQLiteTable {
  let table: ClassTable
  let name: String
  /// The column by which others lead here.
  let key: String
  /// The columns of the properties, by position; those of collections are not made.
  let properties: [String]
  /// The tables of the properties that are collections, by position.
  var collections: [Int: String] = [:]
  /// Of embedded objects, what they can belong to.
  var owners: [Owner] = []

  /// A property that embedded objects can belong to.
  struct Owner {
    let table: ClassTable
    let position: Int
    let column: String
  }

  /// Whether the key is the number of the object, and no property.
  var hasNumberKey: Bool { table.resolved.primaryKeyIndex == nil }

  var allColumns: [String] { properties + [key] + owners.map(\.column) }

  /// The positions of the properties that are columns.
  var columns: [Int] {
    table.resolved.properties.indices.filter { !table.resolved.properties[$0].type.isCollection }
  }
}

/// Gives out names that are different for SQLite, which does not tell upper and lower case apart.
struct SQLiteNames {
  private var taken: Set<String> = []

  init(_ taken: [String] = []) { self.taken = Set(taken.map { $0.lowercased() }) }

  mutating func name(_ wanted: String) -> String {
    // These are SQLite's own.
    let base = wanted.lowercased().hasPrefix("sqlite_") ? "_\(wanted)" : wanted
    var candidate = base
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(base)_\(number)"
      number += 1
    }
    return candidate
  }

  /// A name as it stands in a statement.
  static func quoted(_ name: String) -> String {
    // By scalars: a quote with an accent on it is a quote to SQLite.
    let inner = name.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    return "\"\(inner)\""
  }
}
