internal import WhimbrelEngine
internal import WhimbrelLMDB

/// A recorder of the values that an edit replaces and of those that it writes.
///
/// Invariant: before a property of an object changes, its value is recorded, unless the edit added
/// the object. An object that the edit added has no earlier values.
struct ReversalRecorder {
  private let session: Session
  private let objectLimit: Int
  private var objects: [RecordedObject] = []
  private var places: [ObjectReference: Int] = [:]
  private var byteCount = 0
  /// Whether the edit cannot be taken back, because it concerns too many objects or values, or
  /// values that cannot be read.
  private(set) var hasGivenUp = false

  init(_ session: Session, objectLimit: Int) {
    self.session = session
    self.objectLimit = objectLimit
  }

  /// Records that the edit cannot be taken back.
  mutating func giveUp() {
    hasGivenUp = true
    (objects, places, byteCount) = ([], [:], 0)
  }

  /// Records properties of an object before they change.
  ///
  /// - Parameter positions: The positions of the properties. The embedded objects that they lead to
  ///   are recorded too.
  mutating func willChange(
    _ id: ObjectID, _ positions: some Sequence<Int>, of table: ClassTable
  ) throws {
    let positions = Set(positions)
    try record(id, positions, of: table)
    for part in try table.embeddedObjects(of: id, through: positions) {
      try record(part.id, Set(part.table.resolved.properties.indices), of: part.table)
    }
  }

  /// Records an object before it is removed, and the links to it.
  mutating func willRemove(_ id: ObjectID, of table: ClassTable) throws {
    try willChange(id, table.resolved.properties.indices, of: table)
    for (source, position) in session.incomingLinks(of: table) {
      let other = try session.table(source.name)
      for (link, _) in try other.sources(position, linkingTo: id, of: table.resolved.id) {
        try record(link, [position], of: other)
      }
    }
  }

  /// Records the embedded objects that a change of an object has added.
  mutating func didChange(
    _ id: ObjectID, _ positions: some Sequence<Int>, of table: ClassTable
  ) throws {
    if hasGivenUp { return }
    for part in try table.embeddedObjects(of: id, through: Set(positions)) {
      try addNew(part.id, of: part.table)
    }
  }

  /// Records an object that was added, with its embedded objects.
  mutating func didAdd(_ id: ObjectID, to table: ClassTable) throws {
    try addNew(id, of: table)
    try didChange(id, table.resolved.properties.indices, of: table)
  }

  private mutating func addNew(_ id: ObjectID, of table: ClassTable) throws {
    let reference = ObjectReference(classID: table.resolved.id, id: id)
    if hasGivenUp || places[reference] != nil { return }
    add(RecordedObject(className: table.name, reference: reference, before: nil, after: nil))
  }

  private mutating func record(
    _ id: ObjectID, _ positions: Set<Int>, of table: ClassTable
  ) throws {
    if hasGivenUp { return }
    let reference = ObjectReference(classID: table.resolved.id, id: id)
    if let place = places[reference] {
      // An object that the edit added has no earlier values, and a removed object is recorded as a
      // whole.
      guard var known = objects[place].before, try table.contains(id) else { return }
      let new = positions.filter { known[table.resolved.properties[$0].id] == nil }
      guard let values = try values(of: id, new, table) else { return giveUp() }
      known.merge(values) { first, _ in first }
      objects[place].before = known
      return
    }
    guard let values = try values(of: id, positions, table) else { return giveUp() }
    add(RecordedObject(className: table.name, reference: reference, before: values, after: nil))
  }

  private mutating func add(_ object: RecordedObject) {
    guard objects.count < objectLimit else { return giveUp() }
    places[object.reference] = objects.count
    objects.append(object)
  }

  /// Returns values of an object. Returns nil if the object does not exist, is damaged or is not
  /// yet converted, or if its values take too much memory.
  private mutating func values(
    of id: ObjectID, _ positions: some Sequence<Int>, _ table: ClassTable
  ) throws -> [PropertyID: RecordedValue]? {
    do {
      return try readableValues(of: id, positions, table)
    } catch StoreError.Code.damaged {
      // The recorder does not report damage: the edit may be possible nevertheless.
      return nil
    }
  }

  private mutating func readableValues(
    of id: ObjectID, _ positions: some Sequence<Int>, _ table: ClassTable
  ) throws -> [PropertyID: RecordedValue]? {
    guard let record = try table.record(id), !table.isUnconverted(record) else { return nil }
    var values: [PropertyID: RecordedValue] = [:]
    for position in positions {
      let property = table.resolved.properties[position]
      let value = try table.value(position, of: record, id)
      byteCount += 64 + value.memorySize
      if byteCount > EditReversal.byteLimit { return nil }
      values[property.id] = RecordedValue(
        property: property.name, type: property.type, value: value)
    }
    return values
  }

  /// Reads the values at the end of the edit. Returns nil if the edit cannot be taken back.
  mutating func finish() throws -> EditReversal? {
    var kept: [RecordedObject] = []
    for var object in objects {
      let table = try session.table(object.className)
      if try table.contains(object.reference.id) {
        let positions = table.resolved.properties.indices.filter { position in
          object.before.map { $0[table.resolved.properties[position].id] != nil } ?? true
        }
        guard let values = try values(of: object.reference.id, positions, table) else {
          giveUp()
          return nil
        }
        object.after = values
      }
      object.dropUnchanged()
      if !object.isUnchanged { kept.append(object) }
    }
    if hasGivenUp { return nil }
    return EditReversal(store: session.loaded.header.uuid, objects: kept)
  }
}

extension ClassTable {
  /// An embedded object with its class.
  struct EmbeddedObject {
    let table: ClassTable
    let id: ObjectID
  }

  /// Returns the embedded objects that belong to an object, at any depth. Those of one property
  /// are in the order of their IDs.
  ///
  /// - Parameter positions: The positions of the properties that lead to them. The default is all
  ///   properties.
  func embeddedObjects(
    of id: ObjectID, through positions: Set<Int>? = nil
  ) throws -> [EmbeddedObject] {
    var found: [EmbeddedObject] = []
    var seen: Set<ObjectReference> = []
    var waiting = [(object: EmbeddedObject(table: self, id: id), positions: positions)]
    while let (object, positions) = waiting.popLast() {
      let table = object.table
      guard let record = try table.record(object.id) else { continue }
      for position in table.ownedLinks where positions?.contains(position) ?? true {
        guard let name = table.resolved.properties[position].type.linkedClass else { continue }
        let target = try session.table(name)
        let parts = try table.value(position, of: record, object.id).linkTargets.compactMap {
          if case .object(let part) = $0 { part } else { nil }
        }
        // A map gives its values in a random order. The digest of a preview depends on the order.
        for part in parts.sorted()
        where seen.insert(ObjectReference(classID: target.resolved.id, id: part)).inserted {
          found.append(EmbeddedObject(table: target, id: part))
          waiting.append((EmbeddedObject(table: target, id: part), nil))
        }
      }
    }
    return found
  }
}
