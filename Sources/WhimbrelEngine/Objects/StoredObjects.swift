internal import WhimbrelLMDB

/// The objects of a class in a store, accessed by property name.
package final class StoredObjects: DynamicSource {
  private let session: Session
  /// The table of the class when it was used last. Another class may get its name.
  private var known: ClassTable
  private var name: String { known.name }

  package convenience init(_ session: Session, _ className: String) throws {
    self.init(session, try session.table(className))
  }

  /// - Parameter table: The table of the class, also one that the session no longer shows.
  package init(_ session: Session, _ table: ClassTable) {
    self.session = session
    known = table
  }

  /// Returns the object with an ID without checking that it exists.
  package func object(_ id: ObjectID) -> DynamicObject { DynamicObject(self, id) }

  /// The objects of the class that has the name now: these, unless another store has given the name
  /// to another class.
  package var present: StoredObjects {
    guard current == nil, let table = session.find(name) else { return self }
    return StoredObjects(session, table)
  }

  /// The table that shows the objects now, or nil if their class has gone.
  private var current: ClassTable? {
    guard let table = session.current(known) else { return nil }
    known = table
    return table
  }

  /// Returns the table of the class.
  ///
  /// - Parameter id: The object that the table is needed for.
  /// - Throws: ``StoreError`` with `unknownClass` if another store has removed the class, or with
  ///   `objectDeleted` if another class has its name.
  func table(of id: ObjectID) throws -> ClassTable {
    try session.requireOpen()
    guard let table = current else { throw session.missingClass(of: id, in: known) }
    return table
  }

  var resolved: ResolvedClass {
    // Another store may remove a class that this one does not declare. The class is then described
    // as it was, and reading or changing an object throws.
    (current ?? known).resolved
  }

  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    let table = try table(of: id)
    return try session.file.explaining {
      guard let record = try table.record(id) else {
        throw table.resolved.deleted(id)
      }
      return try table.value(position, of: record, id)
    }
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    let table = try table(of: id)
    _ = try session.requireWriting("change '\(name)'")
    let property = table.resolved.properties[position]
    if property.isPrimaryKey {
      throw StoreError.primaryKeyIsFixed(class: name, property: property.name)
    }
    for target in value.linkTargets { try session.requireTarget(target, of: property, in: name) }
    try table.set(id, at: position) { encoder in try encoder.set(position, value) }
  }

  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try session.file.explaining { try table(of: id).readCollection(position, of: id, body) }
  }

  func element(_ position: Int, _ value: PropertyValue) throws -> PropertyValue? {
    try session.requireOpen()
    let property = resolved.properties[position]
    for target in value.linkTargets { try session.requireTarget(target, of: property, in: name) }
    return value
  }

  func change<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    try table(of: id).editCollection(position, of: id, body)
  }

  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    // The class of the target may have gone, and another may have its name.
    guard session.find(classID) != nil else { return [] }
    return try session.file.explaining {
      try table(of: target).sources(position, linkingTo: target, of: classID).map(\.id)
    }
  }

  func source(of className: String) throws -> any DynamicSource {
    className == name ? present : try StoredObjects(session, className)
  }

  func name(of classID: ClassID) throws -> String { try session.table(classID).name }

  func note(_ error: any Error) { session.note(error) }

  func session(writing id: ObjectID) throws -> Session {
    try session.requireOpen()
    return session
  }

  var home: AnyObject { session.home }
}
