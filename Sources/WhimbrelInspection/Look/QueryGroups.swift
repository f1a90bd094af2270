internal import Foundation
public import WhimbrelEngine
internal import WhimbrelLMDB

/// How many objects of a selection have each value of a property, and values worked out of theirs:
/// what `whimbrel query --group-by` writes.
///
/// ```swift
/// let groups = try QueryGroups(
///   ObjectSelection("Zone where latitude > 0"), by: "area", [(.maximum, "latitude")],
///   of: inspector)
/// for group in groups.groups { print(group.text, group.count) }
/// ```
///
/// Objects without a value are a group of their own. Where a path leads to several values, as those
/// of a list, an object belongs to the group of each of them, once.
public struct QueryGroups: Sendable {
  /// The path that objects are grouped by.
  public let path: String
  /// What stands above the values that are worked out: `max latitude`.
  public let headings: [String]
  /// The groups: the largest first, and those of one size in the order of their values.
  public let groups: [Group]

  /// The objects that have one value.
  public struct Group: Hashable, Sendable {
    /// The value; null where there is none.
    public let value: PropertyValue
    /// The value for people: a link is the class and the key of what it leads to.
    public let text: String
    /// How many objects there are.
    public let count: Int
    /// What was worked out, in the order asked for; null where there is nothing.
    public let values: [PropertyValue]
    /// The value as `ls` writes it: in JSON, and in CSV, where nil is nothing.
    fileprivate let forms: Forms

    fileprivate struct Forms: Hashable {
      let json: [UInt8]
      let field: String?
    }
  }

  /// Groups the objects of a selection.
  ///
  /// - Parameters:
  ///   - path: the path to the value that the objects of a group share.
  ///   - aggregates: what is worked out for each group, and of which values.
  /// - Throws: `StoreError` with `unknownClass`, `invalidQuery` or `queryMismatch`, and
  ///   ``InspectionError`` with `badArgument` for a path that is none, or `cancelled`.
  /// - Complexity: O(*n*), in memory for the groups and, where there is a query, for 8 bytes an
  ///   object.
  public init(
    _ selection: ObjectSelection, by path: String,
    _ aggregates: [(aggregate: ObjectQuery.Aggregate, path: String)] = [],
    of inspector: StoreInspector, monitor: WorkMonitor = .silent
  ) throws {
    let table = try selection.table(in: inspector.session)
    let rows = ObjectRows(table: table, selection: selection, offset: 0, limit: nil)
    self.path = path
    headings = aggregates.map { "\($0.aggregate.word) \($0.path)" }
    groups = try inspector.explaining {
      var grouping = try Grouping(by: path, aggregates, of: table)
      var count = 0
      try rows.forEach { id, _ in
        try grouping.add(id)
        count += 1
        if count % 1_000 == 0 {
          try monitor.update(
            "Grouping \(PlainText.escaped(table.name))", count, of: nil,
            orThrow: InspectionError.cancelled(inspector.path, "group the objects of"))
        }
      }
      return try grouping.groups(ValueText(inspector.session, limit: 1_000))
    }
  }
}

extension ObjectQuery.Aggregate {
  /// The word that the option has.
  fileprivate var word: String {
    switch self {
    case .minimum: "min"
    case .maximum: "max"
    case .sum: "sum"
    case .average: "avg"
    }
  }
}

/// The groups in the making.
private struct Grouping {
  private let path: BoundPath
  private let table: ClassTable
  private let aggregates: [(aggregate: QueryAggregate, path: BoundPath)]
  /// By the value as JSON, so that all NaN are one.
  private var found: [Data: Members] = [:]

  private struct Members {
    let value: PropertyValue
    var count = 0
    var accumulators: [QueryAccumulator]
  }

  init(
    by path: String, _ aggregates: [(aggregate: ObjectQuery.Aggregate, path: String)],
    of table: ClassTable
  ) throws {
    self.path = try BoundPath(QueryPath(text: path, of: table), in: table)
    self.table = table
    self.aggregates = try aggregates.map { aggregate, path in
      let bound = try BoundPath(QueryPath(text: path, of: table), in: table)
      let aggregate = QueryAggregate(aggregate)
      try bound.requireAggregate(aggregate)
      return (aggregate, bound)
    }
  }

  mutating func add(_ id: ObjectID) throws {
    var values = try path.values(of: id)
    // No element is no value.
    if values.isEmpty { values = [.null] }
    let aggregated = try aggregates.map { try $0.path.values(of: id) }
    var seen: Set<Data> = []
    for value in values {
      let key = Data(value.kind.utf8) + value.json
      guard seen.insert(key).inserted else { continue }
      var members =
        found.removeValue(forKey: key)
        ?? Members(
          value: value, accumulators: aggregates.map { QueryAccumulator($0.aggregate) })
      members.count += 1
      for index in aggregates.indices {
        for value in aggregated[index] { members.accumulators[index].add(value) }
      }
      found[key] = members
    }
  }

  func groups(_ texts: ValueText) throws -> [QueryGroups.Group] {
    let type = path.storedType ?? .link(to: table.name)
    let groups = try found.values.map { members in
      let text = try texts.text(members.value, as: type)
      return QueryGroups.Group(
        value: members.value, text: text, count: members.count,
        values: try zip(members.accumulators, aggregates).map { try $0.result(of: $1.path) },
        forms: try forms(of: members.value, type, text))
    }
    return groups.sorted {
      if $0.count != $1.count { return $0.count > $1.count }
      return $0.value.precedes($1.value)
    }
  }

  private func forms(
    of value: PropertyValue, _ type: PropertyType, _ text: String
  ) throws -> QueryGroups.Group.Forms {
    var writer = JSONWriter()
    switch value {
    case .link, .object:
      do {
        let classes = DumpClasses(table.session.classes.sorted { $0.name < $1.name })
        try ValueJSON(table, classes).append(value, as: type, to: &writer)
      } catch is UnknownClass {
        // A damaged file.
        writer.append(text)
      }
    default: writer.append(value)
    }
    let field: String? =
      switch value {
      case .null: nil
      case .string(let string): string
      case .link(let id):
        try type.linkedClass.map { try table.session.table($0).objectName(id) } ?? text
      case .object: String(decoding: writer.bytes, as: UTF8.self)
      default: text
      }
    return QueryGroups.Group.Forms(json: writer.bytes, field: field)
  }
}

// MARK: - Writing

extension QueryGroups {
  /// The groups as a table for people, with a line break at its end.
  ///
  /// - Parameter limit: how many groups are shown; nil for all.
  public func text(_ format: TableFormat = TableFormat(), limit: Int? = nil) throws -> String {
    var text = ""
    let numbers = Set(1...headings.count + 1)
    var table = FittedTable(
      ([path, "count"] + headings).map(PlainText.escaped), numbers: numbers, format,
      dropsColumns: false
    ) { text += $0 }
    for group in groups.prefix(limit ?? .max) {
      let value = TextCell(text: group.text, style: group.value.isNull ? .null : .plain)
      try table.append(
        [value, TextCell(text: String(group.count))]
          + group.values.map { TextCell(text: $0.text, style: $0.isNull ? .null : .plain) })
    }
    try table.finish()
    return text
  }

  /// The groups as lines of JSON: `{"area":"europe","count":38,"max latitude":78.2}`. Links are as in
  /// a dump: `{"country":{"key":"AD"},"count":1}`.
  public func jsonLines(limit: Int? = nil) -> [UInt8] {
    var writer = JSONWriter()
    for group in groups.prefix(limit ?? .max) {
      writer.append(raw: "{")
      writer.append(path)
      writer.append(raw: ":")
      writer.append(raw: group.forms.json)
      writer.append(raw: #","count":"#)
      writer.append(group.count)
      for (heading, value) in zip(headings, group.values) {
        writer.append(name: heading)
        writer.append(value)
      }
      writer.append(raw: "}\n")
    }
    return writer.bytes
  }

  /// The groups as comma-separated values with a line of headings; nil is an empty field, and a
  /// link the primary key of what it leads to.
  public func csv(limit: Int? = nil) -> [UInt8] {
    var writer = CSVWriter()
    for heading in [path, "count"] + headings { writer.append(heading) }
    writer.endRow()
    for group in groups.prefix(limit ?? .max) {
      writer.append(group.forms.field)
      writer.append(String(group.count))
      for value in group.values { writer.append(value.isNull ? nil : value.text) }
      writer.endRow()
    }
    return writer.bytes
  }
}
