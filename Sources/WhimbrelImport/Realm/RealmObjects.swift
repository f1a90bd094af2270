internal import WhimbrelEngine
internal import WhimbrelInspection

/// The objects of an export of Realm Studio as objects of a store's classes.
final class RealmObjects: IncomingObjects {
  private let document: any RealmDocument
  private let session: Session
  private let options: RealmImport.Options
  private let reader = RealmValueReader()
  private let links = RealmLinks()
  /// Whether all possible link targets are known, which is so after the first
  /// pass.
  private var isSurveyed = false
  private var counts: [ClassID: UInt64] = [:]

  var name: String { document.name }
  var linksNameKeys: Bool { true }

  /// The limit on the nesting of embedded objects.
  private static let maximumDepth = 100

  init(_ document: any RealmDocument, _ session: Session, _ options: RealmImport.Options) {
    self.document = document
    self.session = session
    self.options = options
  }

  func forEach(_ body: (any IncomingObject) throws -> Void) throws {
    counts = [:]
    try document.forEach { className, node in
      guard let table = session.find(className) else {
        guard options.unknown == .ignored else {
          throw InspectionError.schemaMismatch(
            name, ["the store has no class \(PlainText.quoted(className))"])
        }
        return reader.note("The objects of class '\(className)' were left out.")
      }
      try visit(node, table, depth: 0, body)
    }
    isSurveyed = true
  }

  func finish() throws -> [String] {
    if reader.lossCount > 0, options.losses == .refused {
      throw InspectionError.lossyImport(name, reader.losses, count: reader.lossCount)
    }
    let more = reader.lossCount - reader.losses.count
    return reader.losses.map { "Lost: \($0)." } + (more > 0 ? ["Lost: \(more) more."] : [])
      + reader.notes
  }

  /// Calls `body` with the embedded objects of an object, then with the object.
  ///
  /// - Returns: The reference of the object.
  @discardableResult
  private func visit(
    _ node: RealmObjectNode, _ table: ClassTable, depth: Int,
    _ body: (any IncomingObject) throws -> Void
  ) throws -> IncomingReference {
    let sourceID = counts[table.resolved.id, default: 0] + 1
    counts[table.resolved.id] = sourceID
    var object = RealmIncoming(
      table: table, sourceID: sourceID, source: name, reader, links)
    guard depth < Self.maximumDepth else { throw object.explain("it is nested too deeply") }
    for (name, value) in try node.members() {
      guard let position = table.resolved.position(of: name) else {
        try leaveOut(name, value, table)
        continue
      }
      object.members[position] = value
    }
    for case (let position, let value?) in object.members.enumerated() {
      let property = table.resolved.properties[position]
      guard let target = try property.type.linkedClass.map(session.table),
        target.resolved.isEmbedded
      else { continue }
      object.owned[position] = try object.explaining {
        try OwnedObjects(of: value, property) { child in
          try visit(child, target, depth: depth + 1, body)
        }
      }
    }
    if !isSurveyed, RealmLinks.needs(table) { try links.add(node, sourceID, of: table) }
    try body(object)
    return IncomingReference(classID: table.resolved.id, sourceID: sourceID)
  }

  private func leaveOut(_ name: String, _ value: RealmNode, _ table: ClassTable) throws {
    let property = "\(table.name).\(name)"
    guard options.unknown == .ignored else {
      var reason = "the store has no property \(PlainText.quoted(property))"
      if let close = Spelling.closest(to: name, among: table.resolved.properties.map(\.name)) {
        reason += " (did you mean \(PlainText.quoted(close))?)"
      } else if case .array = value {
        reason += ", which may be an inverse property"
      }
      throw InspectionError.schemaMismatch(self.name, [reason])
    }
    reader.note("The values of '\(property)' were left out.")
  }
}
