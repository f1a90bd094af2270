internal import Foundation
internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A writer of the rows of a class and its collections.
struct SQLiteRows {
  private let target: SQLiteTable
  private let insertion: SQLiteStatement
  private let elements: [Int: SQLiteStatement]
  private let classes: DumpClasses

  private var table: ClassTable { target.table }

  init(_ target: SQLiteTable, _ database: SQLiteDatabase, _ classes: DumpClasses) throws {
    self.target = target
    self.classes = classes
    insertion = try database.prepare(target.insertion)
    var elements: [Int: SQLiteStatement] = [:]
    for position in target.collections.keys {
      elements[position] = try target.insertion(ofElementAt: position).map(database.prepare)
    }
    self.elements = elements
  }

  /// Writes all objects. Returns the tables with their numbers of rows.
  func write(
    _ report: (_ completed: Int, _ total: Int) throws -> Void
  ) throws -> [SQLiteExport.Summary.Table] {
    let total = try table.count()
    var completed = 0
    var counts: [Int: Int] = [:]
    try table.forEachRecord { id, record in
      try table.verify(record, id)
      try table.explainingClasses(of: id) { try write(id, record, &counts) }
      completed += 1
      if completed % 1_000 == 0 || completed == total { try report(completed, total) }
    }
    return [SQLiteExport.Summary.Table(name: target.name, rows: completed)]
      + target.collections.map { position, name in
        SQLiteExport.Summary.Table(name: name, rows: counts[position] ?? 0)
      }
  }

  private func write(
    _ id: ObjectID, _ record: PageBytes, _ counts: inout [Int: Int]
  ) throws {
    let own = try key(of: id, in: table)
    var row: [SQLiteValue] = target.hasNumberKey ? [own] : []
    for position in target.columns {
      let value = try table.value(position, of: record, id)
      row.append(try self.value(value, table.resolved.properties[position].type))
    }
    for owner in target.owners {
      let source = try owner.table.sources(
        owner.position, linkingTo: id, of: table.resolved.id
      ).first
      row.append(try source.map { try key(of: $0.id, in: owner.table) } ?? .null)
    }
    try insertion.run(row)
    for (position, statement) in elements {
      counts[position, default: 0] += try writeElements(position, of: id, own, statement)
    }
  }

  private func writeElements(
    _ position: Int, of id: ObjectID, _ own: SQLiteValue, _ statement: SQLiteStatement
  ) throws -> Int {
    let type = table.resolved.properties[position].type
    let element = type.elementType?.type ?? .any
    var count = 0
    try table.readCollection(position, of: id) { reader in
      try reader.forEach { name, value in
        var row = [own, try self.value(value, element)]
        switch type {
        case .list: row.append(.integer(Int64(count)))
        case .map: row.append(.text(name))
        default: break
        }
        try statement.run(row)
        count += 1
      }
    }
    return count
  }
}

// MARK: - Values

extension SQLiteRows {
  /// Returns the key by which other rows refer to an object: its primary key,
  /// or its object ID.
  private func key(of id: ObjectID, in table: ClassTable) throws -> SQLiteValue {
    guard let position = table.resolved.primaryKeyIndex else {
      return .integer(Int64(bitPattern: id.rawValue))
    }
    guard let record = try table.record(id) else { return .null }
    let value = try table.value(position, of: record, id)
    return try self.value(value, table.resolved.properties[position].type)
  }

  private func value(_ value: PropertyValue, _ type: PropertyType) throws -> SQLiteValue {
    if type == .any {
      if value.isNull { return .null }
      var writer = JSONWriter()
      try writer.append(any: value, classes)
      return .text(String(decoding: writer.bytes, as: UTF8.self))
    }
    switch value {
    case .bool(let bool): return .integer(bool ? 1 : 0)
    case .int(let number): return .integer(number)
    case .float(let number): return number.isNaN ? .text("nan") : .real(Double(number))
    case .double(let number): return number.isNaN ? .text("nan") : .real(number)
    case .data(let data): return .blob(data)
    case .date(let date):
      if let text = DateText.iso8601(date) { return .text(text) }
      // As text: SQLite rounds a number in a column of texts to 15 digits.
      let seconds = PropertyValue.double(date.timeIntervalSinceReferenceDate)
      return seconds.exactText.map(SQLiteValue.text) ?? .null
    case .link(let id):
      return try key(of: id, in: table.session.table(type.linkTarget ?? ""))
    default: return value.exactText.map(SQLiteValue.text) ?? .null
    }
  }
}
