internal import Foundation
internal import WhimbrelLMDB

/// A new store under a temporary name. It gets its real name when it is complete, so nobody sees an
/// incomplete store, not even after a crash. A file that got no name is removed with its
/// ``TemporaryFile``.
final class NewStoreFile {
  private let path: String
  private let temporary: TemporaryFile

  /// The temporary name of the store.
  var temporaryPath: String { temporary.path }

  /// Creates a temporary store, empty or from the request's seed.
  init(_ request: OpenRequest) throws {
    temporary = try FilePreflight.explaining(request) {
      try TemporaryFile(.new, beside: request.path)
    }
    path = request.path
    do {
      try FilePreflight.explaining(request) {
        if let seed = request.file.seedPath {
          try SeedCopy(seed, request).write(to: temporary.path)
        } else {
          try Self.makeEmpty(request, at: temporary.path)
        }
      }
    } catch {
      temporary.remove()
      throw error
    }
    FileStepProbe.reach(.creationWhole, path)
  }

  /// Gives the store its name, unless another file already has it.
  func takePlace() throws {
    try StoreError.naming(path) {
      _ = try Environment.giveName(path, to: temporary.path) { () throws(LMDBError) in
        try FilePreflight.syncFolder(of: path)
        FileStepProbe.reach(.creationNamed, path)
      }
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
      if !request.file.syncsMetaPage { try environment.sync() }
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
