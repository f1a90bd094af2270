package import Foundation
internal import WhimbrelLMDB

/// A store without its objects and independent of the file layout: schema, identity and history.
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

  package struct ClassShape: Sendable {
    package var schema: ClassSchema
    /// Whether the code declares the class.
    package var isDeclared: Bool
    /// Whether object IDs are the integer primary keys.
    package var isClustered: Bool

    package init(schema: ClassSchema, isDeclared: Bool, isClustered: Bool) {
      self.schema = schema
      self.isDeclared = isDeclared
      self.isClustered = isClustered
    }
  }
}

/// A builder that fills a new store under a temporary name. The store gets its real name when it is
/// complete.
///
/// Invariant: the builder puts no file at the store's own path before ``finish()``, and no file is
/// left at the temporary path after the builder has gone.
package final class StoreBuilder {
  package let path: String
  private let temporary: TemporaryFile
  private var openSession: Session?

  /// Creates an empty store of a shape, ready to be filled.
  ///
  /// - Throws: ``StoreError`` with `invalidSchema`, or with the code for a path where no file can
  ///   be created. Only ``finish()`` reports an existing file.
  package convenience init(path: String, shape: StoreShape) throws {
    try StoreSchema(classes: shape.classes.map(\.schema)).validate()
    let (catalog, header) = shape.firstCatalog()
    try self.init(path: path, catalog: catalog, header: header)
  }

  /// Creates an empty store with a catalog.
  ///
  /// - Parameter header: The header to write. Its format version and catalog checksum are ignored
  ///   and computed anew.
  init(path: String, catalog: Catalog, header: Header) throws {
    var request = OpenRequest(path: path)
    request.declaration = Declaration(catalog.schema)
    _ = try FilePreflight.isMissing(request)
    self.path = path
    temporary = try FilePreflight.explaining(request) { try TemporaryFile(.new, beside: path) }
    do {
      // A power loss before `finish()` leaves no store, so only the last step has to wait for the
      // disk.
      request.path = temporary.path
      var options = request.options
      options.syncsCommits = false
      try Environment.create(path: temporary.path, options: options) { environment in
        try environment.writeFirst(catalog, header)
      }
      let lease = try Environment.open(path: temporary.path, options: options)
      // Errors show the path that the caller asked for.
      openSession = try Session(StoreFile(path: path, isReadOnly: false, lease: lease))
    } catch {
      request.path = path
      throw (error as? LMDBError).map { FilePreflight.explain($0, request) } ?? error
    }
  }

  deinit {
    openSession = nil
    temporary.remove()
  }

  /// Returns the session to fill the store with. Do not keep it or its class tables.
  package func session() throws -> Session {
    guard let openSession else { throw StoreError.storeClosed(path: path) }
    return openSession
  }

  /// Waits until the store is on the disk, then gives it its name.
  ///
  /// - Returns: Whether the store got its name; false means that another file already has it.
  package func finish() throws -> Bool {
    let session = try session()
    try session.file.explaining { try session.file.environment.sync() }
    session.close()
    // Closed before the store gets its name: an opener by that name uses another lock file.
    openSession = nil
    return try StoreError.naming(path) {
      try Environment.giveName(path, to: temporary.path) { () throws(LMDBError) in
        try FilePreflight.syncFolder(of: path)
      }
    }
  }
}

extension Environment {
  /// Writes the catalog and the header of a new file, and creates the tables.
  ///
  /// - Parameter state: The state of the transition, or nil.
  func writeFirst(_ catalog: Catalog, _ header: Header, transition state: [UInt8]? = nil) throws {
    let catalog = catalog.guarded
    var header = header
    _ = try createTables(catalog.tableNames)
    header.setFormat(isInTransition: catalog.isInTransition)
    let (json, newHeader) = (try catalog.json(), header)
    try write { view throws(LMDBError) in
      _ = try view.put(catalog: json, newHeader)
      if let state { try view.put(.main, MainKey.transition, state) }
    }
  }
}

extension StoreShape {
  /// Returns the first catalog of the store, and its header.
  ///
  /// - Parameter fingerprint: The fingerprint of the classes, if it is known.
  func firstCatalog(fingerprint: Fingerprint? = nil) -> (Catalog, Header) {
    let salt = ChecksumSalt(of: uuid)
    var catalog = Catalog()
    for (index, shape) in classes.enumerated() {
      let draft = ClassDraft(
        old: nil, declared: shape.schema, id: ClassID(rawValue: UInt32(index + 1)),
        salt: salt)
      var entry = draft.entry(isRewritten: false)
      entry.isDeclared = shape.isDeclared
      entry.isClustered = shape.isClustered && draft.canBeClustered
      catalog.classes.append(entry)
    }
    catalog.nextClassID = ClassID(rawValue: UInt32(classes.count + 1))
    catalog.history = history
    let header = Header(
      schemaVersion: schemaVersion, catalogRevision: 1,
      fingerprint: fingerprint ?? catalog.schema.fingerprint, uuid: uuid, creation: creation,
      lastWriter: Header.writerName)
    return (catalog, header)
  }
}

extension ClassTable {
  /// Returns the next object ID that the file records, or nil if it records none.
  package func nextObjectIDInFile() throws -> UInt64? {
    try session.view.nextObjectID(of: resolved.id)
  }

  /// Sets the next object ID. It takes effect with the commit of the current write.
  package func setNextObjectID(_ next: UInt64) throws {
    _ = try session.requireWriting("load objects")
    nextObjectID = next
  }
}
