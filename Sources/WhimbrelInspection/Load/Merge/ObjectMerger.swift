internal import Foundation
package import WhimbrelEngine

/// Loads objects into a store, in one write of its session.
///
/// The objects are gone through twice. First each is given its place: the object of the store that
/// has its primary key, or a new object ID. Then the values are written, with links to these
/// places. So links may lead to objects that follow, and each leads to an object in the end.
///
/// Invariants:
/// 1. An embedded object is written if and only if the one object that it belongs to is.
/// 2. No object of the store is written twice.
package final class ObjectMerger {
  let session: Session
  let source: any IncomingObjects
  private let policy: MergePolicy
  private let progress: (_ step: String, _ done: Int, _ total: Int?) throws -> Void
  /// What is known of each object: some 32 bytes, and 48 for one with a primary key.
  private var places: [IncomingReference: Place] = [:]
  /// The owners of embedded objects.
  private var owners: [IncomingReference: IncomingReference] = [:]
  /// New objects by their primary keys, where links name objects so.
  private var newKeys: [ClassID: [PropertyValue: ObjectID]] = [:]
  /// The objects of the store that are met.
  private var matched: [ClassID: Set<ObjectID>] = [:]
  /// The IDs that are given out next.
  private var nextIDs: [ClassID: UInt64] = [:]
  private var counts: [String: MergeSummary.ClassCounts] = [:]

  /// What becomes of an object.
  private enum Action {
    case add, replace, update, keep
    /// As what becomes of the one that it belongs to.
    case asOwner
  }

  private struct Place {
    let id: ObjectID
    var action: Action
  }

  /// - Parameter progress: is called every thousand objects.
  init(
    _ source: any IncomingObjects, into session: Session, _ policy: MergePolicy,
    progress: @escaping (_ step: String, _ done: Int, _ total: Int?) throws -> Void
  ) {
    self.source = source
    self.session = session
    self.policy = policy
    self.progress = progress
  }

  /// Loads all objects; to be called in a write of the session.
  ///
  /// - Complexity: O(*n* log *n*), in memory for the IDs and, where links name them, the primary
  ///   keys of the objects that are loaded.
  func run() throws -> MergeSummary {
    try forEach("Reading", total: nil) { try survey($0) }
    try embedOwned()
    try forEach("Loading", total: places.count) { try write($0) }
    for table in session.classes {
      if let next = nextIDs[table.resolved.id] { try table.setNextObjectID(next) }
    }
    var summary = MergeSummary()
    summary.classes = counts.values.sorted { $0.className < $1.className }
    summary.notes = try source.finish()
    return summary
  }

  private func forEach(
    _ step: String, total: Int?, _ body: (any IncomingObject) throws -> Void
  ) throws {
    var done = 0
    try source.forEach { object in
      do {
        try body(object)
      } catch let error as UnknownTarget {
        throw object.explain(error.reason)
      } catch let error as StoreError where error.isAboutValues {
        throw object.explain(error.reason)
      }
      done += 1
      if done % 1_000 == 0 { try progress(step, done, total) }
    }
    try progress(step, done, total)
  }
}

// MARK: - Where objects go

extension ObjectMerger {
  private func survey(_ object: any IncomingObject) throws {
    let table = object.table
    let reference = IncomingReference(classID: table.resolved.id, sourceID: object.sourceID)
    for child in try object.children() {
      guard owners.updateValue(reference, forKey: child) == nil else {
        throw object.explain(
          "an embedded object of it belongs to another as well, or to it twice")
      }
    }
    guard places.updateValue(try place(of: object), forKey: reference) == nil else {
      throw object.explain("there are two objects with the ID \(object.sourceID)")
    }
  }

  private func place(of object: any IncomingObject) throws -> Place {
    let table = object.table
    guard let position = table.resolved.primaryKeyIndex else {
      return Place(
        id: try takeObjectID(of: table), action: table.resolved.isEmbedded ? .asOwner : .add)
    }
    let name = PlainText.quoted(table.resolved.properties[position].name)
    guard let key = try object.key(), !key.isNull else {
      throw object.explain("it has no value for \(name), the primary key")
    }
    if let id = try table.find(key) {
      guard matched[table.resolved.id, default: []].insert(id).inserted else {
        throw object.explain("another object before it has the same primary key")
      }
      switch policy {
      case .keep: return Place(id: id, action: .keep)
      case .replace: return Place(id: id, action: .replace)
      case .update: return Place(id: id, action: .update)
      case .fail:
        throw InspectionError.objectExists(
          source.name, object.place, class: table.name, key: try table.objectName(id))
      }
    }
    let id: ObjectID
    if table.resolved.isClustered, case .int(let number) = key {
      id = ObjectID(clusteredKey: number)
    } else {
      id = try takeObjectID(of: table)
    }
    if source.linksNameKeys,
      newKeys[table.resolved.id, default: [:]].updateValue(id, forKey: key) != nil
    {
      throw object.explain("another object before it has the same primary key")
    }
    return Place(id: id, action: .add)
  }

  /// A new object ID. Those of an attempt that failed are given out again, so that the same load
  /// gives the same store.
  private func takeObjectID(of table: ClassTable) throws -> ObjectID {
    let next: UInt64
    if let known = nextIDs[table.resolved.id] {
      next = known
    } else {
      let last = try table.lastObjectID()?.rawValue ?? 0
      next = max(try table.nextObjectIDInFile() ?? 1, last &+ 1)
    }
    nextIDs[table.resolved.id] = next &+ 1
    return ObjectID(rawValue: next)
  }

  /// Decides what becomes of embedded objects.
  private func embedOwned() throws {
    for (reference, place) in places where place.action == .asOwner {
      let action: Action = try isWritten(reference) ? .add : .keep
      places[reference]?.action = action
    }
  }

  /// Whether the object that an embedded one belongs to, be it by way of others, is written.
  private func isWritten(_ reference: IncomingReference) throws -> Bool {
    var (current, steps) = (reference, 0)
    while let place = places[current] {
      // What is settled is an owner of its own, or was settled before.
      guard place.action == .asOwner else { return place.action != .keep }
      guard let owner = owners[current], steps < places.count else {
        let table = session.classes.first { $0.resolved.id == current.classID }
        throw InspectionError.badInput(
          .badDump, source.name, "",
          "object \(current.sourceID) of class \(PlainText.quoted(table?.name ?? "")) is embedded, "
            + "and belongs to no object that is not")
      }
      current = owner
      steps += 1
    }
    return false
  }
}

// MARK: - Writing

extension ObjectMerger {
  private func write(_ object: any IncomingObject) throws {
    let table = object.table
    let reference = IncomingReference(classID: table.resolved.id, sourceID: object.sourceID)
    guard let place = places[reference] else {
      throw object.explain("it was not there when it was read before: the file is being written")
    }
    var count = counts[table.name] ?? MergeSummary.ClassCounts(className: table.name)
    defer { counts[table.name] = count }
    switch place.action {
    case .add:
      try encode(object)
      do {
        try table.insertEncoded(place.id)
      } catch StoreError.Code.duplicatePrimaryKey {
        throw object.explain("another object before it has the same primary key")
      }
      count.added += 1
    case .replace:
      try encode(object)
      try table.replaceEncoded(place.id)
      count.replaced += 1
    case .update:
      let values = try object.values(Links(merger: self))
      try requireOwnable(values, of: object)
      try table.update(place.id) { encoder in
        for (position, value) in values { try encoder.set(position, value) }
      }
      count.updated += 1
    case .keep, .asOwner:
      if !table.resolved.isEmbedded { count.kept += 1 }
    }
  }

  /// Throws when a value of any type leads to an embedded object.
  private func requireOwnable(_ values: [Int: PropertyValue], of object: any IncomingObject) throws
  {
    let table = object.table
    for position in table.resolved.openLinks {
      for case .reference(let reference) in values[position]?.linkTargets ?? [] {
        let target = table.session.classes.first { $0.resolved.id == reference.classID }
        guard let target, target.resolved.isEmbedded else { continue }
        throw object.explain(
          "\(PlainText.quoted(table.resolved.properties[position].name)) leads to an object of "
            + "\(PlainText.quoted(target.name)), which is embedded: only a link to its class may")
      }
    }
  }

  /// Puts the values into the encoder, and defaults where there are none.
  private func encode(_ object: any IncomingObject) throws {
    let table = object.table
    let values = try object.values(Links(merger: self))
    try requireOwnable(values, of: object)
    table.encoder.begin()
    for (position, property) in table.resolved.properties.enumerated() {
      guard let value = values[position] ?? property.makeDefault(nil) else {
        throw object.explain("\(PlainText.quoted(property.name)) is required and has no value")
      }
      try table.encoder.set(position, value)
    }
  }

  /// Knows where the objects are that links lead to.
  package struct Links {
    fileprivate let merger: ObjectMerger

    /// The object that is loaded as one.
    package func object(_ sourceID: UInt64, of table: ClassTable) throws -> ObjectID {
      let reference = IncomingReference(classID: table.resolved.id, sourceID: sourceID)
      guard let place = merger.places[reference] else {
        let key = table.resolved.key(of: ObjectID(rawValue: sourceID))?.text
        throw UnknownTarget(className: table.name, name: key ?? "\(sourceID)")
      }
      return place.id
    }

    /// The object with a primary key, of those that are loaded or of the store.
    package func object(_ key: PropertyValue, of table: ClassTable) throws -> ObjectID {
      if let id = merger.newKeys[table.resolved.id]?[key] { return id }
      if let id = try table.find(key) { return id }
      throw UnknownTarget(className: table.name, name: key.keyText)
    }

    /// The object with a name, see `ClassTable.object(named:)`: an object ID is one of the store.
    ///
    /// - Throws: ``InspectionError`` with `badArgument` for what can be no name.
    package func object(named name: String, of table: ClassTable) throws -> ObjectID {
      guard let position = table.resolved.primaryKeyIndex else {
        let id = ClassTable.objectID(named: name) ?? UInt64(name).map(ObjectID.init(rawValue:))
        guard let id, try table.record(id) != nil else {
          throw UnknownTarget(className: table.name, name: name)
        }
        return id
      }
      return try object(
        try PropertyValue(text: name, for: table.resolved.properties[position]), of: table)
    }
  }
}

extension PropertyValue {
  /// A primary key as text.
  var keyText: String {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .uuid(let uuid): uuid.uuidString
    case .objectId(let id): id.description
    default: kind
    }
  }
}

extension StoreError {
  /// Whether the error is about what was to be written, and not about the store.
  fileprivate var isAboutValues: Bool {
    switch code {
    case .wrongType, .outOfRange, .valueTooLarge, .duplicateValues, .duplicatePrimaryKey,
      .embeddedHasParent, .invalidMapKey, .nestedTooDeep, .missingValue:
      true
    default: false
    }
  }

  /// The message without its full stop, to stand inside of another.
  var reason: String { message.hasSuffix(".") ? String(message.dropLast()) : message }
}
