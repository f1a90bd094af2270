internal import WhimbrelLMDB

/// The old objects of a class, which can only be read.
final class OldObjects: DynamicSource {
  private let owner: MigrationClass
  let resolved: ResolvedClass
  private var cached: (id: ObjectID, batch: Int, record: PageBytes, layout: ResolvedLayout)?

  init(_ owner: MigrationClass) {
    self.owner = owner
    resolved = owner.old ?? owner.resolved
  }

  /// Keeps a record at hand that is about to be asked for.
  func prepare(_ id: ObjectID, _ record: PageBytes) throws {
    let layout = try owner.layout(of: record, id, in: resolved)
    cached = (id, owner.migrator.batch, record, layout)
  }

  func value(_ position: Int, of id: ObjectID) throws -> PropertyValue {
    try owner.migrator.requireRunning()
    let extents = owner.oldExtents(id)
    if let cached, cached.id == id, cached.batch == owner.migrator.batch {
      return try owner.explaining(id) {
        try cached.layout.value(position, of: cached.record, extents)
      }
    }
    guard let table = owner.oldTable,
      let record = try owner.migrator.oldView.value(table, id.rawValue)
    else { throw StoreError.objectDeleted(class: resolved.name, objectID: id) }
    try prepare(id, record)
    let layout = try owner.layout(of: record, id, in: resolved)
    return try owner.explaining(id) { try layout.value(position, of: record, extents) }
  }

  func set(_ position: Int, of id: ObjectID, to value: PropertyValue) throws {
    throw StoreError.oldObjectIsReadOnly(class: resolved.name, objectID: id)
  }

  func read<Result>(
    _ position: Int, of id: ObjectID, _ body: (CollectionReader) throws -> Result
  ) throws -> Result {
    try owner.migrator.requireRunning()
    guard let table = owner.oldTable,
      let record = try owner.migrator.oldView.value(table, id.rawValue)
    else { throw StoreError.objectDeleted(class: resolved.name, objectID: id) }
    return try owner.explaining(id) {
      let reader = try CollectionReader(
        position, of: record, in: resolved, owner.oldExtents(id))
      return try body(reader)
    }
  }

  func change<Result>(
    _ position: Int, of id: ObjectID, adding values: [PropertyValue],
    _ body: (inout CollectionEditor) throws -> Result
  ) throws -> Result {
    throw StoreError.oldObjectIsReadOnly(class: resolved.name, objectID: id)
  }

  func source(of className: String) throws -> any DynamicSource {
    // An old name may be that of a class which has another now.
    OldObjects(try owner.migrator.requireClass(className) { $0.old != nil })
  }

  func name(of classID: ClassID) throws -> String {
    let entry = try owner.migrator.requireClass(classID)
    return entry.old?.name ?? entry.name
  }

  func note(_ error: any Error) {
    owner.note(error)
  }
}
