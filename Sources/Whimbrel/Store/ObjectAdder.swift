internal import WhimbrelEngine

/// Not for use: adds an unmanaged object to a store, and all unmanaged objects that
/// it leads to.
///
/// Objects that are met through links get their identity at once and are added
/// after the one that led to them, so that neither long chains nor circles
/// matter. If one fails, those added with it are removed again.
@_documentation(visibility: internal)
public final class ObjectAdder {
  private let session: Session
  private let policy: UpdatePolicy
  private var current: (any Model)?
  private var currentID: ObjectID?
  private var waiting: [any Model] = []
  /// The objects that have been made managed.
  private var added: [any Model] = []
  /// Those of them that were met through links, and may not be in the store yet.
  private var met: Set<ObjectIdentifier> = []
  /// The numbers of those that were asked for their identity before.
  private var numbers: [ObjectIdentifier: UInt64] = [:]
  /// What is new in the store; objects that were there before are not in it.
  private var inserted: [(table: ClassTable, id: ObjectID)] = []
  private var hasReplaced = false
  /// The collections of objects that become managed with them.
  private var adopted: [(collection: CollectionStorage, owner: OwnerPlace, index: Int)] = []
  private var owner = OwnerPlace()
  /// The identities of new objects by class and primary key: an update may lead
  /// to two objects with one key.
  private var promised: [String: [[UInt8]: ObjectID]] = [:]

  init(_ session: Session, _ policy: UpdatePolicy) {
    self.session = session
    self.policy = policy
  }

  /// Adds an object, unless it is in the store, and returns its identity; nil when it is an
  /// old object of a migration whose new one has been deleted.
  @discardableResult
  func add(_ object: any Model) throws -> ObjectID? {
    _ = try session.requireWriting("add an object")
    if object._$row.isManaged { return try managed(object) }
    return try adding { try insert(object) }
  }

  /// The stored values of elements; objects among them are added. Links to what a migration
  /// has deleted are nil.
  func add<Element: CollectionElement>(
    contentsOf elements: some Sequence<Element>
  ) throws -> [PropertyValue] {
    try adding { try elements.map { try $0._$elementValue(self) } }
  }

  /// Adds objects that are in no store, all of them or none.
  func add(all objects: [any Model]) throws {
    if objects.isEmpty { return }
    _ = try session.requireWriting("add an object")
    try adding { for object in objects { _ = try link(to: object) } }
  }

  /// An object as values of any type have it; it is added.
  func reference(to object: any Model) throws -> PropertyValue {
    let table = try session.table(type(of: object)._$schema.name)
    if table.resolved.isEmbedded { throw StoreError.embeddedNeedsParent(class: table.name) }
    guard let id = try link(to: object) else { return .null }
    return .object(ObjectReference(classID: table.resolved.id, id: id))
  }

  /// A reference to an object of a class that has no model here.
  func reference(_ known: ObjectReference) throws -> PropertyValue {
    try session.linkable(known).map { .object($0) } ?? .null
  }

  /// Runs `body`, and adds the objects that it has met.
  private func adding<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      while let next = waiting.popLast() { try insert(next) }
      for object in added { object._$discardValues() }
      keepIdentities()
      for (collection, owner, index) in adopted {
        if let row = owner.row { collection.becomeManaged(row, index) }
      }
      return result
    } catch {
      undo(error)
      throw error
    }
  }

  private func managed(_ object: any Model) throws -> ObjectID? {
    let other = object._$row.session
    // In a migration, an old object stands for the new one of the same identity.
    guard other === session || session.isNewSide(of: other) else {
      throw StoreError.objectOfOtherStore(
        class: type(of: object)._$schema.name, objectID: object._$row.id,
        primaryKey: object._$row.knownKey)
    }
    let table = try session.table(type(of: object)._$schema.name)
    switch try table.linkState(object._$row.id) {
    case .isThere: return object._$row.id
    case .isDeleted where other !== session: return nil
    case .isDeleted, .isUnknown: throw table.resolved.deleted(object._$row.id)
    }
  }

  /// Makes an unmanaged collection of the object at hand one of the store, once all
  /// is added.
  func adopt(_ collection: CollectionStorage, _ index: Int) {
    if !collection.isManaged { adopted.append((collection, owner, index)) }
  }

  /// The identity of an object that another links to; nil when it is an old object of a
  /// migration whose new one has been deleted.
  func link(to object: any Model) throws -> ObjectID? {
    if met.contains(ObjectIdentifier(object)) { return object._$row.id }
    if object._$row.isManaged { return try managed(object) }
    if object === current, let currentID { return currentID }
    let table = try session.table(type(of: object)._$schema.name)
    let id = try identity(of: object, in: table)
    if object === current {
      currentID = id
    } else {
      // A chain of links is followed later, not deeper.
      place(object, id, in: table)
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
    let key = KeyEncoding.encoding(of: probe.found, isOptional: false)
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
    owner = OwnerPlace()
    table.encoder.begin()
    var encoder = ObjectEncoder(table, self)
    try object._$encode(into: &encoder)
    current = nil
    let id = try currentID ?? table.objectIDForEncoded()
    try table.completeEncoded(replacing: policy == .error ? nil : id)
    try put(id, in: table)
    place(object, id, in: table)
    owner.row = object._$row
    if !isWaiting { added.append(object) }
    return id
  }

  /// Makes an object one of the store.
  private func place(_ object: any Model, _ id: ObjectID, in table: ClassTable) {
    let number = object._$row.identityNumber
    if number != 0 { numbers[ObjectIdentifier(object)] = number }
    object._$row = ModelRow(session, table, id)
  }

  /// Lets objects that are new in the store keep the identity that they had.
  private func keepIdentities() {
    guard !numbers.isEmpty else { return }
    let inserted =
      inserted.reduce(into: [:]) { $0[$1.table.name, default: []].insert($1.id) }
      as [String: Set<ObjectID>]
    for object in added {
      guard let number = numbers[ObjectIdentifier(object)], let table = object._$row.table,
        inserted[table.name]?.contains(object._$row.id) == true
      else { continue }
      session.keepIdentity(number, of: object._$row.id, in: table)
    }
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
    for object in added {
      object._$row = ModelRow(identityNumber: numbers[ObjectIdentifier(object)] ?? 0)
    }
    guard !hasReplaced else { return }
    do {
      // An object may be gone with the one that it is embedded in.
      for (table, id) in inserted.reversed() where try table.record(id) != nil {
        try table.remove(id)
      }
    } catch {
      session.note(error)
    }
  }
}

/// The place of an object that is being added, once it is known.
final class OwnerPlace {
  var row: ModelRow?
}
