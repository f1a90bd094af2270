internal import Foundation
package import WhimbrelEngine

/// A loader of objects into a store, inside one write of its session.
///
/// It reads the objects twice. The first pass gives each object its place: the object of the store
/// with the same primary key, or a new object ID. The second pass writes the values, with links to
/// these places. A link may therefore lead to an object that comes later, and every link leads to
/// an existing object at the end.
///
/// Invariants:
/// 1. An embedded object is written if and only if its owner is written. An omitted owner is not.
/// 2. No object of the store is written twice.
package final class ObjectMerger {
  let session: Session
  let source: any IncomingObjects
  private let policy: MergePolicy
  private let progress: (_ step: String, _ done: Int, _ total: Int?) throws -> Void
  /// The places of all loaded objects: about 32 bytes per object, 48 with a primary key.
  private var places: [IncomingReference: Place] = [:]
  /// The owner of each embedded object.
  private var owners: [IncomingReference: IncomingReference] = [:]
  /// The new objects by primary key, if links may name objects by primary key. The keys are bytes as
  /// in the store: there, texts that Swift calls equal may be different keys.
  private var newKeys: [ClassID: [[UInt8]: ObjectID]] = [:]
  /// The objects of the store that a loaded object has matched.
  private var matched: [ClassID: Set<ObjectID>] = [:]
  /// The next object ID of each class.
  private var nextIDs: [ClassID: UInt64] = [:]
  private var counts: [String: MergeSummary.ClassCounts] = [:]

  /// The action on an object.
  private enum Action {
    case add, replace, update, keep
    /// Not known yet: embedded objects follow their owners.
    case asOwner
  }

  private struct Place {
    let id: ObjectID
    var action: Action
  }

  /// - Parameter progress: Is called after every thousand objects.
  init(
    _ source: any IncomingObjects, into session: Session, _ policy: MergePolicy,
    progress: @escaping (_ step: String, _ done: Int, _ total: Int?) throws -> Void
  ) {
    self.source = source
    self.session = session
    self.policy = policy
    self.progress = progress
  }

  /// Loads all objects. Call it inside a write of the session.
  ///
  /// - Complexity: O(*n* log *n*). Memory: the IDs of the loaded objects, and their primary keys if
  ///   links may name them.
  func run() throws -> MergeSummary {
    try forEach("Reading", total: nil) { try survey($0) }
    try embedOwned()
    try forEach("Loading", total: places.count) { try write($0) }
    do {
      try session.requireUniqueValues()
    } catch let error as StoreError where error.code == .duplicateValues {
      throw try located(error)
    }
    for table in session.classes {
      if let next = nextIDs[table.resolved.id] { try table.setNextObjectID(next) }
    }
    var summary = MergeSummary()
    summary.classes = counts.values.sorted { $0.className < $1.className }
    summary.notes = try source.finish()
    return summary
  }

  /// Returns an error about a loaded object with the object's place in the source.
  private func located(_ error: StoreError) throws -> any Error {
    var located: (any Error)?
    try source.forEach { object in
      guard object.table.name == error.context.className,
        let id = places[IncomingReference(object)]?.id, id == error.context.objectIDs.first
      else { return }
      located = object.explain(error.reason)
    }
    return located ?? error
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
    let reference = IncomingReference(object)
    for child in try object.children() {
      guard owners.updateValue(reference, forKey: child) == nil else {
        throw object.explain(
          "one of its embedded objects also belongs to another object, or belongs to it twice")
      }
    }
    guard places.updateValue(try place(of: object), forKey: reference) == nil else {
      throw object.explain("two objects have the ID \(object.sourceID)")
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
        throw object.explain("an earlier object has the same primary key")
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
      newKeys[table.resolved.id, default: [:]].updateValue(id, forKey: key.keyBytes) != nil
    {
      throw object.explain("an earlier object has the same primary key")
    }
    return Place(id: id, action: .add)
  }

  /// Returns a new object ID. IDs of a failed attempt are assigned again, because the load should
  /// give the same store however many attempts it takes.
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

  /// Decides which embedded objects are written.
  private func embedOwned() throws {
    var unowned: [IncomingReference] = []
    for (reference, place) in places where place.action == .asOwner {
      guard let isWritten = isWritten(reference) else {
        unowned.append(reference)
        continue
      }
      places[reference]?.action = isWritten ? .add : .keep
    }
    // If all of them have owners, they own each other in a circle.
    let outermost = unowned.filter { owners[$0] == nil }
    let named = (outermost.isEmpty ? unowned : outermost)
      .min { ($0.classID.rawValue, $0.sourceID) < ($1.classID.rawValue, $1.sourceID) }
    guard let named else { return }
    let table = session.find(named.classID)
    throw InspectionError.badInput(
      .badDump, source.name, "",
      "object \(named.sourceID) of class \(PlainText.quoted(table?.name ?? "")) is embedded, "
        + "but no object owns it")
  }

  /// Returns whether the outermost owner of an embedded object is written, or nil if there is none.
  private func isWritten(_ reference: IncomingReference) -> Bool? {
    var (current, steps) = (reference, 0)
    while let place = places[current] {
      // An object with an action of its own ends the chain: it is not embedded, or was decided
      // before.
      guard place.action == .asOwner else { return place.action != .keep }
      if owners[current] == nil, source.classesOfOmittedOwners.contains(current.classID) {
        return false
      }
      guard let owner = owners[current], steps < places.count else { return nil }
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
    let reference = IncomingReference(object)
    guard let place = places[reference] else {
      throw object.explain(
        "it was missing when the file was first read: another program is writing the file")
    }
    var count = counts[table.name] ?? MergeSummary.ClassCounts(className: table.name)
    defer { counts[table.name] = count }
    switch place.action {
    case .add:
      try encode(object)
      do {
        try table.insertEncoded(place.id)
      } catch StoreError.Code.duplicatePrimaryKey {
        throw object.explain("an earlier object has the same primary key")
      }
      count.added += 1
    case .replace:
      try encode(object)
      try table.requireConverted(place.id)
      try table.replaceEncoded(place.id)
      count.replaced += 1
    case .update:
      let values = try object.values(Links(merger: self))
      try requireOwnable(values, of: object)
      try table.requireConverted(place.id)
      try table.update(place.id) { encoder in
        for (position, value) in values { try encoder.set(position, value) }
      }
      count.updated += 1
    case .keep, .asOwner:
      if !table.resolved.isEmbedded { count.kept += 1 }
    }
  }

  /// Throws an error if a value of any type leads to an embedded object.
  private func requireOwnable(_ values: [Int: PropertyValue], of object: any IncomingObject) throws
  {
    let table = object.table
    for position in table.resolved.openLinks {
      for case .reference(let reference) in values[position]?.linkTargets ?? [] {
        let target = table.session.find(reference.classID)
        guard let target, target.resolved.isEmbedded else { continue }
        throw object.explain(
          "\(PlainText.quoted(table.resolved.properties[position].name)) leads to an object of "
            + "\(PlainText.quoted(target.name)), which is embedded: only a link to its class may "
            + "lead to it")
      }
    }
  }

  /// Encodes the given values, and defaults for missing values.
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

  /// A resolver of links to objects of the store.
  package struct Links {
    fileprivate let merger: ObjectMerger

    /// Returns the ID of a loaded object in the store.
    package func object(_ sourceID: UInt64, of table: ClassTable) throws -> ObjectID {
      let reference = IncomingReference(classID: table.resolved.id, sourceID: sourceID)
      guard let place = merger.places[reference] else {
        let key = table.resolved.key(of: ObjectID(rawValue: sourceID))?.text
        throw UnknownTarget(className: table.name, name: key ?? "\(sourceID)")
      }
      return place.id
    }

    /// Returns the loaded object or the stored object with a primary key.
    package func object(_ key: PropertyValue, of table: ClassTable) throws -> ObjectID {
      if let id = merger.newKeys[table.resolved.id]?[key.keyBytes] { return id }
      if let id = try table.find(key) { return id }
      throw UnknownTarget(className: table.name, name: key.keyText)
    }

    /// Returns the object with a name, see `ClassTable.object(named:)`. An object ID means an
    /// object of the store.
    ///
    /// - Throws: ``JSONProblem`` if the text is not a valid name.
    package func object(named name: String, of table: ClassTable) throws -> ObjectID {
      guard let position = table.resolved.primaryKeyIndex else {
        let id = ClassTable.objectID(named: name) ?? UInt64(name).map(ObjectID.init(rawValue:))
        guard let id, try table.record(id) != nil else {
          throw UnknownTarget(className: table.name, name: name)
        }
        return id
      }
      return try object(
        try PropertyValue.value(name, for: table.resolved.properties[position]), of: table)
    }

    /// A resolver for a text whose object IDs are those of the store, and whose primary keys may
    /// also be those of loaded objects.
    package var resolver: LinkResolver {
      LinkResolver(
        byID: { id, table in
          guard try table.record(id) != nil else {
            let key = table.resolved.key(of: id)?.text
            throw UnknownTarget(className: table.name, name: key ?? "\(id.rawValue)")
          }
          return id
        },
        byKey: { key, table in try object(key, of: table) })
    }
  }
}

extension PropertyValue {
  var keyText: String { exactText ?? kind }

  fileprivate var keyBytes: [UInt8] { KeyEncoding.encoding(of: self, isOptional: false) }
}

extension StoreError {
  /// Whether the error is about the values to write, and not about the store.
  fileprivate var isAboutValues: Bool {
    switch code {
    case .wrongType, .outOfRange, .valueTooLarge, .duplicateValues, .duplicatePrimaryKey,
      .embeddedHasOwner, .invalidMapKey, .nestedTooDeep, .missingValue:
      true
    default: false
    }
  }

  /// The message without its full stop, for use inside another sentence.
  var reason: String { message.withoutFullStop }
}
