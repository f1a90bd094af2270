/// A report on how a query was answered: the index it used, the objects it visited, and how
/// much it read.
///
/// ```swift
/// print(try store.objects(Zone.self).where { $0.identifier.starts(with: "Europe/") }.explain())
/// // Zone: 64 of 594 objects
/// // - index Zone.identifier: identifier begins with 'Europe/'
/// // - read: 64 index entries, no records
/// ```
///
/// Its coded form is an object with one key for each property.
public struct QueryExplanation: Hashable, Sendable, Codable {
  /// The class that was queried.
  public let className: String
  /// The number of objects of the class. For new objects of a migration, the number of objects of
  /// the queried collection or inverse.
  public let objectCount: Int
  /// The number of objects in the result.
  public let resultCount: Int
  /// The indexes that found objects. One index may find more objects than the result has.
  public let indexes: [IndexUse]
  /// Whether the query scanned all objects of the class.
  public let isScan: Bool
  /// The classes that were scanned to find the objects that satisfy a condition on the target of a
  /// link.
  public let scannedTargets: [String]
  /// The source of the first order, or nil if the objects are in the order of their IDs.
  public let order: Order?
  /// The number of index entries that were read. Entries that were counted only to choose an index
  /// are not included.
  public let indexEntriesRead: Int
  /// The number of objects that were read.
  public let recordsRead: Int
  /// The number of cores that scanned objects at the same time.
  public let coreCount: Int
  /// The number of objects that were converted in memory, because an online migration has not yet
  /// stored their conversion.
  public let conversions: Int

  /// An index that was used.
  public struct IndexUse: Hashable, Sendable, Codable {
    /// The class and the properties of the index, such as `Zone.identifier`.
    public let name: String
    /// The condition on the entries that were read, such as `latitude > 60`, or `country leads to 1
    /// object of 'Country'` for objects that another index found. It is empty if the whole index
    /// was read.
    public let condition: String
  }

  /// The source of an order.
  public enum Order: Hashable, Sendable, Codable {
    /// The order of an index, which was read from one of its ends.
    case index(IndexUse, isBackward: Bool)
    /// The objects were sorted in memory. The number is the maximum that was kept at a time, or nil
    /// if all objects were kept.
    case memory(kept: Int?)
  }
}

extension QueryExplanation {
  init(_ run: QueryRun, count: Int, conversions: Int) throws {
    let (table, tally) = (run.table, run.tally)
    className = table.name
    let source = run.query.request.source
    objectCount = try table.isOfMigration ? source.objectIDs(of: table).count : table.count()
    resultCount = count
    indexes = tally.used.map { IndexUse($0) }
    isScan = tally.isScan
    scannedTargets = tally.scannedTargets
    if let walk = tally.order {
      order = .index(
        IndexUse(walk.index, walk.tests, in: table.resolved), isBackward: walk.isBackward)
    } else {
      order = tally.sorts.first.map { .memory(kept: $0) }
    }
    indexEntriesRead = tally.indexEntries
    recordsRead = tally.records
    coreCount = try tally.mayUseCores ? ObjectScanner(table).coreCount : 1
    self.conversions = conversions
  }
}

extension QueryExplanation.IndexUse {
  fileprivate init(_ index: QueryIndex, _ tests: [QueryTest], in resolved: ResolvedClass) {
    self.init(
      name: index.name(in: resolved),
      condition: tests.map { $0.description(in: resolved) }.joined(separator: " and "))
  }

  fileprivate init(_ use: QueryTally.IndexUse) {
    let resolved = use.table.resolved
    switch use.entries {
    case .passing(let tests): self.init(use.index, tests, in: resolved)
    case .leading(let count, let className):
      let link = resolved.properties[use.index.positions[0]].name
      let targets = count == 1 ? "1 object" : "one of \(count) objects"
      self.init(
        name: use.index.name(in: resolved),
        condition: "\(link) leads to \(targets) of '\(className)'")
    }
  }
}

extension QueryExplanation: CustomStringConvertible {
  /// The explanation as lines of text.
  public var description: String {
    var lines = ["\(className): \(resultCount) of \(Sentence.count(objectCount, "object"))"]
    lines += indexes.map { "- \($0)" }
    lines += scannedTargets.map { "- all objects of '\($0)', once" }
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
    if conversions > 0 {
      lines.append("- converted in memory: \(Sentence.count(conversions, "object"))")
    }
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
  /// The index and the condition on the entries that were read.
  public var description: String {
    condition.isEmpty ? "index \(name)" : "index \(name): \(condition)"
  }
}
