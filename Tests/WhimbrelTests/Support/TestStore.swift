import Foundation
import Testing
import Whimbrel
import WhimbrelTesting

/// A place for a store, and how it is opened.
struct TestStore {
  let sample: TemporaryStoreFile
  var configuration: Store.Configuration

  var url: URL { configuration.url }

  static let models: [any Model.Type] = [
    Required.self, Optionals.self, Node.self, Named.self, Numbered.self, Tagged.self,
  ]

  init(_ models: [any Model.Type] = Self.models, version: SchemaVersion = 0) throws {
    sample = try TemporaryStoreFile()
    configuration = Store.Configuration(url: sample.url, models: models, schemaVersion: version)
    configuration.durability = .relaxed
  }

  /// Opens the file, which stays for as long as the store does.
  func open() throws -> Store { try keepingFile(Store(configuration)) }

  private func keepingFile(_ store: Store) -> Store {
    store.belongings = sample
    return store
  }

  /// Opens the file with other models.
  func open(
    _ models: [any Model.Type], version: SchemaVersion = 0, migration: MigrationBlock? = nil
  ) throws -> Store {
    var other = configuration
    other.models = models
    other.schemaVersion = version
    other.migration = migration
    return try keepingFile(Store(other))
  }

  /// Opens the file for reading only.
  func openReadOnly() throws -> Store {
    var other = configuration
    other.isReadOnly = true
    return try Store(other)
  }

  /// Expects that a fresh look at the file finds nothing that does not agree.
  func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let findings = try open().integrityFindings()
    #expect(findings.isEmpty, sourceLocation: sourceLocation)
  }
}

/// What a test throws to roll a write back.
struct RollBack: Error {}

/// Expects that `body` throws a ``StoreError`` of a kind, and returns it.
@discardableResult
func expectError<Result>(
  _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Result
) throws -> StoreError {
  let error = try #require(
    #expect(throws: StoreError.self, sourceLocation: sourceLocation) { _ = try body() },
    sourceLocation: sourceLocation)
  #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
  return error
}
