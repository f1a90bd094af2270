internal import WhimbrelLMDB

/// The objects of a class in a store, accessed by property name.
package final class StoredObjects: DynamicSource {
  private let session: Session
  private let name: String
  package var className: String { name }

  package init(_ session: Session, _ className: String) throws {
    self.session = session
    name = try session.table(className).name
  }

  /// Returns the object with an ID without checking that it exists.
  package func object(_ id: ObjectID) -> DynamicObject { DynamicObject(self, id) }

  private func table() throws -> ClassTable {
    try session.requireOpen()
    return try session.table(name)
  }

  var resolved: ResolvedClass {
    // Another store may remove a class that this one does not declare. The class is then described
    // as it was, and reading or changing an object throws.
    guard let table = session.find(name) ?? session.goneTable(name) else {
      stopProgram(
        StoreError.unknownClass(class: name, known: session.classes.map(\.name)).description)
    }
    return table.resolved
  }

  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    let table = try table()
    return try session.file.explaining {
      guard let record = try table.record(id) else {
        throw table.resolved.deleted(id)
      }
      return try table.value(position, of: record, id)
    }
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    let table = try table()
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
    try session.file.explaining { try table().readCollection(position, of: id, body) }
  }

  func element(_ position: Int, _ value: PropertyValue) throws -> PropertyValue? {
    let property = try table().resolved.properties[position]
    for target in value.linkTargets { try session.requireTarget(target, of: property, in: name) }
    return value
  }

  func change<Result>(
    _ position: Int, of id: ObjectID, _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    try table().editCollection(position, of: id, body)
  }

  func sources(
    _ position: Int, linkingTo target: ObjectID, of classID: ClassID
  ) throws -> [ObjectID] {
    try session.file.explaining {
      try table().sources(position, linkingTo: target, of: classID).map(\.id)
    }
  }

  func source(of className: String) throws -> any DynamicSource {
    className == name ? self : try StoredObjects(session, className)
  }

  func name(of classID: ClassID) throws -> String { try session.table(classID).name }

  func note(_ error: any Error) { session.note(error) }

  func session(writing id: ObjectID) throws -> Session {
    try session.requireOpen()
    return session
  }

  var home: AnyObject { session.home }
}
