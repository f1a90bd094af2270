internal import Foundation
internal import WhimbrelEngine

/// A dump of a store as a folder with one file per class, made for review in Git: a change to one
/// object changes one line.
///
/// ```swift
/// try FolderDump(inspector).write(to: "zones", replacing: .replaced)
/// ```
///
/// | file | content |
/// |---|---|
/// | `store.json` | the members of a dump's first line except `schema`, see ``StoreDump``: for each class the number of objects and the next object ID, and the migration history |
/// | `schema.json` | the schema as `whimbrel schema --json` writes it, see ``SchemaExport`` |
/// | `Zone.jsonl` | the objects of a class as lines of a dump, sorted by primary key, or by object ID if there is no primary key |
///
/// The same objects give the same bytes. ``DumpSource/folder(at:)`` reads the folder.
public struct FolderDump {
  private let dump: StoreDump
  private let monitor: WorkMonitor

  /// Creates a dump of a store.
  ///
  /// - Parameters:
  ///   - inspector: The store.
  ///   - options: The objects to dump. The default is all.
  ///   - monitor: Receives the progress.
  public init(
    _ inspector: StoreInspector, _ options: StoreDump.Options = StoreDump.Options(),
    monitor: WorkMonitor = .silent
  ) {
    dump = StoreDump(inspector, options)
    self.monitor = monitor
  }

  /// Writes the folder under a temporary name beside `path`, then renames it: the folder is
  /// complete or does not exist.
  ///
  /// With ``DumpFile/Existing/replaced``, an existing dump is replaced file by file, and other
  /// files in the folder stay. Meanwhile `store.json` says that the dump is unfinished, and the new
  /// one is moved in last. An interrupted replacement is therefore never read as a dump, and can be
  /// repeated.
  ///
  /// - Parameters:
  ///   - path: The path of the folder.
  ///   - existing: What happens to a dump that already exists there.
  /// - Throws: ``InspectionError`` with `fileExists`, `cannotWrite`, `cancelled`, `badSelection` or
  ///   `linkLeadsOut`, and `StoreError` for a damaged object.
  /// - Complexity: O(*n* log *n*). Memory: the object IDs of one class.
  public func write(to path: String, replacing existing: DumpFile.Existing) throws {
    // Without trailing slashes, so that the temporary folder is created beside the folder, not
    // inside it.
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let before = try previous(at: path, existing)
    let file = try TemporaryFile.new(beside: path)
    defer { file.remove() }
    let temporary = file.path
    guard unsafe mkdir(temporary, 0o777) == 0 else {
      throw InspectionError.cannotWrite(path, number: errno)
    }
    let names = try dump.inspector.explaining { try writeFiles(in: temporary, of: path) }
    if let before {
      return try FolderReplacement(folder: path, old: before).run(with: names, from: temporary)
    }
    guard unsafe rename(temporary, path) == 0 else {
      throw InspectionError.cannotWrite(path, number: errno)
    }
    try TemporaryFile.syncFolder(of: path)
  }

  /// Returns the header of the existing dump, or nil if there is nothing or an empty folder. Throws
  /// if the path holds anything else.
  private func previous(at path: String, _ existing: DumpFile.Existing) throws -> FolderHeader? {
    var isFolder: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return nil
    }
    let contents = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    if isFolder.boolValue, contents.isEmpty { return nil }
    guard isFolder.boolValue, let header = FolderHeader(folder: path) else {
      throw InspectionError.foreignFolder(path)
    }
    if existing == .refused { throw InspectionError.existingFolder(path) }
    return header
  }
}

// MARK: - The files

extension FolderDump {
  /// Writes all files. Returns their names with `store.json` last.
  ///
  /// - Parameter path: The path that the folder gets, which errors show.
  private func writeFiles(in folder: String, of path: String) throws -> [String] {
    let inspector = dump.inspector
    let subset = dump.options.isWhole ? nil : try DumpSubset(dump.options, in: inspector.session)
    let tables = inspector.tables
    let classes = DumpClasses(tables)
    var names = FolderLayout.fileNames(ofClasses: tables.map(\.name))
    for (table, name) in zip(tables, names) {
      try write(name, in: folder, of: path) { write in
        try writeObjects(of: table, ObjectLine(table, classes, subset), subset, write)
      }
    }
    let header = try dump.header(subset)
    let parts = [
      (FolderLayout.schemaName, try header.schema.json()),
      (FolderLayout.storeName, try Coding.encoder(isPretty: true).encode(FolderHeader(header))),
    ]
    for (name, json) in parts {
      try write(name, in: folder, of: path) { write in
        try write(Array(json) + [0x0A])
      }
      names.append(name)
    }
    return names
  }

  private func write(
    _ name: String, in folder: String, of path: String,
    _ body: (_ write: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    try DumpFile.write(
      to: "\(folder)/\(name)", describedAs: "\(path)/\(name)", replacing: .refused, body)
  }

  private func writeObjects(
    of table: ClassTable, _ line: ObjectLine, _ subset: DumpSubset?,
    _ write: ([UInt8]) throws -> Void
  ) throws {
    try withoutActuallyEscaping(write) { write in
      var output = DumpOutput(write)
      let total = try subset?.count(of: table) ?? table.count()
      var done = 0
      for id in try objectIDs(of: table) where subset?.contains(id, of: table.resolved.id) ?? true {
        guard let record = try table.record(id) else { continue }
        try line.append(id, record, to: &output.writer)
        try output.flush()
        done += 1
        if done % 1_000 == 0 || done == total { try report(done, of: total, table) }
      }
      try output.flush(atLeast: 1)
    }
  }

  private func report(_ done: Int, of total: Int, _ table: ClassTable) throws {
    try monitor.update(
      "Dumping \(table.name)", done, of: total,
      orThrow: InspectionError.cancelled(dump.inspector.path, "dump the store"))
  }

  /// Returns the object IDs in the order of the primary keys, or of the IDs if there is no key.
  private func objectIDs(of table: ClassTable) throws -> [ObjectID] {
    guard let position = table.resolved.primaryKeyIndex, !table.resolved.isClustered else {
      return try table.objectIDs()
    }
    let key = QuerySortKey(QueryPath(table.resolved.properties[position].name))
    let request = QueryRequest(table.name, [.sort([key])])
    return try BoundQuery(request, in: table.session).objectIDs()
  }
}
