internal import WhimbrelLMDB

/// Which objects are there, of all classes to which links lead.
struct LinkTargets: Sendable {
  /// The objects of a class, as far as they can be looked up.
  enum Objects: Sendable {
    case known(ObjectIDSet)
    /// Their IDs are too far apart for a set.
    case stored(Table)
    /// Nobody knows which are there.
    case unreadable
  }

  private var objects: [ClassID: Objects] = [:]
  private var ids: [String: ClassID] = [:]
  private var classes: [ClassID: ResolvedClass] = [:]

  /// Those that no link is compared with.
  init() {}

  /// - Throws: what reading throws.
  /// - Complexity: O(*n*) in the objects of the classes to which links lead, on several cores;
  ///   in memory for one byte an object at most.
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

  /// The objects of a class, or nil when there is no such class.
  subscript(id: ClassID) -> Objects? { objects[id] }

  /// Whether the objects of a class are embedded: each belongs to the one that links to it.
  func isEmbedded(_ id: ClassID) -> Bool { classes[id]?.isEmbedded == true }

  /// An object, as messages name it.
  func description(of id: ObjectID, in className: String?) -> String {
    let resolved = className.flatMap { ids[$0] }.flatMap { classes[$0] }
    return Sentence.object(id, resolved?.key(of: id))
  }

  /// The name of a class, or nil when there is no such class.
  func name(of id: ClassID) -> String? { ids.first { $0.value == id }?.key }

  /// The objects of the class with a name, or nil when there is no such class.
  subscript(name: String) -> Objects? { ids[name].flatMap { objects[$0] } }
}

extension LinkTargets.Objects {
  /// Whether an object is there, as far as anybody knows.
  @inline(__always)
  func contains(_ id: ObjectID, _ view: ReadView) throws -> Bool {
    switch self {
    case .known(let ids): ids.contains(id)
    case .stored(let table): try view.value(table, id.rawValue) != nil
    case .unreadable: true
    }
  }
}
