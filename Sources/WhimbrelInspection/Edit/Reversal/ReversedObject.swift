internal import WhimbrelEngine
internal import WhimbrelLMDB

/// An object whose edit is taken back, with its class in the current store.
struct ReversedObject {
  let table: ClassTable
  let id: ObjectID
  private let recorded: RecordedObject
  /// The positions of the recorded properties, in order.
  let positions: [Int]
  private let path: String

  /// Whether the object existed before the edit, and whether it existed after it.
  var wasThere: Bool { recorded.before != nil }
  var isThere: Bool { recorded.after != nil }

  /// - Throws: ``InspectionError`` with `changedMeanwhile` if the class or a property has changed.
  init(_ recorded: RecordedObject, _ session: Session, _ path: String) throws {
    self.recorded = recorded
    self.path = path
    id = recorded.reference.id
    guard let table = session.tablesByID[recorded.reference.classID] else {
      throw InspectionError.changedMeanwhile(
        path, recorded.className, ClassTable.name(of: id), "its class no longer exists")
    }
    self.table = table
    var positions: [Int] = []
    for (property, value) in (recorded.before ?? [:]).merging(
      recorded.after ?? [:], uniquingKeysWith: { first, _ in first })
    {
      let position = table.resolved.properties.firstIndex {
        $0.id == property && $0.type == value.type
      }
      guard let position else {
        throw InspectionError.changedMeanwhile(
          path, table.name, ClassTable.name(of: id),
          "the property \(PlainText.quoted(value.property)) of its class has changed")
      }
      positions.append(position)
    }
    self.positions = positions.sorted()
  }

  private func value(
    _ position: Int, in values: [PropertyID: RecordedValue]?
  ) -> PropertyValue? {
    values?[table.resolved.properties[position].id]?.value
  }

  private func conflict(_ reason: String) -> InspectionError {
    let name = (try? table.objectName(id)) ?? ClassTable.name(of: id)
    return InspectionError.changedMeanwhile(path, table.name, name, reason)
  }
}

// MARK: - Checking

extension ReversedObject {
  /// Throws unless the object is as the edit left it.
  ///
  /// - Parameter others: All objects whose edit is taken back, with the properties that are
  ///   restored.
  /// - Throws: ``InspectionError`` with `changedMeanwhile`.
  func requireUnchanged(among others: [ObjectReference: Set<Int>]) throws {
    guard let record = try table.record(id) else {
      if isThere { throw conflict("it has been removed") }
      return
    }
    guard isThere else { throw conflict("an object with its ID exists again") }
    if table.isUnconverted(record) { throw conflict("an online migration has begun") }
    for position in positions {
      let now = try table.value(position, of: record, id)
      if value(position, in: recorded.after)?.isIdentical(to: now) != true {
        let name = PlainText.quoted(table.resolved.properties[position].name)
        throw conflict("its \(name) has changed")
      }
    }
    if !wasThere { try requireNoNewLinks(among: others) }
  }

  /// Throws if an object that the edit did not concern links to this object, which is to be
  /// removed.
  private func requireNoNewLinks(among others: [ObjectReference: Set<Int>]) throws {
    let session = table.session
    for (source, position) in session.incomingLinks(of: table) {
      let other = try session.table(source.name)
      for (link, _) in try other.sources(position, linkingTo: id, of: table.resolved.id) {
        let reference = ObjectReference(classID: source.id, id: link)
        if others[reference]?.contains(position) == true { continue }
        let name = PlainText.escaped("\(source.name) \(try other.objectName(link))")
        throw conflict("\(name) links to it")
      }
    }
  }

  /// Throws unless the object is as it was before the edit.
  ///
  /// - Throws: ``InspectionError`` with `changedMeanwhile`.
  func requireRestored() throws {
    guard let record = try table.record(id) else {
      if wasThere { throw conflict("it cannot be restored") }
      return
    }
    for position in positions {
      let now = try table.value(position, of: record, id)
      if value(position, in: recorded.before)?.isIdentical(to: now) != true {
        let name = PlainText.quoted(table.resolved.properties[position].name)
        throw conflict("its \(name) cannot be restored")
      }
    }
  }
}

// MARK: - Restoring

extension ReversedObject {
  /// Adds the object with its former ID, or restores its former values. Links are not restored.
  ///
  /// - Throws: `StoreError` with `duplicatePrimaryKey`.
  func restoreValues() throws {
    guard let before = recorded.before else { return }
    let isLink = { (position: Int) in table.resolved.properties[position].type.holdsLinks }
    if isThere {
      return try set(positions.filter { !isLink($0) })
    }
    var values: [Int: PropertyValue] = [:]
    for position in positions {
      let type = table.resolved.properties[position].type
      values[position] = isLink(position) ? type.emptyValue ?? .null : value(position, in: before)
    }
    try table.restore(id, values)
  }

  /// Restores the former links of the object. The other removed objects must have been restored
  /// before.
  ///
  /// - Throws: ``InspectionError`` with `changedMeanwhile` if others have removed a target.
  func restoreLinks() throws {
    guard wasThere else { return }
    let links = positions.filter { table.resolved.properties[$0].type.holdsLinks }
    for position in links {
      let property = table.resolved.properties[position]
      for target in value(position, in: recorded.before)?.linkTargets ?? [] {
        do {
          try table.session.requireTarget(target, of: property, in: table.name)
        } catch let error as StoreError where error.code != .damaged {
          throw conflict("the target of its \(PlainText.quoted(property.name)) has been removed")
        }
      }
    }
    try set(links)
  }

  private func set(_ positions: [Int]) throws {
    guard let record = try table.record(id) else { throw table.resolved.deleted(id) }
    let changed = try positions.filter { position in
      let now = try table.value(position, of: record, id)
      return value(position, in: recorded.before)?.isIdentical(to: now) != true
    }
    if changed.isEmpty { return }
    try table.update(id) { encoder in
      for position in changed {
        try encoder.setDumped(position, value(position, in: recorded.before) ?? .null)
      }
    }
  }
}

extension InspectionError.Code {
  /// An object has changed since the edit that is to be taken back, or since the preview of the
  /// edit that is to be written.
  public static let changedMeanwhile = Self("changedMeanwhile")
}

extension InspectionError {
  /// - Parameter reason: A clause about the object: `its 'latitude' has changed`.
  static func changedMeanwhile(
    _ path: String, _ className: String, _ name: String, _ reason: String
  ) -> InspectionError {
    InspectionError(
      .changedMeanwhile,
      "Could not undo the edit of \(PlainText.quoted(path)): object \(PlainText.quoted(name)) of "
        + "class \(PlainText.quoted(className)) has changed since: \(reason).",
      "Make the change with another edit. Nothing was changed.")
  }

  /// Returns the error for a write whose changes are not those of the preview.
  package static func changedSincePreview(_ path: String) -> InspectionError {
    InspectionError(
      .changedMeanwhile,
      "Could not write the edit of \(PlainText.quoted(path)): the objects have changed since the "
        + "preview, and the edit would make other changes.",
      "Preview the edit again. Nothing was changed.")
  }

  static func otherStore(_ path: String) -> InspectionError {
    InspectionError(
      .changedMeanwhile,
      "Could not undo the edit of \(PlainText.quoted(path)): another store is at this path.",
      "Nothing was changed.")
  }
}
