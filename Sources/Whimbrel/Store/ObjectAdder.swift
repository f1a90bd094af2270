internal import WhimbrelEngine

/// An object that adds unmanaged objects, and every unmanaged object that they link to. For use by
/// generated code.
///
/// An object that is reached through a link gets its ID at once and is written after the object
/// that links to it. Long chains and cycles therefore do not deepen the stack. If one object cannot
/// be added, the objects added with it are removed again.
@_documentation(visibility: internal)
public final class ObjectAdder {
  /// A row in the table of its class.
  // Safe: the session keeps its tables.
  @safe
  private struct Row {
    let unsafeTable: Unmanaged<ClassTable>
    let id: ObjectID

    init(_ table: ClassTable, _ id: ObjectID) {
      unsafe unsafeTable = .passUnretained(table)
      self.id = id
    }
  }

  private let session: Session
  // Safe, here and below: a store is used by one call after the other, on one thread, and its adders
  // too. The checks of that would take longer than what they guard.
  @safe @exclusivity(unchecked) var policy: UpdatePolicy
  @safe @exclusivity(unchecked) private var current: ObjectIdentifier?
  @safe @exclusivity(unchecked) private var currentID: ObjectID?
  @safe @exclusivity(unchecked) private var waiting: [any Model] = []
  @safe @exclusivity(unchecked) private var added: [any Model] = []
  /// The objects in `added` that were reached through links. They may not be in the store yet.
  @safe @exclusivity(unchecked) private var met: Set<ObjectIdentifier> = []
  /// The identity numbers of objects whose `id` was read before they were added.
  @safe @exclusivity(unchecked) private var numbers: [ObjectIdentifier: UInt64] = [:]
  /// The rows that are new in the store. A row that existed before is not included.
  @safe @exclusivity(unchecked) private var inserted: [Row] = []
  @safe @exclusivity(unchecked) private var hasReplaced = false
  /// The collections that become managed together with their objects.
  @safe @exclusivity(unchecked) private var adopted:
    [(collection: CollectionStorage, owner: OwnerPlace, index: Int)] = []
  /// The place of the object that is being added, once a collection needs it.
  @safe @exclusivity(unchecked) private var owner: OwnerPlace?
  /// The IDs of new objects by class and primary key. With an update policy, two unmanaged objects
  /// may have the same key; both then get the same ID.
  @safe @exclusivity(unchecked) private var promised: [String: [[UInt8]: ObjectID]] = [:]
  /// The table that was looked for last, and by what.
  @safe @exclusivity(unchecked) private var latest:
    (type: ObjectIdentifier, view: Int, table: ClassTable)?

  init(_ session: Session, _ policy: UpdatePolicy) {
    self.session = session
    self.policy = policy
  }

  /// Adds an object unless it is in the store, and returns its ID. Returns nil for an old object of
  /// a migration whose new object has been deleted.
  @discardableResult
  func add(_ object: any Model) throws -> ObjectID? {
    _ = try session.requireAdding("add an object")
    if object.isManaged { return try managed(object) }
    return try adding { try insert(object) }
  }

  /// Returns the table of an object's class.
  ///
  /// - Parameter row: The row of a managed object, or nil. The table is looked for unless the object
  ///   was found in it: another store may have removed the class. The type of an old object of a
  ///   migration is not that of the new ones.
  private func table(of object: any Model, _ row: ModelRow? = nil) throws -> ClassTable {
    let (type, view) = (ObjectIdentifier(Swift.type(of: object)), session.viewNumber)
    if let latest, latest.type == type, latest.view == view,
      row == nil || row?.table === latest.table
    {
      return latest.table
    }
    let table = try session.table(of: object)
    if row == nil || row?.session === session { latest = (type, view, table) }
    return table
  }

  /// Returns the stored values of elements, and adds the objects among them. A link to an object
  /// that the migration has deleted becomes nil.
  func add<Element: CollectionElement>(
    contentsOf elements: some Sequence<Element>
  ) throws -> [PropertyValue] {
    try adding { try elements.map { try $0._$elementValue(self) } }
  }

  /// Adds objects that are not in a store: all of them or none.
  func add(all objects: [any Model]) throws {
    if objects.isEmpty { return }
    _ = try session.requireAdding("add an object")
    // Not in a migration, whose table of new objects finds a duplicate key only at its end.
    if objects.count == 1, !session.isOfMigration {
      return try adding { _ = try insert(objects[0]) }
    }
    // Each gets its ID before any is written: IDs are in the order of the objects.
    try adding { for object in objects { _ = try link(to: object) } }
  }

  /// Adds an object if needed, and returns it as a value of an `AnyValue` property.
  func reference(to object: any Model) throws -> PropertyValue {
    let table = try session.table(of: object)
    if table.resolved.isEmbedded { throw StoreError.embeddedNeedsOwner(class: table.name) }
    guard let id = try link(to: object) else { return .null }
    return .object(ObjectReference(classID: table.resolved.id, id: id))
  }

  /// Returns a reference to an object of a class that has no model here.
  func reference(_ known: ObjectReference) throws -> PropertyValue {
    try session.linkable(known).map { .object($0) } ?? .null
  }

  /// Runs `body`, and then adds the objects that it has reached through links.
  private func adding<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      while let next = waiting.popLast() { try insert(next, isWaiting: true) }
      // Not `for object in added`, which would count references.
      for index in added.indices { added[index]._$discardValues() }
      keepIdentities()
      for (collection, owner, index) in adopted {
        if let row = owner.row { collection.becomeManaged(row, index) }
      }
      finish()
      return result
    } catch {
      undo(error)
      throw error
    }
  }

  /// Forgets what was added: nothing of it can be undone any more.
  private func finish() {
    // Most often there is one of each, which is removed faster alone.
    while added.popLast() != nil {}
    while inserted.popLast() != nil {}
    owner = nil
    if !met.isEmpty { met.removeAll() }
    if !numbers.isEmpty { numbers.removeAll() }
    if !adopted.isEmpty { adopted.removeAll() }
    if !promised.isEmpty { promised.removeAll() }
    hasReplaced = false
  }

  private func managed(_ object: any Model) throws -> ObjectID? {
    let row = object._$row
    let isOwn = row.session === session
    // In a migration, an old object stands for the new one of the same identity.
    guard isOwn || session.isNewSide(of: row.session) else {
      throw StoreError.objectOfOtherStore(
        class: type(of: object)._$schema.name, objectID: row.id, primaryKey: row.knownKey)
    }
    let table = try table(of: object, row)
    switch try table.linkState(row.id) {
    case .isThere: return row.id
    case .isDeleted where !isOwn: return nil
    case .isDeleted, .isUnknown: throw table.resolved.deleted(row.id)
    }
  }

  /// Makes an unmanaged collection of the current object managed, once all objects are added.
  func adopt(_ collection: CollectionStorage, _ index: Int) {
    guard !collection.isManaged else { return }
    let place = owner ?? OwnerPlace()
    owner = place
    adopted.append((collection, place, index))
  }

  /// Returns the ID of an object that another one links to. Returns nil for an old object of a
  /// migration whose new object has been deleted.
  func link(to object: any Model) throws -> ObjectID? {
    if met.contains(ObjectIdentifier(object)) { return object._$row.id }
    if object._$row.isManaged { return try managed(object) }
    let isCurrent = current == ObjectIdentifier(object)
    if isCurrent, let currentID { return currentID }
    let table = try table(of: object)
    let id = try identity(of: object, in: table)
    if isCurrent {
      currentID = id
    } else {
      // The object is written later: following its links here would recurse.
      place(object, id, in: table)
      met.insert(ObjectIdentifier(object))
      waiting.append(object)
      added.append(object)
    }
    return id
  }

  /// Returns the ID that an object has, or the ID that it will get.
  private func identity(of object: any Model, in table: ClassTable) throws -> ObjectID {
    guard let position = table.resolved.primaryKeyIndex else { return try table.takeObjectID() }
    var probe = ObjectEncoder(table, self, wanted: position)
    try object._$encode(into: &probe)
    if policy == .error, try table.find(probe.found) != nil {
      throw StoreError.duplicatePrimaryKey(
        class: table.name, property: table.resolved.properties[position].name, key: probe.found)
    }
    let key = probe.found
    return try findsKeys(in: table) ? identity(of: key, in: table) : newID(for: key, in: table)
  }

  /// Returns whether an object gets the ID of the one with its primary key: with an update policy. If
  /// IDs are keys, nothing has to be found, except in a migration: it changes keys, and not IDs.
  private func findsKeys(in table: ClassTable) -> Bool {
    policy != .error && (!table.resolved.isClustered || session.isOfMigration)
  }

  /// Returns the ID that a new object with a primary key gets.
  private func newID(for key: PropertyValue, in table: ClassTable) throws -> ObjectID {
    guard table.resolved.isClustered, case .int(let number) = key else {
      return try table.takeObjectID()
    }
    // In a migration, the ID of the key may be that of an object which has another key now, or of
    // one that was deleted.
    return try table.takeObjectID(forKey: number)
  }

  /// Returns the ID of the object with a primary key, or the ID that it will get.
  private func identity(of key: PropertyValue, in table: ClassTable) throws -> ObjectID {
    if let existing = try table.find(key) { return existing }
    let encoded = KeyEncoding.encoding(of: key, isOptional: false)
    if let known = promised[table.name]?[encoded] { return known }
    let id = try newID(for: key, in: table)
    promised[table.name, default: [:]][encoded] = id
    return id
  }

  @discardableResult
  private func insert(_ object: any Model, isWaiting: Bool = false) throws -> ObjectID {
    let table = try table(of: object)
    current = isWaiting ? nil : ObjectIdentifier(object)
    currentID = isWaiting ? object._$row.id : nil
    owner = nil
    table.beginEncoding()
    var encoder = ObjectEncoder(table, self)
    try object._$encode(into: &encoder)
    current = nil
    // It was taken already if the object links to itself.
    let id = try currentID ?? identityOfEncoded(in: table)
    try table.completeEncoded(replacing: policy == .error ? nil : id)
    try put(id, in: table)
    place(object, id, in: table)
    if let owner { owner.row = object._$row }
    if !isWaiting { added.append(object) }
    return id
  }

  /// Returns the ID for the object that the encoder of a table holds. With an update policy, it may be
  /// that of an existing object with the same primary key.
  private func identityOfEncoded(in table: ClassTable) throws -> ObjectID {
    guard findsKeys(in: table) else { return try table.objectIDForEncoded() }
    return try identity(of: table.encodedPrimaryKey(), in: table)
  }

  /// Makes an object managed.
  private func place(_ object: any Model, _ id: ObjectID, in table: ClassTable) {
    let number = object._$row.place(session, table, id)
    if number != 0 { numbers[ObjectIdentifier(object)] = number }
  }

  /// Keeps the identities of objects that are new in the store: `id` does not change when an object
  /// is added.
  private func keepIdentities() {
    guard !numbers.isEmpty else { return }
    let inserted =
      inserted.reduce(into: [:]) { sets, row in
        let name = unsafe row.unsafeTable._withUnsafeGuaranteedRef { $0.name }
        sets[name, default: []].insert(row.id)
      }
      as [String: Set<ObjectID>]
    for object in added {
      guard let number = numbers[ObjectIdentifier(object)], let table = object._$row.table,
        inserted[table.name]?.contains(object._$row.id) == true
      else { continue }
      session.keepIdentity(number, of: object._$row.id, in: table)
    }
  }

  private func put(_ id: ObjectID, in table: ClassTable) throws {
    guard policy != .error, let old = try table.recordToChange(id) else {
      try table.insertEncoded(id)
      inserted.append(Row(table, id))
      return
    }
    hasReplaced = true
    if policy == .modified, try table.encodedIsEqual(to: old, id) { return }
    try table.replaceEncoded(id)
  }

  /// Makes the added objects unmanaged again, and removes their rows.
  private func undo(_ error: any Error) {
    // The values that were replaced are lost, so the whole write must fail.
    if hasReplaced { session.note(error) }
    for object in added {
      object._$row = ModelRow(identityNumber: numbers[ObjectIdentifier(object)] ?? 0)
    }
    guard !hasReplaced else { return }
    do {
      // Removing an owner also removes the objects embedded in it.
      for row in inserted.reversed() {
        try unsafe row.unsafeTable._withUnsafeGuaranteedRef { table in
          if try table.contains(row.id) { try table.remove(row.id) }
        }
      }
    } catch {
      session.note(error)
    }
  }
}

/// The row of an object that is being added; nil until the object has one.
final class OwnerPlace {
  var row: ModelRow?
}
