internal import WhimbrelEngine
internal import WhimbrelInspection

/// The rows of CSV as objects of a class.
struct CSVObjects: IncomingObjects {
  private let input: RepeatableInput
  private let table: ClassTable
  private let separator: UInt8?
  /// The position of each column's property; nil for a column that is left out.
  private let columns: [Int?]

  var name: String { input.name }
  var linksNameKeys: Bool { true }

  /// Reads the first line.
  init(
    _ input: RepeatableInput, _ table: ClassTable, separator: UInt8?,
    _ options: CSVImport.Options
  ) throws {
    if table.resolved.isEmbedded {
      throw InspectionError.embeddedImport(table.name)
    }
    self.input = input
    self.table = table
    self.separator = separator
    var reader = CSVReader(try input.source(), separator: separator)
    guard let header = try reader.next() else {
      throw InspectionError.badInput(.badImport, input.name, "", "it is empty")
    }
    try options.requireColumns(header.map { $0.text ?? "" })
    var columns: [Int?] = []
    for field in header {
      let name = options.properties[field.text ?? ""] ?? field.text ?? ""
      let position = table.resolved.position(of: name)
      if position == nil, options.unknown == .refused {
        _ = try table.resolved.requiredPosition(of: name)
      }
      if let position, columns.contains(position) {
        throw field.problem(in: input.name, "\(PlainText.quoted(name)) occurs twice")
      }
      columns.append(position)
    }
    self.columns = columns
  }

  func forEach(_ body: (any IncomingObject) throws -> Void) throws {
    var reader = CSVReader(try input.source(), separator: separator)
    _ = try reader.next()
    var number: UInt64 = 0
    while let row = try reader.next() {
      number += 1
      guard row.count == columns.count else {
        throw InspectionError.unevenRow(row, columns.count, name)
      }
      try body(
        CSVObject(table: table, sourceID: number, source: name, columns: columns, row: row))
    }
  }
}

private struct CSVObject: IncomingObject {
  let table: ClassTable
  let sourceID: UInt64
  let source: String
  let columns: [Int?]
  let row: [CSVReader.Field]

  var place: String { "line \(row.first?.line ?? 0)" }

  func explain(_ reason: String) -> InspectionError {
    InspectionError.badInput(
      .badImport, source, "\(place), \(objectName)", reason, line: row.first?.line)
  }

  private var keyColumn: Int? {
    table.resolved.primaryKeyIndex.flatMap { columns.firstIndex(of: $0) }
  }

  var keyText: String? { keyColumn.flatMap { row[$0].text } }

  func key() throws -> PropertyValue? {
    guard let column = keyColumn, let position = columns[column] else { return nil }
    // A primary key holds no links.
    return try value(row[column], table.resolved.properties[position], .ofStore) { _ in .null }
  }

  func children() -> [IncomingReference] { [] }

  func values(_ links: ObjectMerger.Links) throws -> [Int: PropertyValue] {
    var values: [Int: PropertyValue] = [:]
    for (field, position) in zip(row, columns) {
      guard let position else { continue }
      let property = table.resolved.properties[position]
      let target = try property.type.linkedClass.map(table.session.table)
      if let target, target.resolved.isEmbedded, field.text != nil {
        throw field.problem(
          in: source, "\(PlainText.quoted(property.name)) is embedded, which CSV cannot express")
      }
      values[position] = try value(field, property, links.resolver) { name in
        try target.map { .link(try links.object(named: name, of: $0)) } ?? .null
      }
    }
    return values
  }

  /// Returns the value of a field.
  ///
  /// - Parameters:
  ///   - resolver: Resolves links in values of any type.
  ///   - link: Returns the link to the object with a name.
  private func value(
    _ field: CSVReader.Field, _ property: CatalogProperty, _ resolver: LinkResolver,
    _ link: (String) throws -> PropertyValue
  ) throws -> PropertyValue {
    guard let text = field.text else {
      if let empty = property.type.emptyValue { return empty }
      if property.isOptional { return .null }
      throw field.problem(
        in: source, "\(PlainText.quoted(property.name)) is required and has no value")
    }
    do {
      return try table.naming(property) { try value(text, property, resolver, link) }
    } catch let problem as JSONProblem {
      throw field.problem(in: source, problem.reason)
    }
  }

  private func value(
    _ text: String, _ property: CatalogProperty, _ resolver: LinkResolver,
    _ link: (String) throws -> PropertyValue
  ) throws -> PropertyValue {
    if property.type.linkTarget != nil { return try link(text) }
    guard property.type.isCollection || property.type == .any else {
      // Any text is a value of its own here, even the word for nil.
      if property.type == .string { return .string(text) }
      // A dump may write a date as a number.
      if property.type == .date, Double(text)?.isFinite == true,
        let date = try PropertyValue.scalar(
          JSONNode(content: .number(text), offset: 0), as: .date)
      {
        return date
      }
      if property.type == .date, let date = ImportedDate(text)?.date { return .date(date) }
      return try .value(text, for: property)
    }
    let node = try JSONParser.parse(Array(text.utf8))
    if property.type.linkedClass != nil { return try links(node, link) }
    return try ValueReader(table.session.classes, resolver).value(node, of: property)
  }

  /// Returns a collection of links to the named objects.
  private func links(
    _ node: JSONNode, _ link: (String) throws -> PropertyValue
  ) throws -> PropertyValue {
    func one(_ node: JSONNode) throws -> PropertyValue {
      switch node.content {
      case .string(let name), .number(let name): return try link(name)
      default: throw JSONProblem(node.offset, "expected the name of an object")
      }
    }
    switch node.content {
    case .array(let nodes): return .list(try nodes.map(one))
    case .object(let members): return .map(try members.values(one))
    default: throw JSONProblem(node.offset, "expected an array or an object")
    }
  }
}
