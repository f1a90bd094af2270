internal import WhimbrelEngine

/// One of two compared stores. It translates values to the form that can be compared.
struct StoreSide {
  let session: Session
  private let byName: [String: ClassSide]
  private let byID: [ClassID: ClassSide]

  /// The limit of nested embedded objects. Deeper objects are compared by name.
  private static let depthLimit = 64

  /// The facts needed to name the objects of a class and to read embedded objects.
  struct ClassSide {
    let table: ClassTable
    /// The shared name of the class.
    let name: String
    /// Whether objects are named by their primary keys.
    let hasKeys: Bool
    /// The properties if the class is embedded in both stores, otherwise nil.
    let parts: [PropertyPair]?
    /// Whether this is the old side of the pairs.
    let isOld: Bool
  }

  init(_ session: Session, _ classes: [ClassSide]) {
    self.session = session
    byName = Dictionary(classes.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    byID = Dictionary(classes.map { ($0.table.resolved.id, $0) }, uniquingKeysWith: { $1 })
  }

  /// Creates one side of two stores.
  init(_ session: Session, _ pairs: [ClassPair], isOld: Bool) {
    self.init(
      session,
      pairs.compactMap { pair in
        (isOld ? pair.old : pair.new).map { table in
          ClassSide(
            table: table, name: pair.name, hasKeys: pair.order == .primaryKey,
            parts: pair.isEmbedded && !pair.isOneSided ? pair.properties : nil, isOld: isOld)
        }
      })
  }

  /// Creates a side for the states of one store before and after a change.
  init(_ session: Session) {
    self.init(
      session,
      session.classes.map { table in
        let parts = table.resolved.properties.enumerated().map { PropertyPair($1, at: $0) }
        return ClassSide(
          table: table, name: table.name, hasKeys: table.resolved.primaryKeyIndex != nil,
          parts: table.resolved.isEmbedded ? parts : nil, isOld: false)
      })
  }

  /// Returns the ID of the class with a shared name.
  func classID(_ sharedName: String) -> ClassID? { byName[sharedName]?.table.resolved.id }

  /// Returns the name of an object, which may be missing from the store.
  func name(of id: ObjectID, _ sharedName: String) throws -> NamedObject {
    guard let side = byName[sharedName] else {
      return NamedObject(className: sharedName, key: nil, id: id)
    }
    return try name(of: id, side)
  }

  private func name(of id: ObjectID, _ side: ClassSide) throws -> NamedObject {
    guard side.hasKeys, let position = side.table.resolved.primaryKeyIndex,
      let record = try side.table.record(id)
    else { return NamedObject(className: side.name, key: nil, id: id) }
    let key = try side.table.value(position, of: record, id)
    return NamedObject(className: side.name, key: key, id: id)
  }
}

// MARK: - Values

extension StoreSide {
  /// Returns the value of a property in the form that can be compared.
  ///
  /// - Complexity: O(log *n*) for each link.
  func compared(_ value: PropertyValue, _ type: PropertyType) throws -> ComparedValue {
    var seen: Set<ObjectReference> = []
    return try compared(value, type, 0, &seen)
  }

  /// - Parameters:
  ///   - depth: The number of enclosing embedded objects.
  ///   - seen: The embedded objects visited so far. A damaged file may contain cycles.
  private func compared(
    _ value: PropertyValue, _ type: PropertyType, _ depth: Int, _ seen: inout Set<ObjectReference>
  ) throws -> ComparedValue {
    let element = type.elementType?.type ?? type
    switch (type, value) {
    case (.any, _): return try any(value)
    case (_, .link(let id)): return try link(id, element, depth, &seen)
    case (.set, .list(let values)):
      return .set(try values.map { try compared($0, element, depth, &seen) })
    case (_, .list(let values)):
      return .list(try values.map { try compared($0, element, depth, &seen) })
    case (_, .map(let values)):
      return .map(
        try values.inDumpOrder.map { name, value in
          ComparedValue.Member(name: name, value: try compared(value, element, depth, &seen))
        })
    default: return .scalar(value)
    }
  }

  private func link(
    _ id: ObjectID, _ type: PropertyType, _ depth: Int, _ seen: inout Set<ObjectReference>
  ) throws -> ComparedValue {
    guard let side = byName[type.linkTarget ?? ""] else { return .scalar(.link(id)) }
    let reference = ObjectReference(classID: side.table.resolved.id, id: id)
    guard let parts = side.parts, depth < Self.depthLimit, let record = try side.table.record(id),
      seen.insert(reference).inserted
    else { return .object(try name(of: id, side)) }
    try side.table.verify(record, id)
    return .embedded(
      try parts.compactMap { part in
        guard let (value, type) = try self.value(part, of: id, side) else { return nil }
        return ComparedValue.Member(
          name: part.name, value: try compared(value, type, depth + 1, &seen))
      })
  }

  /// Returns the value of a property of an embedded object, migrated to the new schema if possible,
  /// or nil if the object is not yet converted and does not have it.
  private func value(
    _ part: PropertyPair, of id: ObjectID, _ side: ClassSide
  ) throws -> (value: PropertyValue, type: PropertyType)? {
    let position = side.isOld ? part.oldPosition : part.newPosition
    guard let position, let record = try side.table.record(id) else {
      return (part.new.fill, part.new.type)
    }
    let reader = try side.table.reading(record, id).table
    guard side.table.position(position, in: reader) != nil else { return nil }
    let value = try side.table.value(position, of: record, id)
    guard side.isOld, let old = part.old else { return (value, part.new.type) }
    return part.migrated(value, classID).map { ($0, part.new.type) } ?? (value, old.type)
  }

  /// Returns a value of any type. The recursion is safe because the reader limits the nesting.
  private func any(_ value: PropertyValue) throws -> ComparedValue {
    switch value {
    case .null: .null
    case .object(let reference):
      if let side = byID[reference.classID] {
        .any(.object(try name(of: reference.id, side)))
      } else {
        .any(.scalar(value))
      }
    case .list(let values): .any(.list(try values.map(any)))
    case .map(let values):
      .any(
        .map(
          try values.inDumpOrder.map {
            ComparedValue.Member(name: $0.key, value: try any($0.value))
          }))
    default: .any(.scalar(value))
    }
  }
}
