internal import WhimbrelLMDB

/// The objects of all classes that links can lead to.
struct LinkTargets: Sendable {
  /// The objects of one class.
  enum Objects: Sendable {
    case known(ObjectIDSet)
    /// The class table. The IDs are too far apart for a set.
    case stored(Table)
    /// Unknown objects, because their table is damaged.
    case unreadable
  }

  private var objects: [ClassID: Objects] = [:]
  private var ids: [String: ClassID] = [:]
  private var classes: [ClassID: ResolvedClass] = [:]

  /// Creates an empty value, for checks that do not follow links.
  init() {}

  /// Collects the objects of the linked classes.
  ///
  /// - Complexity: O(*n*) in the objects of those classes, on several cores. Memory: at most one
  ///   byte for each object.
  init(_ check: IntegrityCheck) throws {
    let names = Set(
      check.classes.flatMap { table in
        table.resolved.links.compactMap { table.resolved.properties[$0].type.linkedClass }
      })
    let isOpen = check.classes.contains { !$0.resolved.openLinks.isEmpty }
    for table in check.classes where isOpen || names.contains(table.name) {
      ids[table.name] = table.resolved.id
      classes[table.resolved.id] = table.resolved
      objects[table.resolved.id] =
        switch table.objects {
        case let found?:
          try ObjectIDSet(found, check.view, check.environment).map { .known($0) }
            ?? .stored(found)
        case nil: .unreadable
        }
    }
  }

  subscript(id: ClassID) -> Objects? { objects[id] }

  func isEmbedded(_ id: ClassID) -> Bool { classes[id]?.isEmbedded == true }

  /// Returns an object's name for messages.
  func description(of id: ObjectID, in className: String?) -> String {
    let resolved = className.flatMap { ids[$0] }.flatMap { classes[$0] }
    return Sentence.object(id, resolved?.key(of: id))
  }

  func name(of id: ClassID) -> String? { ids.first { $0.value == id }?.key }

  subscript(name: String) -> Objects? { ids[name].flatMap { objects[$0] } }
}

extension LinkTargets.Objects {
  /// Returns whether an object exists. Unknown objects count as existing.
  @inline(__always)
  func contains(_ id: ObjectID, _ view: ReadView) throws -> Bool {
    switch self {
    case .known(let ids): ids.contains(id)
    case .stored(let table): try view.value(table, id.rawValue) != nil
    case .unreadable: true
    }
  }
}
