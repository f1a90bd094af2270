internal import Foundation
public import WhimbrelEngine
internal import WhimbrelLMDB

/// The objects of a selection grouped by a value, with aggregates, as `whimbrel query --group-by`
/// writes them.
///
/// ```swift
/// let groups = try QueryGroups(
///   ObjectSelection("Zone where latitude > 0"), by: "area", [(.maximum, "latitude")],
///   of: inspector)
/// for group in groups.groups { print(group.text, group.count) }
/// ```
///
/// Objects without a value form a group. If a path leads to several values, such as those of a
/// list, an object belongs once to the group of each value.
public struct QueryGroups: Sendable {
  /// The path to the value.
  public let path: String
  /// The headings of the aggregates, such as `max latitude`.
  public let headings: [String]
  /// The groups, largest first. Groups of equal size are sorted by value.
  public let groups: [Group]

  /// The objects with one value.
  public struct Group: Hashable, Sendable {
    /// The value, or null.
    public let value: PropertyValue
    /// The value for people. A link is the class and the key of its target.
    public let text: String
    /// The number of objects.
    public let count: Int
    /// The aggregates in the requested order. Null if there are no values.
    public let values: [PropertyValue]
    /// The value as JSON and as a CSV field. Nil is an empty field.
    fileprivate let forms: Forms

    fileprivate struct Forms: Hashable {
      let json: [UInt8]
      let field: String?
    }
  }

  /// Groups the objects of a selection.
  ///
  /// - Parameters:
  ///   - selection: The objects.
  ///   - path: The path to the value that the objects of a group share.
  ///   - aggregates: The aggregates to compute for each group.
  ///   - inspector: The store.
  ///   - monitor: Receives the progress.
  /// - Throws: `StoreError` with `unknownClass`, `invalidQuery` or `queryMismatch`, and
  ///   ``InspectionError`` with `badArgument` if a path is not valid, or `cancelled`.
  /// - Complexity: O(*n*). Memory: the groups, and 8 bytes per object with a query.
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
  /// The word for the aggregate in the option.
  fileprivate var word: String {
    switch self {
    case .minimum: "min"
    case .maximum: "max"
    case .sum: "sum"
    case .average: "avg"
    }
  }
}

/// A collector of groups.
private struct Grouping {
  private let path: BoundPath
  private let table: ClassTable
  private let aggregates: [(aggregate: QueryAggregate, path: BoundPath)]
  /// The groups by value. The keys are JSON, because a NaN is not equal to itself.
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
    // An object that is not yet converted may have no value to be grouped by.
    if try path.lacksValues(of: id) { return }
    var values = try path.values(of: id)
    // An empty collection counts as no value.
    if values.isEmpty { values = [.null] }
    let aggregated = try aggregates.map { _, path in
      try path.lacksValues(of: id) ? [] : path.values(of: id)
    }
    var seen: Set<Data> = []
    for value in values.map(\.withoutNegativeZero) {
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
    let classes = DumpClasses(table.session.classes.sorted { $0.name < $1.name })
    let groups = try found.values.map { members in
      let text = try texts.text(members.value, as: type)
      return QueryGroups.Group(
        value: members.value, text: text, count: members.count,
        values: try zip(members.accumulators, aggregates).map { try $0.result(of: $1.path) },
        forms: try forms(of: members.value, type, text, classes))
    }
    return groups.sorted {
      if $0.count != $1.count { return $0.count > $1.count }
      return $0.value.precedes($1.value)
    }
  }

  private func forms(
    of value: PropertyValue, _ type: PropertyType, _ text: String, _ classes: DumpClasses
  ) throws -> QueryGroups.Group.Forms {
    var writer = JSONWriter()
    switch value {
    case .link, .object:
      do {
        try ValueJSON(table, classes).append(value, as: type, to: &writer)
      } catch is UnknownClass {
        // The file is damaged.
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

extension PropertyValue {
  /// The value, with 0 in place of −0, which equals 0 in queries.
  fileprivate var withoutNegativeZero: PropertyValue {
    switch self {
    case .float(0): .float(0)
    case .double(0): .double(0)
    case .date(let date) where date.timeIntervalSinceReferenceDate == 0:
      .date(Date(timeIntervalSinceReferenceDate: 0))
    default: self
    }
  }
}

// MARK: - Writing

extension QueryGroups {
  /// The heading of the numbers of objects. It differs from that of the values.
  private var countHeading: String { path == "count" ? "objects" : "count" }

  private var allHeadings: [String] { [path, countHeading] + headings }

  /// Returns the groups as a table for people, with a line end.
  ///
  /// - Parameters:
  ///   - format: The width and the styles. The default is 80 columns without colours.
  ///   - limit: The limit of groups. The default, nil, is all.
  public func text(_ format: TableFormat = TableFormat(), limit: Int? = nil) throws -> String {
    var text = ""
    let numbers = Set(1...headings.count + 1)
    var table = FittedTable(
      allHeadings.map(PlainText.escaped), numbers: numbers, format, dropsColumns: false
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

  /// Returns the groups as lines of JSON: `{"area":"europe","count":38,"max latitude":78.2}`. Links
  /// are written as in a dump: `{"country":{"key":"AD"},"count":1}`. If the objects are grouped by a
  /// property with the name `count`, their number is called `objects`.
  public func jsonLines(limit: Int? = nil) -> [UInt8] {
    var writer = JSONWriter()
    for group in groups.prefix(limit ?? .max) {
      writer.append(raw: "{")
      writer.append(path)
      writer.append(raw: ":")
      writer.append(raw: group.forms.json)
      writer.append(name: countHeading)
      writer.append(group.count)
      for (heading, value) in zip(headings, group.values) {
        writer.append(name: heading)
        writer.append(value)
      }
      writer.append(raw: "}\n")
    }
    return writer.bytes
  }

  /// Returns the groups as comma-separated values with a line of headings. Nil is an empty field,
  /// and a link is the primary key of its target.
  public func csv(limit: Int? = nil) -> [UInt8] {
    var writer = CSVWriter()
    for heading in allHeadings { writer.append(heading) }
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
