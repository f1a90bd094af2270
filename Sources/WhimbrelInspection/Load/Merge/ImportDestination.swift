internal import Foundation
public import WhimbrelEngine

/// The destination of an import.
public enum ImportDestination: Hashable, Sendable {
  /// A new store with this schema. No file may exist at its path. By default each store gets an
  /// identity of its own; with a given identity, equal imports give equal stores.
  case newStore(SchemaExport, StoreIdentity = StoreIdentity())
  /// The existing store.
  case merge(MergePolicy)
}

extension ImportDestination {
  package func load(
    into target: MergeTarget, _ source: (Session) throws -> any IncomingObjects
  ) throws -> MergeSummary {
    switch self {
    case .newStore(let schema, let identity):
      try target.make(StoreShape(schema, identity), source)
    case .merge(let policy): try target.merge(policy, source)
    }
  }
}

extension StoreShape {
  /// Describes a new, empty store with a schema.
  fileprivate init(_ schema: SchemaExport, _ identity: StoreIdentity) {
    self.init(
      schemaVersion: schema.schemaVersion, uuid: identity.uuid ?? UUID(),
      creation: identity.date ?? Date(),
      classes: schema.classes.map { entry in
        let isClustered = entry.properties.contains { $0.isPrimaryKey && $0.type.isInteger }
        return ClassShape(
          schema: ClassSchema(
            name: entry.name, isEmbedded: entry.isEmbedded, properties: entry.properties,
            indexes: entry.indexes),
          isDeclared: entry.isDeclared, isClustered: isClustered)
      },
      history: [])
  }
}

/// The treatment of loaded objects that the store has already.
///
/// The store has an object already if an object of the same class has the same primary key. Objects
/// of classes without a primary key are always added.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// The object in the store stays as it is.
  case keep
  /// The object in the store gets all values of the loaded object, and defaults for missing values.
  case replace
  /// The object in the store gets the given values and keeps all others.
  case update
  /// The load fails, and nothing changes.
  case fail
}
