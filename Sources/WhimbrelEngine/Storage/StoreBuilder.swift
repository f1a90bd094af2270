package import Foundation
internal import WhimbrelLMDB

/// What a store is made of beside its objects: everything that is not a matter
/// of how the file lays it out.
package struct StoreShape: Sendable {
  package var schemaVersion: SchemaVersion
  package var uuid: UUID
  package var creation: Date
  package var classes: [ClassShape]
  package var history: [MigrationHistoryEntry]

  package init(
    schemaVersion: SchemaVersion, uuid: UUID, creation: Date, classes: [ClassShape],
    history: [MigrationHistoryEntry]
  ) {
    self.schemaVersion = schemaVersion
    self.uuid = uuid
    self.creation = creation
    self.classes = classes
    self.history = history
  }

  /// A class of a store.
  package struct ClassShape: Sendable {
    package var schema: ClassSchema
    /// Whether the code declares the class.
    package var isDeclared: Bool
    /// Whether the object IDs are the integer primary keys.
    package var isClustered: Bool

    package init(schema: ClassSchema, isDeclared: Bool, isClustered: Bool) {
      self.schema = schema
      self.isDeclared = isDeclared
      self.isClustered = isClustered
    }
  }
}

/// A store in the making: its file has a temporary name, beside the one that it
/// gets when it is complete.
///
/// Invariant: nothing stands under the store's own path before ``finish()`` has
/// returned, and nothing under the temporary one after the builder has gone.
package final class StoreBuilder {
  package let path: String
  private let temporaryPath: String
  private var openSession: Session?

  /// Makes an empty store of a shape, ready to be filled.
  ///
  /// - Throws: ``StoreError`` with `invalidSchema`, or for a path where no file
  ///   can be made. A file that is there already shows in ``finish()`` only.
  package convenience init(path: String, shape: StoreShape) throws {
    try StoreSchema(classes: shape.classes.map(\.schema)).validate()
    let (catalog, header) = shape.firstCatalog
    try self.init(path: path, catalog: catalog, header: header)
  }

  /// Makes an empty store with a catalog.
  ///
  /// - Parameter header: what it says of the catalog's format and checksum does not count.
  init(path: String, catalog: Catalog, header: Header) throws {
    var request = OpenRequest(path: path)
    request.declaration = Declaration(catalog.schema)
    _ = try FilePreflight.isMissing(request)
    self.path = path
    temporaryPath = TemporaryFiles(path: path).newPath(.new)
    do {
      // A loss of power leaves no store: only the last step has to wait for the
      // disk.
      request.path = temporaryPath
      var options = request.options
      options.syncsCommits = false
      try Environment.create(path: temporaryPath, options: options) { environment in
        try Self.write(catalog, header, to: environment)
      }
      let lease = try Environment.open(path: temporaryPath, options: options)
      // Errors are about the path that was asked for.
      openSession = try Session(StoreFile(path: path, isReadOnly: false, lease: lease))
    } catch {
      request.path = path
      throw (error as? LMDBError).map { FilePreflight.explain($0, request) } ?? error
    }
  }

  deinit {
    openSession = nil
    removeTemporaryFiles()
  }

  /// What fills the store. It and its classes must not be kept.
  package func session() throws -> Session {
    guard let openSession else { throw StoreError.storeClosed(path: path) }
    return openSession
  }

  /// Waits until the store is on the disk and gives it its name.
  ///
  /// - Returns: whether it has got the name; if not, a file has it already.
  package func finish() throws -> Bool {
    let session = try session()
    do {
      try session.file.environment.sync()
    } catch {
      throw session.file.explain(error)
    }
    session.close()
    // Closed before the name is given: whoever opens the store by its name has
    // another lock file.
    openSession = nil
    guard unsafe link(temporaryPath, path) == 0 else {
      if errno == EEXIST { return false }
      throw StoreError.describing(
        LMDBError(code: .init(rawValue: errno), function: "link"), path: path)
    }
    FilePreflight.syncFolder(of: path)
    return true
  }

  private static func write(
    _ catalog: Catalog, _ header: Header, to environment: Environment
  ) throws {
    var header = header
    _ = try environment.createTables(catalog.classes.flatMap(\.tableNames))
    header.setFormat(for: catalog)
    let (json, newHeader) = (try catalog.json(), header)
    try environment.write { view throws(LMDBError) in
      _ = try view.put(catalog: json, newHeader)
    }
  }

  private func removeTemporaryFiles() {
    unsafe unlink(temporaryPath)
    unsafe unlink(temporaryPath + "-lock")
  }
}

extension StoreShape {
  /// The first catalog of a store, and its header.
  fileprivate var firstCatalog: (Catalog, Header) {
    var catalog = Catalog()
    for (index, shape) in classes.enumerated() {
      let draft = ClassDraft(
        old: nil, declared: shape.schema, id: ClassID(rawValue: UInt32(index + 1)))
      var entry = draft.entry(isRewritten: false)
      entry.isDeclared = shape.isDeclared
      entry.isClustered = shape.isClustered && draft.canBeClustered
      catalog.classes.append(entry)
    }
    catalog.nextClassID = ClassID(rawValue: UInt32(classes.count + 1))
    catalog.history = history
    let header = Header(
      schemaVersion: schemaVersion, catalogRevision: 1,
      fingerprint: Declaration(catalog.schema).fingerprint, uuid: uuid, creation: creation,
      lastWriter: Header.writerName)
    return (catalog, header)
  }
}

extension ClassTable {
  /// The object ID that the file says is given out next, or nil when it says
  /// none.
  package func nextObjectIDInFile() throws -> UInt64? {
    let key = MainKey.nextObjectID(resolved.id)
    guard let bytes = try session.view.value(.main, key), bytes.count == 8 else { return nil }
    return UInt64(littleEndian: bytes.load(UInt64.self, at: 0))
  }

  /// Says which object ID is given out next, from the commit of this write on.
  package func setNextObjectID(_ next: UInt64) throws {
    _ = try session.requireWriting("load objects")
    nextObjectID = next
  }
}
