/// How a query was answered: which index was used, what was gone through, and how much was
/// read.
///
/// ```swift
/// print(store.objects(Zone.self).where { $0.identifier.starts(with: "Europe/") }.explain())
/// // Zone: 64 of 594 objects
/// // - index Zone.identifier: identifier begins with 'Europe/'
/// // - read: 64 index entries, no records
/// ```
///
/// It is coded as an object with a key for each of its properties.
public struct QueryExplanation: Hashable, Sendable, Codable {
  /// The class that was asked for.
  public let className: String
  /// How many objects the class has.
  public let objectCount: Int
  /// How many objects answer the query.
  public let resultCount: Int
  /// The indexes that found objects; what one alone finds need not be all that answers the
  /// query.
  public let indexes: [IndexUse]
  /// Whether all objects of the class were gone through.
  public let isScan: Bool
  /// How the first order was made, or nil when objects are in the order of their IDs.
  public let order: Order?
  /// How many entries of indexes were read. Those do not count that were looked at to
  /// choose an index.
  public let indexEntriesRead: Int
  /// How many objects were looked at.
  public let recordsRead: Int
  /// How many cores went through objects at the same time.
  public let coreCount: Int

  /// An index that was used.
  public struct IndexUse: Hashable, Sendable, Codable {
    /// The class and the properties: `Zone.identifier`.
    public let name: String
    /// What of the index was read: `latitude > 60`; empty for all of it.
    public let condition: String
  }

  /// How an order was made.
  public enum Order: Hashable, Sendable, Codable {
    /// An index has it; it was gone through from one of its ends.
    case index(IndexUse, isBackward: Bool)
    /// The objects were sorted; the number says how many at most were kept at a time,
    /// and is nil for all.
    case memory(kept: Int?)
  }
}

extension QueryExplanation {
  init(_ run: QueryRun, count: Int) throws {
    let (table, tally) = (run.table, run.tally)
    className = table.name
    objectCount = try table.count()
    resultCount = count
    indexes = tally.used.map { IndexUse($0.index, $0.tests, in: table.resolved) }
    isScan = tally.isScan
    if let walk = tally.order {
      order = .index(
        IndexUse(walk.index, walk.tests, in: table.resolved), isBackward: walk.isBackward)
    } else {
      order = tally.sorts.first.map { .memory(kept: $0) }
    }
    indexEntriesRead = tally.indexEntries
    recordsRead = tally.records
    coreCount = try tally.mayUseCores ? ObjectScanner(table).coreCount : 1
  }
}

extension QueryExplanation.IndexUse {
  fileprivate init(_ index: QueryIndex, _ tests: [QueryTest], in resolved: ResolvedClass) {
    name = index.name(in: resolved)
    condition = tests.map { $0.description(in: resolved) }.joined(separator: " and ")
  }
}

extension QueryExplanation: CustomStringConvertible {
  /// The explanation for people, in lines.
  public var description: String {
    var lines = ["\(className): \(resultCount) of \(Sentence.count(objectCount, "object"))"]
    lines += indexes.map { "- \($0)" }
    if isScan {
      lines.append("- all objects\(coreCount > 1 ? ", on \(coreCount) cores" : "")")
    }
    switch order {
    case .index(let use, let isBackward):
      lines.append("- ordered by \(use)\(isBackward ? ", backwards" : "")")
    case .memory(let kept):
      lines.append("- sorted in memory\(kept.map { ", the first \($0)" } ?? "")")
    case nil: break
    }
    lines.append("- read: \(Self.entries(indexEntriesRead)), \(Self.records(recordsRead))")
    return lines.joined(separator: "\n")
  }

  private static func entries(_ count: Int) -> String {
    switch count {
    case 0: "no index entries"
    case 1: "1 index entry"
    default: "\(count) index entries"
    }
  }

  private static func records(_ count: Int) -> String {
    count == 0 ? "no records" : Sentence.count(count, "record")
  }
}

extension QueryExplanation.IndexUse: CustomStringConvertible {
  /// The index and what of it was read.
  public var description: String {
    condition.isEmpty ? "index \(name)" : "index \(name): \(condition)"
  }
}
