internal import WhimbrelEngine

extension DumpSubset {
  /// Selects the objects that the options ask for.
  ///
  /// - Throws: ``InspectionError`` with `badSelection`, and `StoreError` with `unknownClass` or
  ///   `invalidQuery`.
  /// - Complexity: O(*n*) in the number of selected objects, plus the cost of the queries.
  init(_ options: StoreDump.Options, in session: Session) throws {
    self.init(options.outgoingLinks)
    var excluded: Set<ClassID> = []
    for name in options.excludedClasses {
      excluded.insert(try Self.selectable(session.table(name)).resolved.id)
    }
    let selected = try options.selections.map { selection in
      (table: try Self.selectable(selection.table(in: session)), selection: selection)
    }
    if options.contents == .schemaOnly { return }
    var walk = LinkWalk(session, reach: options.reach, excluded: excluded)
    if selected.isEmpty {
      for table in session.classes
      where !table.resolved.isEmbedded && !excluded.contains(table.resolved.id) {
        try insertAll(of: table, &walk)
      }
    }
    for (table, selection) in selected where !excluded.contains(table.resolved.id) {
      if selection.query.isEmpty {
        try insertAll(of: table, &walk)
      } else {
        for id in try selection.prepared(in: session).objectIDs() {
          try insert(id, of: table, &walk)
        }
      }
    }
  }

  private static func selectable(_ table: ClassTable) throws -> ClassTable {
    if table.resolved.isEmbedded { throw InspectionError.embeddedSelection(table.name) }
    return table
  }

  private mutating func insertAll(of table: ClassTable, _ walk: inout LinkWalk) throws {
    insertAll(of: table.resolved.id)
    guard walk.leads(outOf: table) else { return }
    try table.forEachRecord { id, _ in
      walk.add(id, of: table)
      try follow(&walk)
    }
  }

  private mutating func insert(
    _ id: ObjectID, of table: ClassTable, _ walk: inout LinkWalk
  ) throws {
    guard insert(id, of: table.resolved.id) else { return }
    walk.add(id, of: table)
    try follow(&walk)
  }

  /// Adds the objects that the waiting objects link to, as far as the reach goes.
  private mutating func follow(_ walk: inout LinkWalk) throws {
    while let (target, table) = try walk.next() {
      if insert(target, of: table.resolved.id) { walk.add(target, of: table) }
    }
  }
}

/// A walk from objects to the objects that they link to.
private struct LinkWalk {
  private let reach: StoreDump.Options.Reach
  private let excluded: Set<ClassID>
  private let tables: [ClassID: ClassTable]
  private let session: Session
  /// Objects whose links have not been read yet.
  private var waiting: [(table: ClassTable, id: ObjectID)] = []
  /// Objects that were found and that ``next()`` has not returned yet.
  private var found: [(id: ObjectID, table: ClassTable)] = []

  init(_ session: Session, reach: StoreDump.Options.Reach, excluded: Set<ClassID>) {
    self.session = session
    self.reach = reach
    self.excluded = excluded
    tables = session.tablesByID
  }

  /// Returns the indexes of the properties whose links are followed.
  private func positions(of table: ClassTable) -> [Int] {
    switch reach {
    case .selected: table.ownedLinks
    case .linked: table.resolved.links + table.resolved.openLinks
    }
  }

  /// Returns whether objects of a class may link to other objects.
  func leads(outOf table: ClassTable) -> Bool {
    !positions(of: table).isEmpty
      || table.pastTables.values.contains { !positions(of: $0).isEmpty }
  }

  mutating func add(_ id: ObjectID, of table: ClassTable) {
    if leads(outOf: table) { waiting.append((table, id)) }
  }

  /// Returns the next linked object, or nil at the end. An object may be returned more than once.
  mutating func next() throws -> (id: ObjectID, table: ClassTable)? {
    while found.isEmpty, let (table, id) = waiting.popLast() { try look(at: id, of: table) }
    return found.popLast()
  }

  private mutating func look(at id: ObjectID, of current: ClassTable) throws {
    guard let stored = try current.record(id) else {
      throw current.damagedRecord(id, "a link leads to it, but it does not exist")
    }
    let (table, record) = try current.reading(stored, id)
    for position in positions(of: table) {
      let target = table.resolved.properties[position].type.linkedClass.flatMap(session.find)
      for link in try table.value(position, of: record, id).linkTargets {
        switch link {
        case .object(let id):
          // Links that the class no longer has are not kept when their objects are deleted.
          guard let target, try table === current || target.record(id) != nil else { continue }
          add(found: id, of: target)
        case .reference(let reference):
          if let target = tables[reference.classID] { add(found: reference.id, of: target) }
        }
      }
    }
  }

  private mutating func add(found id: ObjectID, of table: ClassTable) {
    if !excluded.contains(table.resolved.id) { found.append((id, table)) }
  }
}
