internal import WhimbrelEngine

/// A run of operations inside one write transaction.
struct EditRun {
  let session: Session
  let side: StoreSide
  private let reader: EditReader
  let path: String
  private let monitor: WorkMonitor
  private let discardsDamagedValues: Bool
  var summary = StoreEdit.Summary()
  /// The recorder for the reversal of the edit, or nil if the caller does not want one.
  var recorder: ReversalRecorder?

  init(
    _ session: Session, _ path: String, _ monitor: WorkMonitor, discardsDamagedValues: Bool,
    recorder: ReversalRecorder? = nil
  ) {
    self.recorder = recorder
    self.discardsDamagedValues = discardsDamagedValues
    self.session = session
    self.path = path
    self.monitor = monitor
    side = StoreSide(session)
    reader = EditReader(session)
  }

  /// Performs one operation. Calls `report` with each object that it adds,
  /// changes or removes.
  mutating func perform(
    _ operation: StoreEdit.Operation, _ report: (EditedObject) throws -> Void
  ) throws {
    switch operation {
    case .set(let name, let objects, let values):
      let table = try session.table(name)
      let values = try reader.values(values, of: table)
      for id in try ids(objects, table, mayBeDamaged: discardsDamagedValues) {
        if discardsDamagedValues, try table.isDamaged(id) {
          try setDiscarding(values, of: id, table, report)
        } else {
          try set(values, of: id, table, report)
        }
      }
    case .add(let name, let values):
      let table = try session.table(name)
      guard !table.resolved.isEmbedded else { throw InspectionError.embeddedAlone(name) }
      try report(add(reader.values(values, of: table), to: table))
    case .addRecord(let name, let json, let line, let source):
      try InspectionError.naming(line, of: source) {
        try perform(.add(class: name, .json(json)), report)
      }
    case .remove(let name, let objects):
      let table = try session.table(name)
      let ids = try ids(objects, table)
      let removed = Set(ids)
      for id in ids { try remove(id, table, among: removed, report) }
    }
  }

  /// Returns the IDs of the objects without duplicates, in the given order.
  private func ids(
    _ objects: StoreEdit.Objects, _ table: ClassTable, mayBeDamaged: Bool = false
  ) throws -> [ObjectID] {
    switch objects {
    case .query(let query):
      return try ObjectSelection(className: table.name, query: query)
        .preparedToChange(in: session).objectIDs()
    case .named(let names):
      var seen: Set<ObjectID> = []
      let object = mayBeDamaged ? table.objectPerhapsDamaged : table.object
      return try names.map(object).filter { seen.insert($0).inserted }
    }
  }

  private func update(_ step: String, _ completed: Int) throws {
    guard completed % 1_000 == 0 else { return }
    try monitor.update(
      step, completed, of: nil, orThrow: InspectionError.cancelled(path, "change"))
  }
}

// MARK: - Changing and adding

extension EditRun {
  private mutating func set(
    _ values: [EditReader.Value], of id: ObjectID, _ table: ClassTable,
    _ report: (EditedObject) throws -> Void
  ) throws {
    try update("Changing \(PlainText.escaped(table.name))", summary.changed + summary.same + 1)
    try table.requireConverted(id)
    let before = try values.map { try compared($0.position, of: id, table) }
    try recorder?.willChange(id, values.map(\.position), of: table)
    let stored = try values.map { value in
      (value: try reader.stored(value, in: table), position: value.position)
    }.filter { value, position in
      let property = table.resolved.properties[position]
      guard property.isPrimaryKey else { return true }
      guard try self.value(position, of: id, table).isIdentical(to: value) else {
        throw StoreError.primaryKeyIsFixed(class: table.name, property: property.name)
      }
      return false
    }
    try table.update(id) { encoder in
      for (value, position) in stored { try encoder.set(position, value) }
    }
    try recorder?.didChange(id, values.map(\.position), of: table)
    var comparison = ValueComparison()
    for (value, old) in zip(values, before) {
      let name = table.resolved.properties[value.position].name
      comparison.compare(name, old, try compared(value.position, of: id, table))
    }
    guard !comparison.differences.isEmpty else {
      summary.same += 1
      return
    }
    summary.changed += 1
    try report(
      EditedObject(
        ObjectDifference(
          kind: .changed, object: try side.name(of: id, table.name),
          properties: comparison.differences)))
  }

  /// Rewrites a damaged object with the given values and with the readable values of its other
  /// properties.
  private mutating func setDiscarding(
    _ values: [EditReader.Value], of id: ObjectID, _ table: ClassTable,
    _ report: (EditedObject) throws -> Void
  ) throws {
    // The discarded values cannot be restored.
    recorder?.giveUp()
    if (try? table.isUnconverted(table.record(id) ?? .empty)) == true {
      try table.requireConverted(id)
    }
    let properties = table.resolved.properties
    var given: [Int: PropertyValue] = [:]
    for value in values where !properties[value.position].isPrimaryKey {
      given[value.position] = try reader.stored(value, in: table)
    }
    let discarded: [Int]
    do {
      discarded = try table.discardDamage(of: id, giving: given)
    } catch let error as ClassTable.UnreadableValue {
      throw InspectionError.unreadableValue(
        properties[error.position], of: table.name, id, path: path)
    }
    for value in values where properties[value.position].isPrimaryKey {
      let key = try reader.stored(value, in: table)
      guard try self.value(value.position, of: id, table).isIdentical(to: key) else {
        throw StoreError.primaryKeyIsFixed(
          class: table.name, property: properties[value.position].name)
      }
    }
    var comparison = ValueComparison()
    for position in (given.keys + discarded).sorted() {
      comparison.add(properties[position].name, try compared(position, of: id, table))
    }
    summary.changed += 1
    try report(
      EditedObject(
        ObjectDifference(
          kind: .changed, object: try side.name(of: id, table.name),
          properties: comparison.differences),
        discarded.map { .discards(property: properties[$0].name) }))
  }

  private mutating func add(
    _ values: [EditReader.Value], to table: ClassTable
  ) throws -> EditedObject {
    let id = try reader.add(values, to: table)
    try recorder?.didAdd(id, to: table)
    summary.added += 1
    var comparison = ValueComparison()
    for (position, property) in table.resolved.properties.enumerated() {
      comparison.add(property.name, try compared(position, of: id, table))
    }
    return EditedObject(
      ObjectDifference(
        kind: .added, object: try side.name(of: id, table.name),
        properties: comparison.differences))
  }

  private func value(
    _ position: Int, of id: ObjectID, _ table: ClassTable
  ) throws -> PropertyValue {
    guard let record = try table.record(id) else {
      throw table.resolved.deleted(id)
    }
    return try table.value(position, of: record, id)
  }

  private func compared(
    _ position: Int, of id: ObjectID, _ table: ClassTable
  ) throws -> ComparedValue {
    try side.compared(
      value(position, of: id, table), table.resolved.properties[position].type)
  }
}

// MARK: - Removing

extension EditRun {
  /// - Parameter removed: All objects of the class that this operation removes.
  private mutating func remove(
    _ id: ObjectID, _ table: ClassTable, among removed: Set<ObjectID>,
    _ report: (EditedObject) throws -> Void
  ) throws {
    try update("Removing \(PlainText.escaped(table.name))", summary.removed + 1)
    // An embedded object may have been removed with its owner by an earlier
    // step.
    guard try table.record(id) != nil else { return }
    let links = try links(to: id, table, among: removed)
    let edited = EditedObject(
      ObjectDifference(
        kind: .removed, object: try side.name(of: id, table.name), properties: []),
      try parts(of: id, table) + links.effects, addedParts: links.addedParts)
    try recorder?.willRemove(id, of: table)
    try table.remove(id)
    summary.removed += 1
    try report(edited)
  }

  /// Returns the embedded objects that are removed with an object, at any
  /// depth.
  private func parts(of id: ObjectID, _ table: ClassTable) throws -> [EditedObject.Effect] {
    try table.embeddedObjects(of: id).map { part in
      .removesPart(try side.name(of: part.id, part.table.name))
    }
  }

  /// Returns the links to an object from objects that stay, and the embedded objects among these
  /// that the edit has added.
  private func links(
    to id: ObjectID, _ table: ClassTable, among removed: Set<ObjectID>
  ) throws -> (effects: [EditedObject.Effect], addedParts: Set<NamedObject>) {
    var effects: [EditedObject.Effect] = []
    var addedParts: Set<NamedObject> = []
    for (source, position) in session.shown.links(to: table.name) + session.shown.openLinks {
      let sourceTable = try session.table(source.name)
      // The file gets the next ID with the commit, so that objects of this edit have later ones.
      let firstAdded =
        try sourceTable.resolved.isEmbedded ? sourceTable.nextObjectIDInFile() ?? 1 : .max
      let sources = try sourceTable.sources(position, linkingTo: id, of: table.resolved.id)
      for (link, _) in sources where source.name != table.name || !removed.contains(link) {
        let name = try side.name(of: link, source.name)
        effects.append(.unlinks(name, property: source.properties[position].name))
        if link.rawValue >= firstAdded { addedParts.insert(name) }
      }
    }
    return (effects, addedParts)
  }
}
