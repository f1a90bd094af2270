internal import WhimbrelEngine
internal import WhimbrelInspection

/// The objects of plain JSON as objects of a class and of its embedded classes.
final class JSONObjects: IncomingObjects {
  private let records: JSONRecords
  private let table: ClassTable
  /// The properties of members that have other names, by class.
  private let names: [String: [String: String]]
  private let unknown: StoreMerge.UnknownNames
  private var counts: [ClassID: UInt64] = [:]

  var name: String { records.name }
  var linksNameKeys: Bool { true }

  /// The limit on the nesting of embedded objects.
  private static let maximumDepth = 100

  init(
    _ records: JSONRecords, _ table: ClassTable, names: [String: [String: String]],
    _ unknown: StoreMerge.UnknownNames
  ) {
    self.records = records
    self.table = table
    self.names = names
    self.unknown = unknown
  }

  func forEach(_ body: (any IncomingObject) throws -> Void) throws {
    counts = [:]
    try records.forEach { record in
      try visit(record.members, table, record.line, depth: 0, body)
    }
  }

  /// Calls `body` with the embedded objects of an object, then with the object.
  @discardableResult
  private func visit(
    _ members: [JSONNode.Member], _ table: ClassTable, _ line: Int, depth: Int,
    _ body: (any IncomingObject) throws -> Void
  ) throws -> IncomingReference {
    let sourceID = counts[table.resolved.id, default: 0] + 1
    counts[table.resolved.id] = sourceID
    var object = JSONObject(table: table, sourceID: sourceID, source: name, line: line)
    guard depth < Self.maximumDepth else { throw object.explain("it is nested too deeply") }
    let known = names[table.name] ?? [:]
    for member in members {
      guard let position = table.resolved.position(of: known[member.name] ?? member.name) else {
        if unknown == .ignored { continue }
        throw object.explain(Self.unknownMember(member.name, of: table))
      }
      guard object.members.updateValue(member.value, forKey: position) == nil else {
        throw object.explain("\(PlainText.quoted(member.name)) occurs twice")
      }
    }
    for (position, node) in object.members.sorted(by: { $0.key < $1.key }) {
      let property = table.resolved.properties[position]
      guard let target = try property.type.linkedClass.map(table.session.table),
        target.resolved.isEmbedded
      else { continue }
      object.owned[position] = try object.explaining {
        try OwnedObjects(of: node, property) { members in
          try visit(members, target, line, depth: depth + 1, body)
        }
      }
    }
    try body(object)
    return IncomingReference(classID: table.resolved.id, sourceID: sourceID)
  }

  private static func unknownMember(_ name: String, of table: ClassTable) -> String {
    let close = Spelling.closest(to: name, among: table.resolved.properties.map(\.name))
    return "class \(PlainText.quoted(table.name)) has no property \(PlainText.quoted(name))"
      + (close.map { " (did you mean \(PlainText.quoted($0))?)" } ?? "")
  }
}

struct JSONObject: IncomingObject {
  let table: ClassTable
  let sourceID: UInt64
  let source: String
  let line: Int
  /// The values by position.
  var members: [Int: JSONNode] = [:]
  /// The embedded objects by the position of their property.
  var owned: [Int: OwnedObjects] = [:]

  var place: String { "line \(line)" }

  func explain(_ reason: String) -> InspectionError {
    InspectionError.badInput(.badImport, source, "\(place), \(objectName)", reason, line: line)
  }

  var keyText: String? {
    table.resolved.primaryKeyIndex.flatMap { members[$0] }?.keyText
  }

  func key() throws -> PropertyValue? {
    guard let position = table.resolved.primaryKeyIndex, let node = members[position] else {
      return nil
    }
    return try value(node, position) { _ in .null }
  }

  func children() -> [IncomingReference] {
    owned.sorted { $0.key < $1.key }.flatMap(\.value.references)
  }

  func values(_ links: ObjectMerger.Links) throws -> [Int: PropertyValue] {
    var values: [Int: PropertyValue] = [:]
    for (position, node) in members.sorted(by: { $0.key < $1.key }) {
      let type = table.resolved.properties[position].type
      let target = try type.linkedClass.map(table.session.table)
      if let target, let owned = owned[position] {
        values[position] = try owned.value(type, target, links)
        continue
      }
      values[position] = try value(node, position) { name in
        try target.map { .link(try links.object(named: name, of: $0)) } ?? .null
      }
    }
    return values
  }

  private func value(
    _ node: JSONNode, _ position: Int, _ link: (String) throws -> PropertyValue
  ) throws -> PropertyValue {
    let property = table.resolved.properties[position]
    return try explaining {
      try table.naming(property) {
        try withoutActuallyEscaping(link) {
          try PlainValueReader(link: $0).value(node, of: property)
        }
      }
    }
  }
}
