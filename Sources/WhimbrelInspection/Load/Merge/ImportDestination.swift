internal import Foundation
public import WhimbrelEngine

/// Whether what is imported goes into a new store.
public enum ImportDestination: Hashable, Sendable {
  /// It does: into one of this schema, of which there must be no file yet. With an identity that
  /// is given the same import makes the same store; by default each has one of its own.
  case newStore(SchemaExport, StoreIdentity = StoreIdentity())
  /// It goes into the store that is there.
  case merge(MergePolicy)
}

extension ImportDestination {
  /// Loads objects.
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
  /// A store of a schema that is made now.
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

/// What becomes of objects that are to be loaded into a store and are in it already.
///
/// An object is in the store already when one of its class has the same primary key. Classes
/// without one have no such objects: theirs are always added.
public enum MergePolicy: String, Hashable, Sendable, CaseIterable {
  /// The object of the store stays as it is.
  case keep
  /// The object gets all values of the one that is loaded, and defaults where that has none.
  case replace
  /// The object gets those values that are given, and keeps all others.
  case update
  /// It is an error, and nothing is loaded.
  case fail
}
