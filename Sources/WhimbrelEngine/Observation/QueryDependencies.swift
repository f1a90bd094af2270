internal import WhimbrelLMDB

/// The properties that a query reads. Changes of other properties do not concern it.
struct QueryDependencies {
  /// A property of other objects that is read, and the steps back from them to the objects of the
  /// query.
  struct Trigger: Hashable {
    let table: ClassTable
    let position: Int
    let wayBack: [Step]
  }

  /// A step from objects back to the objects whose paths lead through them.
  enum Step: Hashable {
    /// To the objects of a class that link to an object through a property.
    case linkers(ClassTable, Int)
    /// To the objects of another class to which an object of a class links through a property,
    /// before or after the changes.
    case targets(ClassTable, Int, ClassID)
  }

  let table: ClassTable
  /// The positions of the properties of the query's own objects that are read.
  private(set) var own: Set<Int> = []
  /// The properties of other objects that are read.
  private(set) var triggers: Set<Trigger> = []

  init(of table: ClassTable) { self.table = table }

  /// - Parameter paths: The paths to the properties.
  init(of table: ClassTable, _ paths: [QueryPath]) throws {
    self.init(of: table)
    for path in paths { add(try BoundPath(path, in: table)) }
  }

  /// The classes whose changes may concern the query.
  var tables: [ClassTable] {
    var tables = [table]
    for trigger in triggers where !tables.contains(trigger.table) {
      tables.append(trigger.table)
    }
    return tables
  }

  /// Returns the positions of the properties that a query reads, by class, or nil if it may read
  /// anything.
  func propertiesRead(by query: BoundQuery) throws -> [ClassTable: Set<Int>]? {
    var read = [table: own]
    for trigger in triggers { read[trigger.table, default: []].insert(trigger.position) }
    switch query.request.source {
    case .all: break
    case .answerable: return nil
    case .collection(_, let className, let property):
      let owner = try table.session.table(className)
      read[owner, default: []].insert(try owner.resolved.requiredPosition(of: property))
    case .linking(_, let className, let property):
      read[table, default: []].insert(try table.resolved.requiredPosition(of: property))
      let target = try table.session.table(className)
      if read[target] == nil { read[target] = [] }
    }
    return read
  }
}

// MARK: - Collecting

extension QueryDependencies {
  /// - Parameter path: The path to a property that is read of each object of the query.
  /// - Throws: ``StoreError`` if a property does not exist.
  init(of query: BoundQuery, reading path: QueryPath? = nil) throws {
    self.init(of: query.table)
    if let condition = try query.condition { add(condition.test, []) }
    for stage in query.stages {
      switch stage {
      case .filter(let condition): add(condition.test, [])
      case .sort(let order), .distinct(let order):
        for key in order.keys { try add(BoundPath(key.path, in: table)) }
      case .offset, .limit: break
      }
    }
    if let path { add(try BoundPath(path, in: table)) }
  }

  private mutating func add(_ path: BoundPath) { _ = add(path, []) }

  /// Adds a property of the objects of the query.
  mutating func add(_ position: Int) { own.insert(position) }

  /// Adds the properties on a path, and returns the steps back from its end.
  private mutating func add(_ path: BoundPath, _ start: [Step]) -> [Step] {
    var way = start
    for step in path.steps {
      switch step.kind {
      case .value(let position), .elements(let position), .element(let position, _),
        .names(let position):
        add(step.table, position, way)
        way.insert(.linkers(step.table, position), at: 0)
      case .sources(let other, let position):
        way.insert(.targets(other, position, step.table.resolved.id), at: 0)
        add(other, position, way)
      case .member, .memberNames: break
      }
    }
    return way
  }

  private mutating func add(_ table: ClassTable, _ position: Int, _ wayBack: [Step]) {
    if wayBack.isEmpty {
      own.insert(position)
    } else {
      triggers.insert(
        Trigger(
          table: table, position: position, wayBack: wayBack))
    }
  }

  private mutating func add(_ test: BoundTest, _ start: [Step]) {
    switch test {
    case .always: break
    case .and(let tests), .or(let tests): for test in tests { add(test, start) }
    case .not(let test): add(test, start)
    case .leaf(let leaf):
      add(leaf.left, start)
      if case .compare(_, let right) = leaf.kind { add(right, start) }
    }
  }

  private mutating func add(_ expression: BoundExpression, _ start: [Step]) {
    switch expression {
    case .constant, .parameter: break
    case .path(let path), .references(let path, _), .count(let path), .aggregate(_, let path):
      _ = add(path, start)
    case .matches(let path, let condition):
      add(condition.test, add(path, start))
    case .arithmetic(let left, _, let right):
      add(left, start)
      add(right, start)
    }
  }
}

// MARK: - Finding what is concerned

extension QueryDependencies {
  /// Returns the objects that changes of other objects concern, or nil if there are more than a
  /// limit.
  func linkedObjects(_ changes: StoreChanges, limit: Int) throws -> SortedIDs? {
    var found: [ObjectID] = []
    for trigger in triggers {
      let classChanges = try changes.of(trigger.table)
      for change in classChanges.changes
      where classChanges.hasChanged(change, at: trigger.position) {
        guard
          let ids = try Self.follow(trigger.wayBack[...], from: change.id, changes, limit: limit)
        else { return nil }
        found += ids
        if found.count > limit { return nil }
      }
    }
    return SortedIDs(found)
  }

  private static func follow(
    _ way: ArraySlice<Step>, from id: ObjectID, _ changes: StoreChanges, limit: Int
  ) throws -> SortedIDs? {
    var ids: SortedIDs = [id]
    for step in way {
      var next: [ObjectID] = []
      for id in ids {
        switch step {
        case .linkers(let table, let position):
          guard let target = table.resolved.properties[position].type.linkedClass,
            let targetClass = changes.session.find(target)
          else {
            // A value of any type may link to objects of any class, but no path continues from
            // there.
            continue
          }
          next += try changes.after.sources(
            table, position, linkingTo: id, of: targetClass.resolved.id)
        case .targets(let table, let position, let classID):
          for source in [changes.before, changes.after] {
            guard let record = try source.record(table, id) else { continue }
            let value = try source.value(table, position, of: record, id)
            next += value.objects(of: classID)
          }
        }
        if next.count > limit { return nil }
      }
      ids = SortedIDs(next)
    }
    return ids
  }
}

extension PropertyValue {
  /// Returns the objects of a class to which the value or its elements link.
  func objects(of classID: ClassID) -> [ObjectID] {
    linkTargets.compactMap { target in
      switch target {
      case .object(let id): id
      case .reference(let reference): reference.classID == classID ? reference.id : nil
      }
    }
  }
}
