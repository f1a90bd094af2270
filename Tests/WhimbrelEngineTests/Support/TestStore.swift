import Foundation
import Synchronization
import WhimbrelEngine
import WhimbrelLMDB
import WhimbrelTestSupport

/// A store in a folder of its own, which goes away with it.
final class TestStore: Sendable {
  let path: String
  private let folder: URL

  /// Makes a store and fills it.
  init(
    _ classes: [ClassSchema], version: SchemaVersion = 1,
    fill: (Session) throws -> Void = { _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "whimbrel-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "Test.whimbrel").path
    let session = try Session(open(classes, version: version))
    try session.write { try fill(session) }
  }

  /// Copies a store that nobody has open, into a folder of its own.
  init(copying original: String, to parent: String? = nil) throws {
    let parent = parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    folder = parent.appending(path: "whimbrel-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appending(path: "Test.whimbrel").path
    try FileManager.default.copyItem(atPath: original, toPath: path)
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The classes as an open request declares them.
  static func request(
    _ path: String, _ classes: [ClassSchema], version: SchemaVersion,
    migration: MigrationBlock? = nil
  ) -> OpenRequest {
    var request = OpenRequest(path: path)
    request.declaration = Declaration(StoreSchema(classes: classes))
    request.schemaVersion = version
    request.migration.block = migration
    return request
  }

  /// Opens the store with a schema, which migrates it if it has another.
  @discardableResult
  func open(
    _ classes: [ClassSchema], version: SchemaVersion, _ migration: MigrationBlock? = nil
  ) throws -> StoreFile {
    try StoreFile.open(Self.request(path, classes, version: version, migration: migration))
  }

  /// Opens the store with a schema, and reports how far that is.
  @discardableResult
  func open(
    _ classes: [ClassSchema], version: SchemaVersion, migration: MigrationBlock?,
    progress: @escaping @Sendable (MigrationProgress) -> MigrationProgress.Response
  ) throws -> StoreFile {
    var request = Self.request(path, classes, version: version, migration: migration)
    request.migration.progress = progress
    return try StoreFile.open(request)
  }

  /// What opening the store with a schema would do.
  func plan(_ classes: [ClassSchema], version: SchemaVersion) throws -> MigrationPlan {
    let request = Self.request(path, classes, version: version)
    return try StoreFile.migrationPlan(request, Declaration(StoreSchema(classes: classes)))
  }

  /// What opening the store with a schema would trip over.
  func check(_ classes: [ClassSchema], version: SchemaVersion = 2) throws -> [MigrationFinding] {
    let notes = Notes<MigrationFinding>()
    let request = Self.request(path, classes, version: version)
    try StoreFile.checkMigration(request, plan(classes, version: version)) { finding in
      notes.add(finding)
      return true
    }
    return notes.all
  }

  /// Opens the store as it is, whatever is declared.
  func session() throws -> Session {
    try Session(StoreFile.open(OpenRequest(path: path)))
  }

  /// What the file holds now.
  func contents() throws -> StoreContents { try StoreContents(session()) }

  /// What does not agree in the file.
  func findings() throws -> [String] { try IntegrityCheck.run(session()).map(\.description) }

  /// The names of the tables that the file has.
  func tableNames() throws -> Set<String> {
    Set(try StoreFile.open(OpenRequest(path: path)).environment.tableNames())
  }

  /// The size of the file.
  func size() throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  /// Writes in a session of its own.
  func write(_ body: (Session) throws -> Void) throws {
    let session = try session()
    try session.write { try body(session) }
  }
}

/// Everything that a store says of itself and its objects.
struct StoreContents: Hashable {
  typealias Object = [String: PropertyValue]

  var version: SchemaVersion
  var catalog: Catalog
  var objects: [String: [UInt64: Object]]

  init(_ session: Session) throws {
    version = session.loaded.header.schemaVersion
    catalog = session.loaded.catalog
    objects = [:]
    for table in session.classes {
      var found: [UInt64: Object] = [:]
      try table.forEachRecord { id, stored in
        // A session with rules sees an object that is not yet converted as it will be.
        let (reader, converted) = try table.reading(stored, id)
        let record = reader === table ? converted : stored
        var object: Object = [:]
        for (position, property) in table.resolved.properties.enumerated() {
          object[property.name] = try table.value(position, of: record, id)
        }
        found[id.rawValue] = object
      }
      objects[table.name] = found
    }
  }

  /// The same without the numbers that are given out next, which undoing a migration does
  /// not take back.
  var withoutNextNumbers: StoreContents {
    var contents = self
    contents.catalog.nextClassID = ClassID(rawValue: 0)
    for index in contents.catalog.classes.indices {
      contents.catalog.classes[index].nextGeneration = Generation(rawValue: 0)
      contents.catalog.classes[index].nextPropertyID = PropertyID(rawValue: 0)
      contents.catalog.classes[index].nextIndexID = IndexID(rawValue: 0)
    }
    return contents
  }

  /// The objects of a class in the order of their IDs.
  func list(_ className: String) -> [Object] {
    (objects[className] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  /// The values of one property in the order of the objects' IDs.
  func values(_ className: String, _ property: String) -> [PropertyValue] {
    list(className).map { $0[property] ?? "missing" }
  }

  /// Which table has the objects of a class.
  func generation(_ className: String) -> UInt32? { catalog[className]?.generation.rawValue }

  /// The names of the tables that the catalog says there are.
  var tableNames: Set<String> { Set(catalog.tableNames.map(\.name)) }
}

extension Session {
  /// Creates an object.
  @discardableResult
  func create(_ className: String, _ values: [String: PropertyValue]) throws -> ObjectID {
    try table(className).create(values, replacing: false)
  }
}

extension ClassSchema {
  init(_ name: String, _ properties: PropertySchema...) {
    self.init(name: name, properties: properties)
  }
}

extension PropertySchema {
  static func required(
    _ name: String, _ type: PropertyType, default value: PropertyValue? = nil, was: String...
  ) -> PropertySchema {
    PropertySchema(
      name: name, type: type, defaultValue: value.map(PropertyDefault.value) ?? .none,
      previousNames: was)
  }

  static func optional(_ name: String, _ type: PropertyType, was: String...) -> PropertySchema {
    PropertySchema(name: name, type: type, isOptional: true, previousNames: was)
  }

  static func key(_ name: String, _ type: PropertyType = .int, was: String...) -> PropertySchema {
    PropertySchema(name: name, type: type, isPrimaryKey: true, previousNames: was)
  }

  static func indexed(
    _ name: String, _ type: PropertyType, default value: PropertyValue? = nil
  ) -> PropertySchema {
    PropertySchema(
      name: name, type: type, isIndexed: true,
      defaultValue: value.map(PropertyDefault.value) ?? .none)
  }

  static func link(_ name: String, to target: String) -> PropertySchema {
    PropertySchema(name: name, type: .link(to: target))
  }
}

/// Something that blocks and callbacks, which may run anywhere, write down.
final class Notes<Item: Sendable>: Sendable {
  private let storage = Mutex<[Item]>([])

  func add(_ item: Item) { storage.withLock { $0.append(item) } }

  var all: [Item] { storage.withLock { $0 } }
  var count: Int { storage.withLock { $0.count } }
}

extension SeededGenerator {
  /// Whether something that happens once in `n` times happens.
  mutating func once(in n: Int) -> Bool { Int.random(in: 0..<n, using: &self) == 0 }
}

/// An error that a migration block throws.
struct BlockError: Error, Equatable {
  var reason = "no"
}

/// The error that something throws, as a ``StoreError``, or nil.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error as? StoreError
  }
}
