internal import Foundation
internal import WhimbrelLMDB

/// A new store under a temporary name. It gets its real name when it is complete, so nobody sees an
/// incomplete store, not even after a crash. A file that got no name is removed with its
/// ``TemporaryFile``.
final class NewStoreFile {
  private let path: String
  private let temporary: TemporaryFile

  /// Creates a temporary store, empty or from the request's seed.
  init(_ request: OpenRequest) throws {
    temporary = try Self.temporaryFile(request)
    path = request.path
    do {
      if let seed = request.seedPath {
        try SeedCopy(seed, request).write(to: temporary.path)
      } else {
        try Self.makeEmpty(request, at: temporary.path)
      }
    } catch {
      temporary.remove()
      throw (error as? LMDBError).map { FilePreflight.explain($0, request) } ?? error
    }
    FileStepProbe.reach(.creationWhole, path)
  }

  /// Gives the store its name, unless another file already has it.
  func takePlace() throws {
    do {
      _ = try Environment.giveName(path, to: temporary.path) { () throws(LMDBError) in
        try FilePreflight.syncFolder(of: path)
        FileStepProbe.reach(.creationNamed, path)
      }
    } catch {
      throw StoreError.describing(error, path: path)
    }
  }

  private static func temporaryFile(_ request: OpenRequest) throws -> TemporaryFile {
    do {
      return try TemporaryFile(.new, beside: request.path)
    } catch {
      throw FilePreflight.explain(error, request)
    }
  }

  private static func makeEmpty(_ request: OpenRequest, at temporary: String) throws {
    guard let declaration = request.declaration else {
      throw StoreError.fileNotFound(path: request.path)
    }
    try Environment.create(path: temporary, options: request.options) { environment in
      FileStepProbe.reach(.creationEmpty, request.path)
      try writeFirstCatalog(declaration, request, environment)
      // A relaxed commit does not wait for its meta page. Without it the file is not a store, and
      // the file must not get its name before it is one.
      if !request.syncsMetaPage { try environment.sync() }
    }
  }

  private static func writeFirstCatalog(
    _ declaration: Declaration, _ request: OpenRequest, _ environment: Environment
  ) throws {
    let shape = StoreShape(
      schemaVersion: request.schemaVersion, uuid: request.identity.uuid ?? UUID(),
      creation: request.identity.now,
      classes: declaration.schema.classes.map {
        StoreShape.ClassShape(schema: $0, isDeclared: true, isClustered: true)
      }, history: [])
    let (catalog, header) = shape.firstCatalog(fingerprint: declaration.fingerprint)
    try environment.writeFirst(catalog, header)
  }
}
