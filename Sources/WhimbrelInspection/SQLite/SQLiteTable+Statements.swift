internal import WhimbrelEngine

extension SQLiteTable {
  private func quoted(_ name: String) -> String { SQLiteNames.quoted(name) }

  /// Returns the statements that create the table and the tables of its
  /// collections.
  func creation(_ tables: SQLiteTables) -> [String] {
    var columns: [String] = []
    if hasNumberKey { columns.append("\(quoted(key)) INTEGER PRIMARY KEY NOT NULL") }
    for position in self.columns {
      let property = table.resolved.properties[position]
      var column = "\(quoted(properties[position])) \(tables.type(of: property.type))"
      if property.isPrimaryKey { column += " PRIMARY KEY" }
      if !property.isOptional, property.type != .any, property.type.linkTarget == nil {
        column += " NOT NULL"
      }
      columns.append(column + tables.reference(property.type))
    }
    for owner in owners {
      let type = PropertyType.link(to: owner.table.name)
      columns.append("\(quoted(owner.column)) \(tables.type(of: type))\(tables.reference(type))")
    }
    return ["CREATE TABLE \(quoted(name)) (\(columns.joined(separator: ", ")))"]
      + collections.sorted { $0.key < $1.key }.map { creation($1, of: $0, tables) }
  }

  private func creation(_ name: String, of position: Int, _ tables: SQLiteTables) -> String {
    let type = table.resolved.properties[position].type
    let element = type.elementType?.type ?? .any
    let own = PropertyType.link(to: table.name)
    var columns = ["\"owner\" \(tables.type(of: own)) NOT NULL\(tables.reference(own))"]
    switch type {
    case .list: columns.append("\"position\" INTEGER NOT NULL")
    case .map: columns.append("\"name\" TEXT NOT NULL")
    default: break
    }
    columns.append("\"value\" \(tables.type(of: element))\(tables.reference(element))")
    switch type {
    case .list: columns.append("PRIMARY KEY (\"owner\", \"position\")")
    case .map: columns.append("PRIMARY KEY (\"owner\", \"name\")")
    default: break
    }
    return "CREATE TABLE \(quoted(name)) (\(columns.joined(separator: ", ")))"
  }

  /// Returns the statements that create the indexes. They run after the rows
  /// have been inserted.
  func indexCreation(_ names: inout SQLiteNames) -> [String] {
    var statements: [String] = []
    func add(_ columns: [String], _ table: String, isUnique: Bool = false) {
      let name = names.name("index_\(table)_\(columns.joined(separator: "_"))")
      let list = columns.map(quoted).joined(separator: ", ")
      statements.append(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) (\(list))")
    }
    let resolved = table.resolved
    for position in columns where resolved.properties[position].hasIndex {
      // An index on values of any type contains links only, so it has no
      // counterpart in SQLite.
      if resolved.properties[position].type != .any { add([properties[position]], name) }
    }
    for index in resolved.schema.indexes where index.kind != .fullText {
      let positions = index.properties.compactMap(resolved.position)
      add(positions.map { properties[$0] }, name, isUnique: index.kind == .unique)
    }
    for owner in owners { add([owner.column], name) }
    for (position, collection) in collections.sorted(by: { $0.key < $1.key }) {
      let type = resolved.properties[position].type
      if case .set = type { add(["owner"], collection) }
      if type.linkedClass != nil { add(["value"], collection) }
    }
    return statements
  }

  /// The statement that inserts a row.
  var insertion: String {
    let names =
      (hasNumberKey ? [key] : []) + columns.map { properties[$0] } + owners.map(\.column)
    return Self.insertion(into: name, names)
  }

  /// Returns the statement that inserts an element of a collection.
  func insertion(ofElementAt position: Int) -> String? {
    guard let collection = collections[position] else { return nil }
    var names = ["owner", "value"]
    switch table.resolved.properties[position].type {
    case .list: names.append("position")
    case .map: names.append("name")
    default: break
    }
    return Self.insertion(into: collection, names)
  }

  private static func insertion(into table: String, _ columns: [String]) -> String {
    let list = columns.map(SQLiteNames.quoted).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(SQLiteNames.quoted(table)) (\(list)) VALUES (\(marks))"
  }
}

extension SQLiteTables {
  /// Returns the SQL type of a column.
  fileprivate func type(of type: PropertyType) -> String {
    guard let className = type.linkTarget else { return type.columnType ?? "TEXT" }
    guard let target = self[className], let position = target.table.resolved.primaryKeyIndex
    else { return "INTEGER" }
    return self.type(of: target.table.resolved.properties[position].type)
  }

  /// Returns the foreign key clause of a column of links.
  fileprivate func reference(_ type: PropertyType) -> String {
    guard let className = type.linkTarget, let target = self[className] else { return "" }
    return " REFERENCES \(SQLiteNames.quoted(target.name)) (\(SQLiteNames.quoted(target.key)))"
  }
}
