internal import WhimbrelEngine

/// The objects of a dump, matched to the classes of a store.
struct DumpObjects: IncomingObjects {
  private let input: RepeatableInput
  private let tables: [String: ClassTable]
  private let unknown: StoreMerge.UnknownNames
  private let header: DumpHeader
  private let reader: ValueReader

  let classesOfOmittedOwners: Set<ClassID>
  var name: String { input.name }
  var linksNameKeys: Bool { header.version > 1 }

  /// - Throws: ``InspectionError`` with `badDump` or `schemaMismatch`.
  init(
    _ input: RepeatableInput, _ session: Session, _ unknown: StoreMerge.UnknownNames
  ) throws {
    self.input = input
    self.unknown = unknown
    tables = Dictionary(keepingFirst: session.classes.map { ($0.name, $0) })
    reader = ValueReader(session.classes)
    let source = try input.source()
    var lines = LineReader(source) {}
    guard let first = try lines.next() else {
      throw InspectionError.badInput(.badDump, input.name, "", "it is empty")
    }
    header = try Self.locating(source, lines.lineNumber, first) { try DumpHeader(line: first) }
    let problems = SchemaFit(header, tables, unknown).problems
    if !problems.isEmpty { throw InspectionError.schemaMismatch(input.name, problems) }
    classesOfOmittedOwners =
      unknown == .ignored ? Self.classesOfOmittedOwners(header, tables) : []
  }

  /// Returns the embedded classes to which properties lead that the store lacks.
  private static func classesOfOmittedOwners(
    _ header: DumpHeader, _ tables: [String: ClassTable]
  ) -> Set<ClassID> {
    var found: Set<ClassID> = []
    for entry in header.schema.classes {
      let owner = tables[entry.name]
      for property in entry.properties
      where owner?.resolved.position(of: property.name) == nil {
        guard let target = property.type.linkedClass.flatMap({ tables[$0] }),
          target.resolved.isEmbedded
        else { continue }
        found.insert(target.resolved.id)
      }
    }
    return found
  }

  func forEach(_ body: (any IncomingObject) throws -> Void) throws {
    let source = try input.source()
    var lines = LineReader(source) {}
    _ = try lines.next()
    var counts: [String: Int] = [:]
    while let line = try lines.next() {
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) { continue }
      try Self.locating(source, lines.lineNumber, line) {
        let parts = try DumpLine(line)
        counts[parts.className, default: 0] += 1
        guard let table = tables[parts.className] else {
          if unknown == .ignored { return }
          throw JSONProblem(parts.classOffset, "the store has no such class")
        }
        try body(
          DumpObject(
            table: table, sourceID: parts.id, line: lines.lineNumber, source: source,
            members: parts.values, reader: reader, unknown: unknown))
      }
    }
    for entry in header.objectIDs {
      if let expected = entry.objects, counts[entry.className, default: 0] != expected {
        throw InspectionError.incompleteDump(
          name, class: entry.className, expected: expected,
          found: counts[entry.className, default: 0])
      }
    }
  }

  /// Runs `body`, and adds the line and column to its problems.
  private static func locating<Result>(
    _ source: DumpSource, _ number: Int, _ line: [UInt8], _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let problem as JSONProblem {
      let (place, column) = (source.place(ofLine: number), problem.column(in: line))
      throw InspectionError.badInput(
        .badDump, place.name, "line \(place.line ?? number), column \(column)", problem.reason,
        line: place.line, column: column)
    }
  }
}

extension DumpSource {
  /// Returns the file that holds a line, and its line number there.
  func place(ofLine line: Int) -> Origin { origin?(line) ?? Origin(name: name, line: line) }
}

private struct DumpObject: IncomingObject {
  let table: ClassTable
  let sourceID: UInt64
  let line: Int
  let source: DumpSource
  let members: [JSONNode.Member]
  let reader: ValueReader
  let unknown: StoreMerge.UnknownNames

  var place: String { "line \(source.place(ofLine: line).line ?? line)" }

  func explain(_ reason: String) -> InspectionError {
    let origin = source.place(ofLine: line)
    return InspectionError.badInput(
      .badDump, origin.name, "\(place), \(objectName)", reason, line: origin.line)
  }

  private var primaryKey: (property: CatalogProperty, node: JSONNode)? {
    guard let position = table.resolved.primaryKeyIndex else { return nil }
    let property = table.resolved.properties[position]
    return members.first { $0.name == property.name }.map { (property, $0.value) }
  }

  var keyText: String? { primaryKey?.node.keyText }

  func key() throws -> PropertyValue? {
    guard let (property, node) = primaryKey else { return nil }
    return try table.naming(property) { try reader.value(node, of: property) }
  }

  func children() throws -> [IncomingReference] {
    var children: [IncomingReference] = []
    for position in table.ownedLinks {
      let property = table.resolved.properties[position]
      guard let member = members.first(where: { $0.name == property.name }),
        let target = try property.type.linkedClass.map(table.session.table)
      else { continue }
      let value = try table.naming(property) { try reader.value(member.value, of: property) }
      for case .object(let id) in value.linkTargets {
        children.append(IncomingReference(classID: target.resolved.id, sourceID: id.rawValue))
      }
    }
    return children
  }

  func values(_ links: ObjectMerger.Links) throws -> [Int: PropertyValue] {
    // Translates links to the objects' IDs in the store.
    let resolver = LinkResolver(
      byID: { id, table in try links.object(id.rawValue, of: table) },
      byKey: { key, table in try links.object(key, of: table) })
    let reader = ValueReader(reader, resolver)
    var values: [Int: PropertyValue] = [:]
    for member in members {
      guard let position = table.resolved.position(of: member.name) else {
        if unknown == .ignored { continue }
        throw JSONProblem(
          member.offset,
          "class \(PlainText.quoted(table.name)) has no property \(PlainText.quoted(member.name))")
      }
      let property = table.resolved.properties[position]
      let value = try table.naming(property, at: member.value.offset) {
        try reader.value(member.value, of: property)
      }
      guard values.updateValue(value, forKey: position) == nil else {
        throw JSONProblem(member.offset, "\(PlainText.quoted(member.name)) occurs twice")
      }
    }
    return values
  }
}
