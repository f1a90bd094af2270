internal import WhimbrelEngine
internal import WhimbrelInspection
internal import WhimbrelLMDB

/// Reads a store in every way that the engine has, and writes to it.
struct StoreReading {
  let session: Session
  /// What the objects have, by their classes and IDs, or nil when that is not known.
  var contents: Contents?
  /// The number of objects of a class that are read one by one. All are read by the checks.
  private static let objectLimit = 6

  /// The values of objects as text, by class and object.
  typealias Contents = [String: [ObjectID: [String]]]

  /// Returns what the objects of a store have.
  static func contents(of request: OpenRequest) throws -> Contents {
    let session = try Session(StoreFile.open(request))
    defer { session.close() }
    var contents: Contents = [:]
    for table in session.classes {
      for id in try table.objectIDs() {
        guard let record = try table.record(id) else { continue }
        contents[table.name, default: [:]][id] = try table.resolved.properties.indices.map {
          try table.value($0, of: record, id).printed()
        }
      }
    }
    return contents
  }

  /// What is done with a store. An input says which, so that most take little time.
  enum Part: UInt8, CaseIterable {
    case objects, writes, queries, checks, all

    /// Makes the part that a number of an input stands for.
    init(_ number: UInt8) { self = Part(rawValue: number % 4) ?? .all }
  }

  /// Opens a store as a request says, and does a part of what is to be done.
  static func open(_ request: OpenRequest, _ part: Part = .all, contents: Contents? = nil) {
    FuzzTargets.attempt {
      let session = try Session(StoreFile.open(request))
      defer { session.close() }
      StoreReading(session: session, contents: contents).run(part)
    }
  }

  func run(_ part: Part) {
    if part == .objects || part == .all {
      for table in session.classes { readTable(table) }
    }
    if part == .queries || part == .all {
      for table in session.classes { queries(of: table) }
    }
    if part == .checks || part == .all { checks() }
    if part == .writes || part == .all, !session.file.isReadOnly { writeSome() }
    attempt { _ = try session.refresh() }
  }

  /// Runs `body`, and explains its errors as a store does.
  @discardableResult
  private func attempt<Result>(_ body: () throws -> Result) -> Result? {
    FuzzTargets.attempt(explain: session.file.explain, body)
  }

  private func readTable(_ table: ClassTable) {
    attempt { _ = try table.count() }
    attempt { try readObjects(of: table) }
    attempt { _ = try table.firstDanglingLink() }
    attempt { _ = try table.pageCount() }
  }

  private func checks() {
    attempt { _ = try session.damage() }
    attempt { _ = try IntegrityCheck.run(session) }
    attempt { _ = try session.file.statistics() }
  }

  private func readObjects(of table: ClassTable) throws {
    for id in try table.objectIDs().prefix(Self.objectLimit) {
      attempt { try readObject(id, of: table) }
    }
    try table.forEachRecord { id, record in attempt { try table.verify(record, id) } }
  }

  private func readObject(_ id: ObjectID, of table: ClassTable) throws {
    guard let record = try table.record(id) else { return }
    for (position, property) in table.resolved.properties.enumerated() {
      attempt {
        let value = try table.value(position, of: record, id)
        let text = value.printed()
        if let contents {
          require(
            contents[table.name]?[id]?[position] == text,
            "a value that is read is the one that was written")
        }
        if property.isPrimaryKey { _ = try table.find(value) }
        if property.hasIndex { _ = try table.find(position, equalTo: value, upTo: 4) }
      }
      if property.type.isCollection { attempt { try readElements(position, of: id, in: table) } }
    }
    for source in session.classes {
      for position in source.resolved.links
      where source.resolved.properties[position].type.linkedClass == table.name {
        attempt { _ = try source.sources(position, linkingTo: id, of: table.resolved.id) }
      }
    }
    attempt { _ = try table.linkCount(to: id) }
  }

  private func readElements(_ position: Int, of id: ObjectID, in table: ClassTable) throws {
    try table.readCollection(position, of: id) { reader in
      for index in [0, 1, reader.count / 2, reader.count - 1]
      where (0..<reader.count).contains(index) {
        let value = try reader.value(at: index)
        switch table.resolved.properties[position].type {
        case .set: _ = try reader.place(of: value)
        case .map: _ = try reader.value(ofName: reader.name(at: index))
        default: break
        }
        let leaf = try reader.leaf(containing: index)
        _ = leaf.bits?[index]
        _ = try leaf.value(at: index)
      }
      try reader.forEachContent { name, content in _ = (name?.count, content?.count) }
    }
  }

  private func queries(of table: ClassTable) {
    for property in table.resolved.properties {
      let name = "`\(property.name)`"
      let texts =
        property.type.isCollection
        ? ["\(name).@count > 1", "ANY \(name) == nil"]
        : ["\(name) != nil SORT(\(name) DESC) LIMIT(5)", "\(name) == nil"]
      for text in texts {
        attempt {
          let request = try QueryRequest(
            table.name, parsing: text, in: session.loaded.catalog.schema)
          _ = try BoundQuery(request, in: session).objectIDs()
        }
      }
    }
  }

  /// Runs `body` in a write of its own, or in the one that has begun.
  private func write(_ body: () throws -> Void) throws {
    if session.isWriting { try body() } else { try session.write(body) }
  }

  /// Changes, copies, adds and removes objects, each in a write of its own.
  private func writeSome() {
    for table in session.classes {
      let ids = attempt { try table.firstObjectIDs(3) } ?? []
      for id in ids { attempt { try write { try rewrite(id, of: table) } } }
      for (position, property) in table.resolved.properties.enumerated()
      where property.type.isCollection {
        for id in ids { attempt { try write { try edit(position, of: id, in: table) } } }
      }
      attempt {
        try write {
          var values: [String: PropertyValue] = [:]
          for property in table.resolved.properties where property.isPrimaryKey {
            values[property.name] = property.type.isInteger ? 77 : "a new key"
          }
          _ = try table.create(values, replacing: true)
        }
      }
      if let id = ids.last { attempt { try write { try table.remove(id) } } }
    }
    attempt { try write { try session.classes.last?.removeAll() } }
  }

  /// Sets every property of an object to the value that it has.
  private func rewrite(_ id: ObjectID, of table: ClassTable) throws {
    guard let record = try table.record(id) else { return }
    let values = try table.resolved.properties.indices.map { try table.value($0, of: record, id) }
    for (position, value) in values.enumerated() where !value.isNull {
      try table.set(id, at: position) { encoder throws in try encoder.set(position, value) }
    }
  }

  private func edit(_ position: Int, of id: ObjectID, in table: ClassTable) throws {
    try table.editCollection(position, of: id) { editor in
      let count = try editor.count()
      guard count > 0 else { return }
      if case .list = table.resolved.properties[position].type {
        try editor.move(from: 0, to: count - 1)
        try editor.insert(editor.value(at: 0), at: count / 2)
      }
      try editor.removeSubrange(count / 2..<count / 2 + 1)
    }
  }
}
