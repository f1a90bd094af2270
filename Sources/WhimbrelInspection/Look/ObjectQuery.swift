package import Foundation
public import WhimbrelEngine

/// What can be asked about objects without listing them: how many there are, how they are
/// found, and values worked out of theirs. This is what `whimbrel query --count`,
/// `--explain`, `--min` and the like write.
///
/// ```swift
/// let query = try ObjectQuery(ObjectSelection("Zone where latitude > 60"), of: inspector)
/// print(try query.count(), try query.value(.maximum, of: "latitude"))
/// ```
public struct ObjectQuery {
  private let query: PreparedQuery
  private let table: ClassTable
  private let inspector: StoreInspector

  /// What is worked out of the values that a path leads to.
  public enum Aggregate: String, CaseIterable, Hashable, Sendable {
    /// The least value, the greatest, the sum, and the mean.
    case minimum, maximum, sum, average
  }

  /// - Throws: `StoreError` with `unknownClass`, `invalidQuery` or `queryMismatch`.
  public init(_ selection: ObjectSelection, of inspector: StoreInspector) throws {
    query = try selection.prepared(in: inspector.session)
    table = try selection.table(in: inspector.session)
    self.inspector = inspector
  }

  /// How many objects there are.
  ///
  /// - Complexity: O(1) for all objects of a class, O(*n*) for those that meet a condition
  ///   which no index answers.
  public func count() throws -> Int { try inspector.explaining { try query.count() } }

  /// How the objects are found: which indexes are used, and what is read.
  public func explanation() throws -> QueryExplanation {
    try inspector.explaining { try query.explanation() }
  }

  /// A value worked out of what a path leads to from all objects: null where there is none.
  ///
  /// - Throws: ``InspectionError`` with `badArgument` for a path that is none, and
  ///   `StoreError` with `queryMismatch` for values that are no numbers.
  public func value(_ aggregate: Aggregate, of path: String) throws -> PropertyValue {
    try inspector.explaining {
      try query.aggregate(QueryAggregate(aggregate), QueryPath(text: path, of: table))
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
  /// The explanation as JSON: keys are sorted.
  package func json() throws -> Data { try Coding.encoder(isPretty: true).encode(self) }
}
