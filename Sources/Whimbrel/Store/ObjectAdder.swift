internal import WhimbrelEngine

/// Adds an unmanaged object to a store, and all unmanaged objects that it leads
/// to.
///
/// Objects that are met through links get their identity at once and are added
/// after the one that led to them, so that neither long chains nor circles
/// matter. If one fails, those added with it are removed again.
final class ObjectAdder {
  private let session: Session
  private let policy: UpdatePolicy
  private var current: (any Model)?
  private var currentID: ObjectID?
  private var waiting: [any Model] = []
  /// The objects that have been made managed.
  private var added: [any Model] = []
  /// Those of them that were met through links, and may not be in the store yet.
  private var met: Set<ObjectIdentifier> = []
  /// What is new in the store; objects that were there before are not in it.
  private var inserted: [(table: ClassTable, id: ObjectID)] = []
  private var hasReplaced = false
  /// The identities of new objects by class and primary key: an update may lead
  /// to two objects with one key.
  private var promised: [String: [[UInt8]: ObjectID]] = [:]

  init(_ session: Session, _ policy: UpdatePolicy) {
    self.session = session
    self.policy = policy
  }

  /// Adds an object, unless it is in the store, and returns its identity.
  func add(_ object: any Model) throws -> ObjectID {
    _ = try session.requireWriting("add an object")
    if object._$row.isManaged { return try managed(object) }
    do {
      let id = try insert(object)
      while let next = waiting.popLast() { try insert(next) }
      for object in added { object._$discardValues() }
      return id
    } catch {
      undo(error)
      throw error
    }
  }

  private func managed(_ object: any Model) throws -> ObjectID {
    guard object._$row.session === session else {
      throw StoreError.objectOfOtherStore(
        class: type(of: object)._$schema.name, objectID: object._$row.id)
    }
    let table = try session.table(type(of: object)._$schema.name)
    guard try table.record(object._$row.id) != nil else {
      throw StoreError.objectDeleted(class: table.name, objectID: object._$row.id)
    }
    return object._$row.id
  }

  /// The identity of an object that another links to.
  func link(to object: any Model) throws -> ObjectID {
    if met.contains(ObjectIdentifier(object)) { return object._$row.id }
    if object._$row.isManaged { return try managed(object) }
    if object === current, let currentID { return currentID }
    let table = try session.table(type(of: object)._$schema.name)
    let id = try identity(of: object, in: table)
    if object === current {
      currentID = id
    } else {
      // A chain of links is followed later, not deeper.
      object._$row = ModelRow(session, table, id)
      met.insert(ObjectIdentifier(object))
      waiting.append(object)
      added.append(object)
    }
    return id
  }

  /// The identity that an object has, or is to get.
  private func identity(of object: any Model, in table: ClassTable) throws -> ObjectID {
    guard let position = table.resolved.primaryKeyIndex else { return try table.takeObjectID() }
    var probe = ObjectEncoder(table, self, wanted: position)
    try object._$encode(into: &probe)
    if let existing = try table.find(probe.found) {
      if policy == .error {
        throw StoreError.duplicatePrimaryKey(
          class: table.name, property: table.resolved.properties[position].name,
          key: probe.found)
      }
      return existing
    }
    if table.resolved.isClustered, case .int(let key) = probe.found {
      return ObjectID(clusteredKey: key)
    }
    guard policy != .error else { return try table.takeObjectID() }
    var key: [UInt8] = []
    KeyEncoding.append(probe.found, isOptional: false, to: &key)
    if let known = promised[table.name]?[key] { return known }
    let id = try table.takeObjectID()
    promised[table.name, default: [:]][key] = id
    return id
  }

  @discardableResult
  private func insert(_ object: any Model) throws -> ObjectID {
    let table = try session.table(type(of: object)._$schema.name)
    let isWaiting = object._$row.isManaged
    current = isWaiting ? nil : object
    currentID = isWaiting ? object._$row.id : nil
    if !isWaiting, policy != .error { currentID = try identity(of: object, in: table) }
    table.encoder.begin()
    var encoder = ObjectEncoder(table, self)
    try object._$encode(into: &encoder)
    current = nil
    let id = try currentID ?? newIdentity(in: table)
    try put(id, in: table)
    object._$row = ModelRow(session, table, id)
    if !isWaiting { added.append(object) }
    return id
  }

  /// The identity of the new object that the encoder holds.
  private func newIdentity(in table: ClassTable) throws -> ObjectID {
    if table.resolved.isClustered, case .int(let key) = table.encodedPrimaryKey {
      return ObjectID(clusteredKey: key)
    }
    return try table.takeObjectID()
  }

  private func put(_ id: ObjectID, in table: ClassTable) throws {
    guard policy != .error, let old = try table.record(id) else {
      try table.insertEncoded(id)
      inserted.append((table, id))
      return
    }
    hasReplaced = true
    if policy == .modified, try table.encodedIsEqual(to: old, id) { return }
    try table.replaceEncoded(id)
  }

  /// Takes back what has been added.
  private func undo(_ error: any Error) {
    // What was replaced is gone: the write as a whole must not succeed.
    if hasReplaced { session.note(error) }
    for object in added { object._$row = ModelRow() }
    guard !hasReplaced else { return }
    do {
      for (table, id) in inserted.reversed() { try table.remove(id) }
    } catch {
      session.note(error)
    }
  }
}
