internal import WhimbrelLMDB

/// The links to objects that the migration's code has deleted, as far as they are known.
struct LinkRepairs {
  /// The number of the deletion up to which an object's links have been removed.
  var done: [ObjectID: Int] = [:]
  /// The positions of the properties that may link to deleted objects, valid for a number of
  /// classes with deletions.
  var suspects: (classes: Int, positions: [Int])?

  /// The limit on the objects in ``done``.
  static let most = 4_096
}

/// The objects that a migration's code has deleted so far. Links to them are still to be removed.
struct DeletionLog {
  /// A number that grows with each deletion.
  private(set) var number = 0
  /// The number of classes that have lost objects.
  private(set) var classes = 0
  /// The last deletions, in order.
  private var recent: [ObjectReference] = []

  /// The limit on the deletions that are kept. For earlier ones, each link's target is looked up.
  private static let limit = 10_000

  mutating func add(_ object: ObjectReference) {
    number += 1
    if recent.count >= 2 * Self.limit { recent.removeFirst(Self.limit) }
    recent.append(object)
  }

  /// Notes that a class has lost all of its objects.
  mutating func addAll() {
    number += 1
    recent.removeAll()
  }

  mutating func addClass() { classes += 1 }

  /// Returns the objects that have been deleted since a deletion, by its number. Returns nil if the
  /// log does not go back that far.
  func objects(after number: Int) -> ArraySlice<ObjectReference>? {
    let count = self.number - number
    return count <= recent.count ? recent.suffix(count) : nil
  }
}

/// Removal of links to objects that the migration's code has deleted.
///
/// A deletion does not look for links to the object, because there may be millions of objects that
/// are never read again. The links of an object are removed before it is shown or changed, and
/// those of all others at the end.
extension ClassRewrite {
  /// Removes links to deleted objects from a new object.
  func repair(_ id: ObjectID) throws {
    let number = migrator.block.deletions.number
    guard number > 0 else { return }
    let positions = linksToDeleted()
    guard !positions.isEmpty else { return }
    let last = repairs.done[id]
    if last == number { return }
    let suspects = last.flatMap { migrator.block.deletions.objects(after: $0) }
    for position in positions {
      let gone = try goneTargets(position, of: id, among: suspects)
      if !gone.isEmpty { try takeOut(gone, position, of: id) }
    }
    if repairs.done.count >= LinkRepairs.most { repairs.done.removeAll(keepingCapacity: true) }
    repairs.done[id] = number
  }

  /// Returns the positions of the properties that may link to deleted objects.
  private func linksToDeleted() -> [Int] {
    let classes = migrator.block.deletions.classes
    if let found = repairs.suspects, found.classes == classes { return found.positions }
    let links = resolved.links.filter { position in
      migrator.entry(resolved.properties[position].type.linkedClass)?.hasDeletions == true
    }
    repairs.suspects = (classes, links + resolved.openLinks)
    return links + resolved.openLinks
  }

  /// Returns the deleted objects that a property of an object links to.
  ///
  /// - Parameter suspects: The objects that may have been deleted, or nil if they are not known.
  private func goneTargets(
    _ position: Int, of id: ObjectID, among suspects: ArraySlice<ObjectReference>?
  ) throws -> Set<LinkTarget> {
    guard let record = try record(id) else { return [] }
    let type = resolved.properties[position].type
    let known = suspects.map { self.targets($0, of: type) }
    if known?.isEmpty == true { return [] }
    var gone: Set<LinkTarget> = []
    func look(at value: PropertyValue) throws {
      for target in value.linkTargets {
        let isGone = try known?.contains(target) ?? !migrator.exists(target, of: type)
        if isGone { gone.insert(target) }
      }
    }
    guard type.isCollection, hasStored(position, in: record) else {
      try look(at: value(position, of: record, id))
      return gone
    }
    try explaining(id) {
      try CollectionReader(position, of: record, in: resolved, overflow(of: record, id))
        .forEach { _, value in try look(at: value) }
    }
    return gone
  }

  /// Returns the objects among some to which links of a type can lead.
  private func targets(
    _ objects: ArraySlice<ObjectReference>, of type: PropertyType
  ) -> Set<LinkTarget> {
    guard let name = type.linkedClass else { return Set(objects.map { .reference($0) }) }
    guard let classID = migrator.entry(name)?.draft.id else { return [] }
    return Set(objects.lazy.filter { $0.classID == classID }.map { .object($0.id) })
  }

  /// Returns whether a record has the elements of a collection as they are to be.
  private func hasStored(_ position: Int, in record: PageBytes) -> Bool {
    if record.layoutID == resolved.written.layout.id { return true }
    if case .converted = draft.properties[position].origin { return false }
    return true
  }

  private func takeOut(
    _ gone: Set<LinkTarget>, _ position: Int, of id: ObjectID
  ) throws {
    // A long collection is not written anew.
    if id != pending, resolved.properties[position].type.isCollection {
      return try edit(position, of: id) { try $0.removeAll(Set(gone.map(\.reference))) }
    }
    guard let record = try record(id) else { return }
    let new = try value(position, of: record, id).removing(gone)
    try update(id, at: position) { encoder in try encoder.set(position, new) }
  }
}

// MARK: - Links to be stored

/// The state of an object that is to be linked to.
package enum LinkState {
  case isThere
  /// It was in the file, and the migration has deleted it.
  case isDeleted
  /// It does not exist, and was not in the file.
  case isUnknown
}

extension Session {
  /// Returns a reference that a property of any type is to have; nil if it was that of an old
  /// object and the migration has deleted the new one.
  ///
  /// - Throws: ``StoreError`` with `unknownClass`, `objectDeleted`, or `embeddedNeedsOwner`
  ///   when the object is embedded.
  package func linkable(_ reference: ObjectReference) throws -> ObjectReference? {
    let name: String
    let isEmbedded: Bool
    let state: LinkState
    if let migrator = side?.host as? Migrator {
      let entry = try migrator.requireClass(reference.classID)
      (name, isEmbedded, state) = (entry.name, entry.isEmbedded, try entry.linkState(reference.id))
    } else {
      let table = try table(reference.classID)
      (name, isEmbedded) = (table.name, table.resolved.isEmbedded)
      state = try table.linkState(reference.id)
    }
    if isEmbedded { throw StoreError.embeddedNeedsOwner(class: name) }
    switch state {
    case .isThere: return reference
    case .isDeleted: return nil
    case .isUnknown: throw StoreError.objectDeleted(class: name, objectID: reference.id)
    }
  }
}

extension ClassRewrite {
  /// Returns whether an object can be linked to.
  func linkState(_ id: ObjectID) throws -> LinkState {
    // An embedded object that has lost its owner may get a new one.
    if try isReleased(id) { return .isThere }
    if try record(id) != nil { return .isThere }
    return try wasInFile(id) ? .isDeleted : .isUnknown
  }

  /// Returns whether an object was in the file before the migration.
  func wasInFile(_ id: ObjectID) throws -> Bool {
    try old?.record(id) != nil
  }

  /// Returns a value for a property, without links to objects of the file that the block has
  /// deleted. The value may come from an old object.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted` when a link leads to an object that never
  ///   was in the file, and `embeddedHasOwner` when a value of any type would lead to an
  ///   embedded object.
  func linkable(_ position: Int, _ value: PropertyValue) throws -> PropertyValue {
    // The property cannot store links.
    if resolved.written.places[position].plain != .none { return value }
    let type = resolved.properties[position].type
    var gone: Set<LinkTarget> = []
    for target in value.linkTargets {
      guard let (entry, id) = try migrator.place(of: target, type) else { continue }
      if case .reference = target, entry.isEmbedded {
        throw StoreError.embeddedReference(
          class: name, property: resolved.properties[position].name, target: entry.name,
          objectID: id, primaryKey: entry.primaryKey(id) ?? entry.oldPrimaryKey(id))
      }
      switch try entry.linkState(id) {
      case .isThere: break
      case .isDeleted: gone.insert(target)
      case .isUnknown:
        throw entry.resolved.deleted(id)
          .linked(from: resolved.properties[position].name, of: name)
      }
    }
    return gone.isEmpty ? value : value.removing(gone)
  }
}

extension Migrator {
  /// Returns the object that a link leads to, or nil if the type does not name its class.
  ///
  /// - Throws: ``StoreError`` with `objectDeleted` when there is no such class.
  func place(
    of target: LinkTarget, _ type: PropertyType
  ) throws -> (entry: ClassRewrite, id: ObjectID)? {
    switch target {
    case .object(let id): return entry(type.linkedClass).map { ($0, id) }
    case .reference(let reference):
      guard let entry = entry(reference.classID) else {
        throw StoreError.objectDeleted(class: "", objectID: reference.id)
      }
      return (entry, reference.id)
    }
  }
}

extension LinkTarget {
  /// A reference to the object, whose class the property determines.
  fileprivate var reference: ObjectReference {
    switch self {
    case .object(let id): ObjectReference(classID: ClassID(rawValue: 0), id: id)
    case .reference(let reference): reference
    }
  }
}
