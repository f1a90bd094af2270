package import Foundation
public import WhimbrelEngine

/// A query for facts about objects that does not list them: their number, the plan of the query,
/// and aggregates, as `whimbrel query --count`, `--explain`, `--min` and the like write them.
///
/// ```swift
/// let query = try ObjectQuery(ObjectSelection("Zone where latitude > 60"), of: inspector)
/// print(try query.count(), try query.value(.maximum, of: "latitude"))
/// ```
public struct ObjectQuery {
  private let query: BoundQuery
  private let table: ClassTable
  private let inspector: StoreInspector

  /// An aggregate of the values of a path.
  public enum Aggregate: String, CaseIterable, Hashable, Sendable {
    /// The least value, the greatest value, the sum, and the mean.
    case minimum, maximum, sum, average
  }

  /// Creates a query.
  ///
  /// - Throws: `StoreError` with `unknownClass`, `invalidQuery` or `queryMismatch`.
  public init(_ selection: ObjectSelection, of inspector: StoreInspector) throws {
    query = try selection.prepared(in: inspector.session)
    table = try selection.table(in: inspector.session)
    self.inspector = inspector
  }

  /// Returns the number of objects.
  ///
  /// - Complexity: O(1) for all objects of a class, O(*n*) for a condition without an index.
  public func count() throws -> Int { try inspector.explaining { try query.count() } }

  /// Returns the plan of the query: the indexes that it uses, and what it reads.
  public func explanation() throws -> QueryExplanation {
    try inspector.explaining { try query.explanation() }
  }

  /// Returns an aggregate of the values of a path over all objects, or null if there are no values.
  /// An object is left out if its path leads to an object that is not yet converted and lacks the
  /// next property.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` if the path is not valid, and `StoreError`
  ///   with `queryMismatch` if the values are not numbers.
  public func value(_ aggregate: Aggregate, of path: String) throws -> PropertyValue {
    try inspector.explaining {
      let path = try QueryPath(text: path, of: table)
      var query = query
      if try !BoundPath(path, in: table).changedProperties.isEmpty {
        var request = query.request
        request.source = .answerable(request.paths + [path])
        query = try BoundQuery(request, in: table.session)
      }
      return try query.aggregate(QueryAggregate(aggregate), path)
    }
  }
}

extension QueryAggregate {
  init(_ aggregate: ObjectQuery.Aggregate) {
    self =
      switch aggregate {
      case .minimum: .minimum
      case .maximum: .maximum
      case .sum: .sum
      case .average: .average
      }
  }
}

extension QueryExplanation {
  /// Returns the explanation as JSON with sorted keys.
  package func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}
